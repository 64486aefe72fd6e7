package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/table/history"
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
			got := sabot(t, "", append([]string{"journal", d.Cmd}, args...)...)
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
		{
			Round: 1, Input: []byte(`{"in":"wave","hand":"left"}`),
			Outputs: []byte(`{"out":"waved","box":"three"}` + "\n" + `{"out":[7]}` + "\n"),
		},
	}
	if err := j.Append(entries); err != nil {
		t.Fatal(err)
	}
	// The journal is in use, as at a running table.
	list, whole := sabot(t, "", "journal", "recall", "--json", path),
		sabot(t, "", "journal", "recall", "--json", path, "-1")
	if whole.Status != exitOK || list != whole {
		t.Errorf("the list is %+v\nthe round %+v", list, whole)
	}
	var round struct {
		Steps []struct {
			Input   json.RawMessage
			Outputs []json.RawMessage
		}
	}
	if err := json.NewDecoder(bufio.NewReader(strings.NewReader(whole.Out))).Decode(&round); err != nil ||
		len(round.Steps) != 2 {
		t.Fatalf("%v in %s", err, whole.Out)
	}
	second := round.Steps[1]
	if !bytes.Equal(second.Input, entries[1].Input) || string(second.Outputs[0]) != `{"out":"waved","box":"three"}` ||
		string(second.Outputs[1]) != `{"out":[7]}` {
		t.Errorf("the unknown lines are %s and %s", second.Input, second.Outputs)
	}
	told := sabot(t, "", "journal", "recall", path, "1")
	for _, line := range []string{
		`{"in":"wave","hand":"left"}`, `{"out":"waved","box":"three"}`, `{"out":[7]}`,
		"NOT FINISHED",
	} {
		if !strings.Contains(told.Out, line) {
			t.Errorf("%s is not told in\n%s", line, told.Out)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRecallProof: the hashes and the seal of a round are printed, as they stand in the journal's
// files, and a round that is not sealed yet is said to be so.
func TestRecallProof(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	j, err := journal.Open(path, journal.Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []journal.Entry{
		{Round: 1, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n")},
		{
			Round: 1, Input: []byte(`{"in":"paid"}`), Outputs: []byte(`{"out":"finished","round":1}` + "\n"),
			Carry: []byte(`{}`),
		},
		{Round: 2, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":2}` + "\n")},
	} {
		if err := j.Append([]journal.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	sealed, open := sabot(t, "", "journal", "recall", "--proof", path, "1"),
		sabot(t, "", "journal", "recall", "--proof", path, "-1")
	for rec, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		says := fmt.Sprintf("record     %d\nhash       %x\n", rec.Seq, rec.Hash)
		if strings.Contains(sealed.Out, says) != (rec.Round == 1) ||
			strings.Contains(open.Out, says) != (rec.Round == 2) {
			t.Errorf("record %d: the rounds say\n%s\n%s", rec.Seq, sealed.Out, open.Out)
		}
	}
	seal, err := j.SealOver(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{
		"journal    " + j.ID(), "seal       after record 2", journal.PublicLine(seal.Key),
		fmt.Sprintf("%x", seal.Signature),
	} {
		if !strings.Contains(sealed.Out, says) {
			t.Errorf("%q is not in\n%s%s", says, sealed.Out, sealed.Err)
		}
	}
	if !strings.Contains(open.Out, "no seal") || open.Status != exitOK {
		t.Errorf("a round that is not sealed: %+v", open)
	}
	var proof history.Proof
	if err := json.Unmarshal([]byte(sabot(t, "", "journal", "recall", "--proof", "--json", path, "1").Out),
		&proof); err != nil || proof.Seal == nil || !proof.Seal.Valid || proof.Last.Seq != 2 {
		t.Errorf("as JSON it is %+v, %v", proof, err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
