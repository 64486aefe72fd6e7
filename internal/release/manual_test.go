package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// rewrite says whether what is expected is to be written anew; the flag is datadriven's.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

const printed = `usage: sabot watch [--key FILE] [URL]

Show a running table in this terminal.

  URL  the address of the table's page; .such as "this" or C:\that

Options:
  -json
    	print JSON, on one line
  -key file
    	the file with the screen's key, for a page
    	on a network

For example:

    sabot watch
    sabot watch --key screen.key https://bj-1.example:8443/
`

func watch(t *testing.T) Program {
	t.Helper()
	help, err := Read(printed)
	if err != nil {
		t.Fatal(err)
	}
	own := Help{Line: "sabot COMMAND", What: "The tool of a table."}
	list := Help{Line: "sabot devices", What: "List the devices.", Options: []Term{{"--probe", "", "ask them"}}}
	return Program{Name: "sabot", Section: 1, Help: own, Commands: []Command{
		{"devices", list},
		{"devices watch", Help{Line: "sabot devices watch", What: "Show them at work."}},
		{"journal audit", Help{Line: "sabot journal audit", What: "Check a journal."}},
		{"watch", help},
		{"version", Help{Line: "sabot version", What: "Print the version."}},
	}}
}

// TestRead: everything that a help says is found.
func TestRead(t *testing.T) {
	help := watch(t).Commands[3].Help
	options := []Term{
		{"--json", "", "print JSON, on one line"},
		{"--key", "file", "the file with the screen's key, for a page on a network"},
	}
	if help.Line != "sabot watch [--key FILE] [URL]" || !slices.Equal(help.Options, options) ||
		len(help.Arguments) != 1 || len(help.Examples) != 2 {
		t.Errorf("read %+v", help)
	}
}

// TestReadRefuses: a help that has something unknown is refused, so that no manual leaves it out.
func TestReadRefuses(t *testing.T) {
	for _, text := range []string{
		"", "sabot watch", "usage: sabot watch\n", "usage: sabot watch\nmore\n\nShow.",
		"usage: a\n\nWhat.\n\nA part that has no name.\n",
		"usage: a\n\nWhat.\n\n  URL\n",
		"usage: a\n\nWhat.\n\nOptions:\nnonsense\n",
		"usage: a\n\nWhat.\n\nOptions:\n  -key file\n",
		"usage: a\n\nWhat.\n\nFor example:\n",
	} {
		if help, err := Read(text); err == nil {
			t.Errorf("%q is read as %+v", text, help)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(printed)
	f.Fuzz(func(t *testing.T, text string) {
		help, err := Read(text)
		if err != nil {
			return
		}
		p := Program{Name: "sabot", Section: 1, Help: help}
		for _, page := range p.Pages(Edition{}) {
			for line := range strings.Lines(page.Text) {
				if strings.HasPrefix(line, "'") {
					t.Errorf("a text has become a command of roff: %q", line)
				}
			}
		}
	})
}

// TestPages compares the pages with those on file, and has man read them.
func TestPages(t *testing.T) {
	edition := Edition{"v1.2.3", time.Date(2026, 11, 23, 23, 30, 0, 0, time.FixedZone("", -7200))}
	for _, page := range watch(t).Pages(edition) {
		path := filepath.Join("testdata", page.File)
		if rewrite() {
			if err := os.WriteFile(path, []byte(page.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || string(want) != page.Text {
			t.Errorf("%s is now, %v\n%s", path, err, page.Text)
		}
		cmd := exec.Command("man", "--warnings=w", "--encoding=UTF-8", "-Tutf8", "-Z", "--local-file", path)
		var complaints strings.Builder
		cmd.Stderr = &complaints
		if err := cmd.Run(); err != nil || complaints.Len() > 0 {
			t.Errorf("man cannot read %s: %v\n%s", path, err, &complaints)
		}
	}
}

// TestCompletion asks bash what it proposes.
func TestCompletion(t *testing.T) {
	script := filepath.Join(t.TempDir(), "sabot")
	if err := os.WriteFile(script, []byte(watch(t).Completion()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ typed, want string }{
		{"sabot ", "devices journal watch version"},
		{"sabot journal ", "audit"},
		{"sabot journal a", "audit"},
		{"sabot devices ", "watch"},
		{"sabot devices --", "--probe"},
		{"sabot devices watch --", ""},
		{"sabot wa", "watch"},
		{"sabot watch --", "--json --key"},
		{"sabot watch --k", "--key"},
		{"sabot watch ", ""},
		{"sabot version -", ""},
		{"sabot nonsense x", ""},
	} {
		words := strings.Split(c.typed, " ")
		ask := `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sabot; echo "${COMPREPLY[*]}"`
		out, err := exec.Command("bash", append([]string{"-euc", ask, script}, words...)...).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%q is completed by %q, not %q, %v", c.typed, got, c.want, err)
		}
	}
}

// TestCommandNames: both ways in which programs list their commands are understood.
func TestCommandNames(t *testing.T) {
	const help = "sabot: the tool\n\nOthers\n\n  sabot replay        put\n  sabot config words  list\n\nExit"
	if got := listedCommands(help); !slices.Equal(got, []string{"replay", "config words"}) {
		t.Errorf("the list has %q", got)
	}
	if got := argued("usage\n\n  FILE     a file; or none\n  COMMAND  check-config, refill or person; sabot-pit " +
		"COMMAND -h says more\n"); !slices.Equal(got, []string{"check-config", "refill", "person"}) {
		t.Errorf("the argument has %q", got)
	}
}
