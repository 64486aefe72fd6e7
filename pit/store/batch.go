package store

import (
	"encoding/hex"
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Batch is a stretch of a table's journal, as the table sends it.
type Batch struct {
	Table topic.Table
	// Journal is its id.
	Journal string
	journal.Stretch
}

// records reads the batch's frames, which follow each other.
func (b *Batch) records() ([]journal.Record, error) {
	list := make([]journal.Record, len(b.Frames))
	for i, frame := range b.Frames {
		rec, err := journal.ParseRecord(frame)
		if err == nil && i > 0 && rec.Seq != list[0].Seq+uint64(i) {
			err = fmt.Errorf("%d comes after %d", rec.Seq, list[i-1].Seq)
		}
		if err != nil {
			return nil, fmt.Errorf("a record that table %s sent: %w", b.Table, err)
		}
		rec.Boot = b.Boot
		list[i] = rec
	}
	return list, nil
}

// begins is the first record that the batch says something about, its gap included; 0 for none.
func (b *Batch) begins(records []journal.Record) uint64 {
	switch {
	case b.Gap != nil:
		return b.Gap.First
	case len(records) > 0:
		return records[0].Seq
	}
	return 0
}

// BatchOf turns a table's answer back into the stretch of its journal that it was.
func BatchOf(r topic.Records) (*Batch, error) {
	table, err := topic.NewTable(r.Site, r.Table)
	if err != nil {
		return nil, err
	}
	b := &Batch{Table: table, Journal: r.Journal, Stretch: journal.Stretch{
		After: r.After, Head: r.Head.Record, Boot: r.Boot, Program: r.Program, InForce: r.InForce,
		Rules: map[string][]byte{}, Gap: (*journal.Gap)(r.Gap), SetUp: (*journal.SetUp)(r.SetUp),
	}}
	if err := hashInto(&b.Hash, r.Head.Hash); err != nil {
		return nil, fmt.Errorf("the head's hash: %w", err)
	}
	if f := r.Former; f != nil {
		b.Former = &journal.Former{Journal: f.Journal, Record: f.Record, Event: f.Event, Hash: f.Hash, Why: f.Why}
	}
	for fingerprint, text := range r.Rules {
		b.Rules[fingerprint] = []byte(text)
	}
	for i := range r.Records {
		b.Frames = append(b.Frames, r.Frame(i))
	}
	for i := range r.Seals {
		seal, err := sealOf(&r.Seals[i])
		if err != nil {
			return nil, fmt.Errorf("the seal after record %d: %w", r.Seals[i].Seal, err)
		}
		b.Seals = append(b.Seals, seal)
	}
	return b, nil
}

func sealOf(s *topic.Seal) (journal.Seal, error) {
	seal := journal.Seal{Seq: s.Seal, At: s.At}
	if err := hashInto(&seal.Hash, s.Under); err != nil {
		return seal, err
	}
	key, err := journal.ParsePublicLine(s.Key)
	if err != nil {
		return seal, err
	}
	seal.Key = key
	seal.Signature, err = hex.DecodeString(s.Signature)
	return seal, err
}

func hashInto(into *[32]byte, text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(into) {
		return fmt.Errorf("%q is not 64 hexadecimal digits", text)
	}
	copy(into[:], raw)
	return nil
}
