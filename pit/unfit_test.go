package pit

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestAttackUnfitRecords: whatever a table answers, the database is not taken for broken, for which all tables would
// wait: it keeps the next table's records.
func TestAttackUnfitRecords(t *testing.T) {
	tier.Soak(t, "a database is filled for seconds")
	for name, source := range map[string]string{
		"sqlite":   filepath.Join(t.TempDir(), "pit.db"),
		"postgres": journaltest.NewPostgres(t).Source(),
	} {
		t.Run(name, func(t *testing.T) { unfit(t, source) })
	}
}

func unfit(t *testing.T, source string) {
	s, err := store.Open(t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	night := journaltest.NewNight(t, filepath.Join(t.TempDir(), "journal"), "wiesbaden", 1)
	night.Deal(60)
	good, err := publish.Fetched(night.Journal, topic.Fetch{Reader: "pit"})
	if err != nil {
		t.Fatal(err)
	}
	good.Site = "wiesbaden"
	text, err := json.Marshal(good)
	if err != nil {
		t.Fatal(err)
	}
	in := func(old, new string) func(*topic.Records) {
		return func(r *topic.Records) {
			for i, lines := range r.Records {
				for n, line := range lines {
					r.Records[i][n] = bytes.ReplaceAll(line, []byte(old), []byte(new))
				}
			}
		}
	}
	spoil := map[string]func(*topic.Records){
		"a NUL in names": in(`"by":"`, `"by":"\u0000`),
		"NULs":           in(`":"`, `":"\u0000`),
		"no such output": in(`"out":"card"`, `"out":"made-up"`),
		"another kind":   in(`"round":1`, `"round":"x"`),
		"numbers":        in(`"round":1`, `"round":18446744073709551615`),
		"minus":          in(`"round":1`, `"round":-1`),
		"hashes":         in(`"hash":"`, `"hash":"0`),
		"no JSON":        in(`{"out":`, `{"out":{{`),
		"a start":        func(r *topic.Records) { r.Boot = 1 << 63 },
		"a program":      func(r *topic.Records) { r.Program = "\x00" },
		"rules":          func(r *topic.Records) { r.InForce = "no such rules" },
		"a gap": func(r *topic.Records) {
			r.Gap = &topic.Gap{First: 1, Last: 1<<64 - 1, Why: "away"}
			r.Records = nil
		},
		"a gap of another why": func(r *topic.Records) {
			r.Gap = &topic.Gap{First: 1, Last: 7, Why: "\x00"}
			r.Records = nil
		},
		"a former journal": func(r *topic.Records) { r.Former = &topic.Former{Record: 1 << 63, Why: "\x00"} },
		"a set-up": func(r *topic.Records) {
			r.SetUp = &topic.SetUp{Record: 1, Input: json.RawMessage(`{"in":"\u0000"}`)}
			r.Gap = &topic.Gap{First: 1, Last: 3, Why: "away"}
			r.Records = nil
		},
		"seals": func(r *topic.Records) { r.Seals = []topic.Seal{{Seal: 1 << 63, Under: "x", Key: "y"}} },
	}
	tries, through := 0, 0
	for what, spoil := range spoil {
		var r topic.Records
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		spoil(&r)
		r.Table = "bad-" + strings.ReplaceAll(what, " ", "-")
		r.Table = strings.ToLower(r.Table)
		payload, err := json.Marshal(r)
		if err != nil {
			continue // it cannot even be sent
		}
		tries++
		if batch, err := batchOf(payload); err == nil {
			_, err = s.Append(t.Context(), batch)
			_, missing := errors.AsType[*store.MissingError](err)
			_, rewritten := errors.AsType[*store.RewrittenError](err)
			_, rolledBack := errors.AsType[*store.RolledBackError](err)
			if err != nil && !missing && !rewritten && !rolledBack && !s.Unfit(t.Context(), err) {
				through++
				t.Errorf("%s: the database is taken for broken: %v", what, err)
			}
		}
		good.Table = "good-" + r.Table[4:]
		batch, err := store.BatchOf(good)
		if err == nil {
			_, err = s.Append(t.Context(), batch)
		}
		if err != nil {
			through++
			t.Errorf("after %s another table's records are not kept: %v", what, err)
		}
	}
	attack.Report(t, "pit: records that nobody can keep, "+filepath.Base(t.Name()), tries, through)
}

// batchOf reads a payload as the ear does.
func batchOf(payload []byte) (*store.Batch, error) {
	heard, err := topic.ParseRecords(payload)
	if err != nil {
		return nil, err
	}
	return store.BatchOf(heard)
}
