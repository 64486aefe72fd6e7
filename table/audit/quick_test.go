package audit

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestQuickReadsAsTheParser: what is known again is what the parser would read, and a
// line that has another time than its record is not known.
func TestQuickReadsAsTheParser(t *testing.T) {
	lines := []func(at string) string{
		func(at string) string { return `{"in":"open","t":"` + at + `"}` },
		func(at string) string { return `{"in":"card","t":"` + at + `","card":"TH"}` },
		func(at string) string { return `{"in":"card","t":"` + at + `","card":"AS"}` },
		func(at string) string { return `{"in":"call","t":"` + at + `","call":"double","bettors":["a","b"]}` },
		func(at string) string {
			return `{"in":"stake","t":"` + at + `","box":3,"bettor":"a","wager":"main","amount":2000}`
		},
		func(at string) string { return `{"t":"` + at + `","in":"open"}` },
		func(string) string { return `{"in":"undo"}` },
		func(at string) string { return `{"in":"resolve","with":"burn","t":"` + at + `","by":"s,1"}` },
	}
	rapid.Check(t, func(t *rapid.T) {
		var r replay
		r.parser = transcript.NewParser(profile.Built())
		a := &auditor{o: Options{Book: profile.Built()}, report: &Report{}}
		for seq := uint64(1); seq < 40; seq++ {
			at := rapid.Int64Range(0, time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()).Draw(t, "at")
			at -= at % rapid.SampledFrom([]int64{1, 1000, 1_000_000, 1_000_000_000, 86_400_000_000_000}).Draw(t, "coarse")
			written := at + rapid.SampledFrom([]int64{0, 0, 0, 1, -1_000_000_000, 86_400_000_000_000}).Draw(t, "off")
			line := rapid.SampledFrom(lines).Draw(t, "line")(time.Unix(0, max(written, 0)).UTC().Format(time.RFC3339Nano))
			rec := journal.Record{Entry: journal.Entry{Input: []byte(line), At: at}, Seq: seq}
			got, err := r.read(a, &rec)
			want, wantErr := transcript.NewParser(profile.Built()).Parse(rec.Input, seq)
			if (err == nil) != (wantErr == nil) || err == nil && !same(got, &want) {
				t.Fatalf("%s is read as %+v, %v, not %+v, %v", line, got, err, want, wantErr)
			}
		}
	})
}

// same compares inputs as transcripts write them, and their lines.
func same(a, b *vocab.Input) bool {
	return string(transcript.AppendInput(nil, a)) == string(transcript.AppendInput(nil, b)) && a.Line == b.Line
}

// TestDayIs: only moments that are written as tables write them, and are right.
func TestDayIs(t *testing.T) {
	var d day
	at := time.Date(2026, 2, 28, 23, 59, 59, 123_400_000, time.UTC)
	for text, want := range map[string]bool{
		"2026-02-28T23:59:59.1234Z":         true,
		"2026-02-28T23:59:59.123400000Z":    true,
		"2026-02-28T23:59:59.1235Z":         false,
		"2026-02-28T23:59:59Z":              false,
		"2026-02-28T23:59:59.Z":             false,
		"2026-02-28T23:59:59.12340000000Z":  false,
		"2026-02-28T23:59:60.1234Z":         false,
		"2026-03-01T00:59:59.1234+01:00":    false,
		"2026-02-28 23:59:59.1234Z":         false,
		"2026-02-28T23:59:59.1a34Z":         false,
		"2026-02-28T2:359:59.1234Z":         false,
		"":                                  false,
		"2026-02-28T23:59:59":               false,
		"2027-02-28T23:59:59.1234Z":         false,
		"2026-02-28T23:59:59.1234Z trailer": false,
	} {
		if got := d.is([]byte(text), at.UnixNano()); got != want {
			t.Errorf("%s is %s: %t", text, at.Format(time.RFC3339Nano), got)
		}
	}
}
