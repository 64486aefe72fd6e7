package main

import (
	"bytes"
	"context"
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

// TestDemoOfAFile plays rounds by a house's own file. The journal names the house
// and its fingerprint, and is played again with the file.
func TestDemoOfAFile(t *testing.T) {
	folder := t.TempDir()
	file, path := filepath.Join(folder, "mine.yaml"), filepath.Join(folder, "journal")
	write(t, file, mine)
	args := []string{"--demo", "--house", file, "--rounds", "3", "--pace", "0s", "--web", "127.0.0.1:0", "--broker", "127.0.0.1:0", "--journal", path}
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
	if !strings.Contains(setup, `"house":"mine"`) || !strings.Contains(setup, `"profile":"`+book["mine"].Fingerprint+`"`) {
		t.Errorf("the journal begins with %s", setup)
	}
	var again bytes.Buffer
	if err := transcript.Replay(strings.NewReader(inputs), transcript.NewParser(book), &again); err != nil || again.String() != outputs {
		t.Errorf("played again it differs: %v", err)
	}
}

// TestTableOfAFile starts a real table by a house's own file.
func TestTableOfAFile(t *testing.T) {
	folder := t.TempDir()
	file, path, configuration := filepath.Join(folder, "mine.yaml"), filepath.Join(folder, "journal"), filepath.Join(folder, "sabot.yaml")
	write(t, file, mine)
	write(t, configuration, "site: test\ntable: bj-1\nhouse_file: "+file+"\nshoe: {port: "+filepath.Join(folder, "absent")+"}\n"+
		"journal: {path: "+path+"}\nweb: {listen: \"127.0.0.1:0\"}\nsupervisors: {proof: none}\n")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ready := ending{until: "sabotd ready: table bj-1,", stop: stop}
	var errOut bytes.Buffer
	if status := run(ctx, []string{"--config", configuration}, &ready, &errOut); status != exitOK || !ready.seen {
		t.Fatalf("status %d\n%s", status, errOut.String())
	}
	if !strings.Contains(errOut.String(), "house=mine") {
		t.Errorf("the log does not name the house:\n%s", errOut.String())
	}
}

// ending stops a program when it has printed a text.
type ending struct {
	until string
	stop  context.CancelFunc
	seen  bool
}

func (e *ending) Write(p []byte) (int, error) {
	if strings.Contains(string(p), e.until) {
		e.seen = true
		e.stop()
	}
	return len(p), nil
}

func TestDemoOfAHouseThatIsNotThere(t *testing.T) {
	for house, want := range map[string]string{
		"monaco": `house "monaco" is not known; known are baden,`, "./absent.yaml": "open ./absent.yaml",
	} {
		var out, errOut bytes.Buffer
		if status := run(t.Context(), []string{"--demo", "--house", house}, &out, &errOut); status != exitFailed || !strings.Contains(errOut.String(), want) {
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
