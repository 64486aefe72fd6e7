package host

import (
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// note is what is noted of whom: the same again and again is written once, and then counted.
type note struct {
	code, by string
	came     vocab.Origin
}

const (
	// noteWindow and noteLongest are how long the same note is counted before it is written again. A power cut loses
	// the count of this time at the most, and never the first.
	noteWindow, noteLongest = 10 * time.Second, 5 * time.Minute
	// mostNotes are told apart at a time: together they write some records each minute, whoever makes them.
	mostNotes = 64
)

// moreNotes counts what there was no room to tell apart: the log has no more of it, either.
var moreNotes = note{code: "more"}

// noteOften puts on record what anybody can make happen as often as they like. It returns whether it is the first of
// its kind, and to be logged.
func (d *Daemon) noteOften(in vocab.Input) (first bool) {
	if first = d.notices.often.First(note{in.Code, in.By, in.Came()}); first {
		d.record(in)
	}
	return first
}

// again puts on record how often something was noted after the first time.
func (n *notices) again(of note, b site.Burst) {
	n.log.Warn("the same happened again: how often is on record",
		"what", of.code, "by", of.by, "count", b.Count, slog.Time("first", b.First), slog.Time("last", b.Last))
	again := vocab.Input{Kind: vocab.InNote, Code: history.NoteAgain(of.code, b.Count, b.First, b.Last), By: of.by}
	if of == moreNotes {
		of.came.From = vocab.FromProgram
	}
	again.Come(of.came)
	n.add(again)
}

// refusedAgain is told of an input of a screen that the rules have refused already, and that was not put in again.
func (d *Daemon) refusedAgain(in vocab.Input, why vocab.Reason) {
	code := "rejected-again " + in.Kind.String() + " " + why.String()
	again := vocab.Input{Kind: vocab.InNote, Code: code, By: in.By}
	again.Come(in.Came())
	d.noteOften(again)
}
