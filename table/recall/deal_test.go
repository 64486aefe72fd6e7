package recall_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// TestDeal: a table that goes on record by record stands after each as one that begins there. Where a record is none
// that this version answers so, that is said, up to the next checkpoint.
func TestDeal(t *testing.T) {
	r := newRecorder(t)
	deal(r, 6)
	from := recall.New(r.journal, profile.Built())
	going, err := from.Deal(0)
	if err != nil {
		t.Fatal(err)
	}
	odd, _ := from.Deal(0)
	checkpoints := 0
	for rec, err := range r.journal.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		going.Next(&rec)
		begun, err := from.Deal(rec.Seq)
		if err != nil || going.Differs() != nil || begun.Differs() != nil {
			t.Fatal(rec.Seq, err, going.Differs(), begun.Differs())
		}
		is, want := notation.AppendPosition(nil, begun.Table()), notation.AppendPosition(nil, going.Table())
		if string(is) != string(want) {
			t.Fatalf("after record %d a table that begins is\n%s\nand one that goes on\n%s", rec.Seq, is, want)
		}
		told := rec
		if rec.Seq == rec.Checkpoint {
			checkpoints++
		} else if strings.Contains(string(rec.Input), "stake") {
			told.Input = []byte(strings.Replace(string(rec.Input), "stake", "new-fangled", 1))
		}
		odd.Next(&told)
		if rec.Seq == rec.Checkpoint && odd.Differs() != nil {
			t.Errorf("after the checkpoint in record %d it is still said that %v", rec.Seq, odd.Differs())
		} else if &told.Input[0] != &rec.Input[0] && odd.Differs() == nil {
			t.Errorf("of record %d nothing is said", rec.Seq)
		}
	}
	if checkpoints < 6 {
		t.Errorf("there are %d checkpoints", checkpoints)
	}
}
