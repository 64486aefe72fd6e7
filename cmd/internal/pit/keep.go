package pit

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// keeper is the store as the ear uses it.
type keeper struct {
	*store.Store
	news *news
}

func (k keeper) Position(ctx context.Context, table topic.Table) (replica.Position, error) {
	name, record, _, err := k.Store.Position(ctx, table)
	return replica.Position{Journal: name, Record: record}, err
}

func (k keeper) Doubted(ctx context.Context, table topic.Table) (bool, error) {
	return k.Store.Doubted(ctx, table)
}

func (k keeper) Append(ctx context.Context, r topic.Records) error {
	batch, err := batchOf(r)
	if err != nil {
		return &replica.UnfitError{Err: err}
	}
	err = k.doubt(ctx, k.Store.Append(ctx, batch))
	k.news.tell(batch.Table)
	return err
}

func (k keeper) Witness(ctx context.Context, table topic.Table, t replica.Told) error {
	head := *t.Journal.Head
	err := k.doubt(ctx, k.Store.Witness(ctx, table, head, t.At))
	if _, doubted := errors.AsType[*replica.DoubtError](err); err != nil && !doubted {
		return err
	}
	return cmp.Or(err, k.doubt(ctx, k.Store.Told(ctx, table, store.Told{
		Journal: head.ID, Boot: t.Boot, Record: head.Record, Acknowledged: t.Journal.Acknowledged(), Heard: t.Heard,
		Away: t.Journal.Away, Began: t.Journal.Began, At: t.At, Watched: t.Watched,
	})))
}

// doubt says which errors of the store are about what a table has recorded.
func (k keeper) doubt(ctx context.Context, err error) error {
	if rewritten, is := errors.AsType[*store.RewrittenError](err); is {
		return &replica.DoubtError{Code: floor.JournalRewritten, Kept: rewritten.Kept, Err: err}
	}
	if rolled, is := errors.AsType[*store.RolledBackError](err); is {
		return &replica.DoubtError{Code: floor.JournalRolledBack, Kept: rolled.Kept, Err: err}
	}
	if _, is := errors.AsType[*store.UnseenError](err); is {
		return &replica.DoubtError{Code: floor.JournalUnseen, Kept: true, Once: true, Err: err}
	}
	if _, is := errors.AsType[*store.MissingError](err); is {
		return &replica.DoubtError{Err: err}
	}
	if k.Store.Unfit(ctx, err) {
		return &replica.UnfitError{Err: err}
	}
	return err
}

// batchOf turns a table's answer back into the stretch of its journal that it was.
func batchOf(r topic.Records) (*store.Batch, error) {
	table, err := topic.NewTable(r.Site, r.Table)
	if err != nil {
		return nil, err
	}
	b := &store.Batch{Table: table, Journal: r.Journal, Stretch: journal.Stretch{
		After: r.After, Head: r.Head.Record, Boot: r.Boot, Program: r.Program, InForce: r.InForce,
		Rules: map[string][]byte{},
	}}
	if err := hash(&b.Hash, r.Head.Hash); err != nil {
		return nil, fmt.Errorf("the head's hash: %w", err)
	}
	if f := r.Former; f != nil {
		b.Former = &journal.Former{Journal: f.Journal, Record: f.Record, Event: f.Event, Hash: f.Hash, Why: f.Why}
	}
	if g := r.Gap; g != nil {
		b.Gap = &journal.Gap{First: g.First, Last: g.Last, Why: g.Why, Text: g.Text}
	}
	if u := r.SetUp; u != nil {
		b.SetUp = &journal.SetUp{Record: u.Record, Input: u.Input}
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
	if err := hash(&seal.Hash, s.Under); err != nil {
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

func hash(into *[32]byte, text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(into) {
		return fmt.Errorf("%q is not 64 hexadecimal digits", text)
	}
	copy(into[:], raw)
	return nil
}
