package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

const mine = `extends: wiesbaden
house: mine
title: My house
table: {min: 20}
pays: {black_jack: "6:5"}
`

// TestTableOfAFile starts a real table by a house's own file.
func TestTableOfAFile(t *testing.T) {
	folder := t.TempDir()
	file, path, configuration := filepath.Join(folder, "mine.yaml"), filepath.Join(folder, "journal"),
		filepath.Join(folder, "sabot.yaml")
	write(t, file, mine)
	write(t, configuration, "site: test\ntable: bj-1\nhouse_file: "+file+"\nshoe: {port: "+
		filepath.Join(folder, "absent")+"}\n"+
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
