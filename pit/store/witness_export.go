package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
)

// WitnessOf is what the store knows of a table's journals, for an auditor. It is ErrUnknown for a table of which
// nothing is known.
func (s *Store) WitnessOf(ctx context.Context, table topic.Table) (*witness.Export, error) {
	tx, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	e := exportedWitness{ctx: ctx, from: tx, of: map[string]*witness.Journal{}}
	if err := e.read(table); err != nil {
		return nil, fmt.Errorf("what the pit's store knows of table %s: %w", table, err)
	}
	return e.export(table), nil
}

// exportedWitness collects what is known of a table.
type exportedWitness struct {
	ctx     context.Context
	from    queryer
	place   int64
	current int64
	of      map[string]*witness.Journal
	names   []string // in the order in which they came
}

// journal is what is known of one journal.
func (e *exportedWitness) journal(name string) *witness.Journal {
	j := e.of[name]
	if j == nil {
		j = &witness.Journal{ID: name, Heads: []witness.Head{}, Starts: []witness.Start{}}
		e.of[name], e.names = j, append(e.names, name)
	}
	return j
}

func (e *exportedWitness) export(table topic.Table) *witness.Export {
	all := &witness.Export{
		Format: witness.Format, Site: table.Site(), Table: table.Name(), At: time.Now().UTC(),
		Journals: []witness.Journal{},
	}
	for _, name := range e.names {
		all.Journals = append(all.Journals, *e.of[name])
	}
	return all
}

func (e *exportedWitness) read(table topic.Table) error {
	known := false
	err := eachRow(e.ctx, e.from, `SELECT id, coalesce(journal, 0) FROM place WHERE site = $1 AND name = $2`,
		[]any{table.Site(), table.Name()}, func(scan scan) error {
			known = true
			return scan(&e.place, &e.current)
		})
	switch {
	case err != nil:
		return err
	case !known:
		return ErrUnknown
	}
	for _, query := range []struct {
		text string
		take func(scan scan) error
	}{
		{`SELECT id, name, former, head, hash, head_at, pruned FROM journal WHERE place = $1 ORDER BY id`, e.kept},
		{`SELECT j.name, g.first, g.last, g.why FROM gap g JOIN journal j ON j.id = g.journal WHERE j.place = $1 ORDER BY j.id, g.first`, e.gap},
		{`SELECT journal, record, hash, heard FROM witness WHERE place = $1 ORDER BY journal, record`, e.head},
		{`SELECT journal, boot, record, acknowledged, heard, away, began_acknowledged, began_away, at, watched FROM told WHERE place = $1 ORDER BY journal, boot`, e.start},
		{`SELECT journal, kind, record, what, found FROM finding WHERE place = $1 ORDER BY found, record`, e.finding},
	} {
		if err := eachRow(e.ctx, e.from, query.text, []any{e.place}, query.take); err != nil {
			return err
		}
	}
	return nil
}

func (e *exportedWitness) kept(scan scan) error {
	var id, at int64
	var name, former string
	var hash []byte
	var head, pruned uint64
	if err := scan(&id, &name, &former, &head, &hash, &at, &pruned); err != nil {
		return err
	}
	j := e.journal(name)
	j.Current, j.Pruned = id == e.current, pruned
	if head > 0 {
		j.Kept = &witness.Head{Record: head, Hash: hex.EncodeToString(hash), At: when(at)}
	}
	if former == "" {
		return nil
	}
	var f journal.Former
	if err := json.Unmarshal([]byte(former), &f); err != nil {
		return fmt.Errorf("what the journal %s replaced: %w", name, err)
	}
	j.Former, j.Why = f.Journal, f.Why
	return nil
}

func (e *exportedWitness) gap(scan scan) error {
	var name string
	var g witness.Gap
	err := scan(&name, &g.First, &g.Last, &g.Why)
	j := e.journal(name)
	j.Gaps = append(j.Gaps, g)
	return err
}

func (e *exportedWitness) head(scan scan) error {
	var name string
	var h witness.Head
	var hash []byte
	var at int64
	err := scan(&name, &h.Record, &hash, &at)
	h.Hash, h.At = hex.EncodeToString(hash), when(at)
	if j := e.journal(name); h.Record > 0 { // a journal that has no record yet tells one all the same
		j.Heads = append(j.Heads, h)
	}
	return err
}

func (e *exportedWitness) start(scan scan) error {
	var name string
	var s witness.Start
	var acknowledged, away, at int64
	err := scan(&name, &s.Boot, &s.Record, &s.Acknowledged, &s.Heard, &s.Away, &acknowledged, &away, &at, &s.Watched)
	if s.At = when(at); acknowledged >= 0 {
		s.Began = &witness.Began{Acknowledged: uint64(acknowledged), Away: uint64(away)}
	}
	j := e.journal(name)
	j.Starts = append(j.Starts, s)
	return err
}

func (e *exportedWitness) finding(scan scan) error {
	var name string
	var f witness.Finding
	var at int64
	err := scan(&name, &f.Kind, &f.Record, &f.What, &at)
	f.At = when(at)
	j := e.journal(name)
	j.Findings = append(j.Findings, f)
	return err
}

func when(at int64) time.Time { return time.Unix(0, at).UTC() }
