package runner

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// A card of a shoe that sends each report several times has the report on record: a note right before the card, written
// together with it. It is no position: the shoe's numbers come round, so the same report may well be another card.

// reported begins the note.
const reported = "report "

// reportsWithin is how many of the last records may have a report whose copies are still on the line.
const reportsWithin = 256

// reportNote is the note of a card's report.
func reportNote(report string, at int64) vocab.Input {
	return vocab.Input{
		Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{
			Event: vocab.ShoeNote,
		}, Code: fmt.Sprintf("%s% X", reported, report), Time: at,
		Origin: byShoe,
	}
}

// Reports returns the reports among the last records, in the order in which they came. next is the number of the next
// record. Records that were moved to an archive are left out. The report of a card that was dealt face down is in its
// seal, which the key opens in the journal of that id. The error is one of reading the journal; the reports up to there
// come with it.
func Reports(from interface {
	Records(from uint64) iter.Seq2[journal.Record, error]
}, next uint64, key FacesKey, id string,
) (reports []shoe.Report, err error) {
	f := &faces{key: key, journal: id}
	first := next - min(next-1, reportsWithin)
	reports, err = f.reports(from.Records(first))
	if away, is := errors.AsType[*journal.AwayError](err); is && away.Last >= first {
		return f.reports(from.Records(away.Last + 1))
	}
	return reports, err
}

func (f *faces) reports(records iter.Seq2[journal.Record, error]) (reports []shoe.Report, err error) {
	for rec, err := range records {
		if err != nil {
			return reports, err
		}
		report, is := reportOf(rec.Input)
		if !is {
			report, is = f.reportOf(&rec)
		}
		if is {
			reports = append(reports, shoe.Report{Bytes: report, At: time.Unix(0, rec.At)})
		}
	}
	return reports, nil
}

// reportOf opens the report of a card that was dealt face down.
func (f *faces) reportOf(rec *journal.Record) (report string, is bool) {
	if !bytes.Contains(rec.Input, []byte(`"seal"`)) {
		return "", false
	}
	in, err := transcript.NewParser(nil).Parse(rec.Input, rec.Seq)
	if err != nil || in.Card != card.Down {
		return "", false
	}
	s, err := f.key.open(f.at(rec.Seq), in.Code)
	return s.Report, err == nil && s.Report != ""
}

// reportOf reads the note of a card's report.
func reportOf(input []byte) (report string, is bool) {
	if !bytes.Contains(input, []byte(reported)) {
		return "", false
	}
	in, err := transcript.NewParser(nil).Parse(input, 0)
	digits, is := strings.CutPrefix(in.Code, reported)
	if err != nil || !is || in.Kind != vocab.InShoe || in.Shoe.Event != vocab.ShoeNote {
		return "", false
	}
	p, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	return string(p), err == nil
}
