package publish

import (
	"encoding/hex"
	"encoding/json"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Records are a journal's events as the pit's messages need them.
func Records(events []journal.Event) []topic.Record {
	records := make([]topic.Record, len(events))
	for i, e := range events {
		records[i] = topic.Record{
			Number: e.Number, Boot: e.Boot, At: e.At, Round: e.Round, Line: e.Line,
			Above: e.Above,
		}
	}
	return records
}

// stretchMost is how many bytes of records an answer has: the rest of topic.MostRecords is for
// rules, seals and what JSON needs.
const stretchMost = topic.MostRecords - 16<<10

// Fetched reads what a reader fetches from a journal that is open to write. Site and table are
// left for the caller.
func Fetched(j *journal.Journal, fetch topic.Fetch) (topic.Records, error) {
	after := fetch.After
	if fetch.Journal != j.ID() {
		after = 0
	}
	s, err := j.Stretch(after, stretchMost)
	if err != nil {
		return topic.Records{}, err
	}
	r := topic.Records{
		Boot: s.Boot, Program: s.Program, Journal: j.ID(), After: after, InForce: s.InForce,
		Head:    topic.Head{ID: j.ID(), Record: s.Head, Hash: hex.EncodeToString(s.Hash[:])},
		Records: make([][]json.RawMessage, 0, len(s.Frames)), Gap: (*topic.Gap)(s.Gap), SetUp: (*topic.SetUp)(s.SetUp),
	}
	if s.Boot == 0 {
		r.Boot = j.Boot()
	}
	if f := s.Former; f != nil {
		r.Former = &topic.Former{Journal: f.Journal, Record: f.Record, Event: f.Event, Hash: f.Hash, Why: f.Why}
	}
	if s.SetUp == nil && fetch.Reader != topic.Stream && after > 0 && len(s.Frames) > 0 {
		r.SetUp = setUpBefore(j, s.Frames[0])
	}
	if len(s.Rules) > 0 {
		r.Rules = map[string]string{}
	}
	for fingerprint, text := range s.Rules {
		r.Rules[fingerprint] = string(text)
	}
	for _, frame := range s.Frames {
		r.Records = append(r.Records, topic.SplitFrame(frame))
	}
	for i := range s.Seals {
		seal := &s.Seals[i]
		r.Seals = append(r.Seals, topic.Seal{
			Seal: seal.Seq, Under: hex.EncodeToString(seal.Hash[:]), At: seal.At,
			Key: journal.PublicLine(seal.Key), Signature: hex.EncodeToString(seal.Signature),
		})
	}
	return r, nil
}

// setUpBefore is the set-up in force before a record, nil where that sets the table up, or it cannot be read: a reader
// may have removed it with the records of its time.
func setUpBefore(j *journal.Journal, frame []byte) *topic.SetUp {
	rec, err := journal.ParseRecord(frame)
	if err != nil || rec.Setup == 0 || rec.Setup >= rec.Seq {
		return nil
	}
	input, err := j.SetUp(rec.Setup)
	if err != nil {
		return nil
	}
	return &topic.SetUp{Record: rec.Setup, Input: input}
}
