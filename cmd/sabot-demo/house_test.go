package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

const mine = `extends: wiesbaden
house: mine
title: My house
table: {min: 20}
pays: {black_jack: "6:5"}
`

// TestHouseOfAFile plays rounds by a house's own file. The journal names the house and its
// fingerprint, and is replayed with the file.
func TestHouseOfAFile(t *testing.T) {
	folder := t.TempDir()
	file, path := filepath.Join(folder, "mine.yaml"), filepath.Join(folder, "journal")
	if err := os.WriteFile(file, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--house", file, "--rounds", "3", "--pace", "0s", "--web", "127.0.0.1:0", "--broker",
		"127.0.0.1:0", "--journal", path,
	}
	var out, errOut bytes.Buffer
	if status := run(t.Context(), args, &out, &errOut); status != exitOK {
		t.Fatalf("status %d\n%s%s", status, out.String(), errOut.String())
	}
	if !strings.Contains(out.String(), "a table of My house,") || !strings.Contains(out.String(), "\nround 3: ") {
		t.Errorf("the demonstration says\n%s", out.String())
	}
	book, _, err := profile.Built().Open(file)
	if err != nil {
		t.Fatal(err)
	}
	inputs, outputs := recorded(t, path)
	setup, _, _ := strings.Cut(inputs, "\n")
	if !strings.Contains(setup, `"house":"mine"`) ||
		!strings.Contains(setup, `"profile":"`+book["mine"].Fingerprint+`"`) {
		t.Errorf("the journal begins with %s", setup)
	}
	var again bytes.Buffer
	if err := transcript.Replay(strings.NewReader(inputs), transcript.NewParser(book), &again); err != nil ||
		again.String() != outputs {
		t.Errorf("its replay differs: %v", err)
	}
}

func TestHouseThatIsNotThere(t *testing.T) {
	for house, want := range map[string]string{
		"monaco": `house "monaco" is not known; known are baden,`, "./absent.yaml": "open ./absent.yaml",
	} {
		var out, errOut bytes.Buffer
		if status := run(t.Context(), []string{"--house", house}, &out, &errOut); status != exitFailed ||
			!strings.Contains(errOut.String(), want) {
			t.Errorf("%s: status %d, %s", house, status, errOut.String())
		}
	}
}

// recorded returns the inputs and the outputs of a journal.
func recorded(t *testing.T, path string) (inputs, outputs string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		inputs += string(r.Input) + "\n"
		outputs += string(r.Outputs)
	}
	return inputs, outputs
}
