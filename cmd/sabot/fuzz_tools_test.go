package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzTools gives each tool any bytes as a journal, a part of one or a file: none crashes, and nothing that they print
// steers a terminal.
func FuzzTools(f *testing.F) {
	night := recorded(f, setup+`{"in":"dealer","name":"anna"}`+"\n"+play)
	parts, err := filepath.Glob(filepath.Join(night, "*"))
	if err != nil || len(parts) == 0 {
		f.Fatal(parts, err)
	}
	part, err := os.ReadFile(parts[0])
	if err != nil {
		f.Fatal(err)
	}
	name := filepath.Base(parts[0])
	f.Add(part)
	f.Add(part[:len(part)*2/3])
	f.Add(bytes.ReplaceAll(part, []byte("anna"), []byte("\x1b[2J\u202e\xff")))
	for _, text := range []string{
		round, evilTranscript(evilNames[:3]), "site: \"\\e[2J\"\n", "house: wiesbaden\nextends: \"\u202e\"\n",
		"code = \x1b[2J\n", `{"part":1}` + "\n", "\x28\xb5\x2f\xfd\x00", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		journal, file := filepath.Join(dir, "journal"), filepath.Join(dir, "file")
		if err := os.Mkdir(journal, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{filepath.Join(journal, name), file} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{"journal", "verify", journal},
			{"journal", "transcript", journal},
			{"journal", "events", journal},
			{"journal", "irregularities", journal},
			{"journal", "recall", journal},
			{"journal", "recall", journal, "1"},
			{"journal", "recall", "--json", journal},
			{"journal", "recall", "--proof", journal, "-1"},
			{"journal", "state", journal},
			{"journal", "state", journal, "3"},
			{"journal", "audit", journal},
			{"journal", "audit", "--json", journal},
			{"journal", "audit", "--round", "1", journal},
			{"replay", journal},
			{"replay", file},
			{"replay", "--as-recorded", file},
			{"config", "check", file},
			{"config", "words", file},
			{"rules", "check", file},
			{"rules", "show", file},
			{"key", "journal", "--public", file},
			{"key", "command", "--public", "a", file},
		} {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			var out, errOut bytes.Buffer
			run(ctx, args, env{strings.NewReader(""), &out, &errOut})
			stop()
			if what := steering(out.String() + errOut.String()); what != "" && !strings.Contains(what, "forged") {
				t.Errorf("sabot %v: %s", args, what)
			}
		}
	})
}
