package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/table/journal"
)

// TestRecall records the transcripts under testdata/recall and asks for their
// rounds.
func TestRecall(t *testing.T) {
	datadriven.Walk(t, "testdata/recall", func(t *testing.T, path string) {
		file := ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "record" {
				file = recorded(t, d.Input)
				return ""
			}
			args := strings.Fields(strings.ReplaceAll(d.Input, "JOURNAL", file))
			got := sabot(t, "", append([]string{d.Cmd}, args...)...)
			text := got.Out + got.Err
			if got.Status != exitOK {
				text += fmt.Sprintf("exit status %d\n", got.Status)
			}
			return strings.ReplaceAll(text, file, "JOURNAL")
		})
	})
}

// TestRecallJSON: as JSON a round has every recorded line as it was recorded, also
// one of an unknown kind.
func TestRecallJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := journal.Open(path, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	entries := []journal.Entry{
		{Round: 1, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n")},
		{Round: 1, Input: []byte(`{"in":"wave","hand":"left"}`), Outputs: []byte(`{"out":"waved","box":"three"}` + "\n" + `{"out":[7]}` + "\n")},
	}
	if err := j.Append(entries); err != nil {
		t.Fatal(err)
	}
	// The journal is in use, as at a running table.
	list, whole := sabot(t, "", "recall", "--json", path), sabot(t, "", "recall", "--json", path, "-1")
	if whole.Status != exitOK || list != whole {
		t.Errorf("the list is %+v\nthe round %+v", list, whole)
	}
	var round struct {
		Steps []struct {
			Input   json.RawMessage
			Outputs []json.RawMessage
		}
	}
	if err := json.NewDecoder(bufio.NewReader(strings.NewReader(whole.Out))).Decode(&round); err != nil || len(round.Steps) != 2 {
		t.Fatalf("%v in %s", err, whole.Out)
	}
	second := round.Steps[1]
	if !bytes.Equal(second.Input, entries[1].Input) || string(second.Outputs[0]) != `{"out":"waved","box":"three"}` || string(second.Outputs[1]) != `{"out":[7]}` {
		t.Errorf("the unknown lines are %s and %s", second.Input, second.Outputs)
	}
	told := sabot(t, "", "recall", path, "1")
	for _, line := range []string{`{"in":"wave","hand":"left"}`, `{"out":"waved","box":"three"}`, `{"out":[7]}`, "NOT FINISHED"} {
		if !strings.Contains(told.Out, line) {
			t.Errorf("%s is not told in\n%s", line, told.Out)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
