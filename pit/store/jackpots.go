package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file keeps the jackpots that several tables play for: what the tables' records say of them, in the transaction
// of the records themselves, and what the pit gives to those who have won.

// told is what a record says of a jackpot.
func told(place, journal int64, m *tally.Meter) jackpot.Told {
	return jackpot.Told{
		Key: jackpot.Key{Journal: journal, First: m.First}, Place: place, Number: m.Number, Record: m.Record,
		At: time.Now(), MeterTold: m.MeterTold,
	}
}

// meterJob is something that is done with a meter, besides taking what tables say of it.
type meterJob struct {
	name string
	does func(ledger) error
}

// flushMeters does all that a transaction does with meters, as its last and by their names: nodes that lock the same
// ones lock them in one order, and after all else that they share.
func (w *writer) flushMeters() error {
	jobs := w.meterJobs
	for i := range w.meters {
		told := &w.meters[i]
		jobs = append(jobs, meterJob{told.Name, func(l ledger) error { return w.takes(l, told) }})
	}
	slices.SortStableFunc(jobs, func(a, b meterJob) int { return strings.Compare(a.name, b.name) })
	for _, job := range jobs {
		if err := job.does(ledger{w}); err != nil {
			return fmt.Errorf("the jackpot %s: %w", job.name, err)
		}
	}
	w.meters, w.meterJobs = nil, nil
	w.metered = w.metered || len(jobs) > 0
	if len(jobs) == 0 || !w.store.postgres {
		return nil
	}
	return w.exec(`SELECT pg_notify($1, '')`, meterChannel)
}

// meterChannel is where nodes tell each other that something was done with a meter.
const meterChannel = "sabot_meter"

// JackpotsChanged gets something once a meter may have changed, here or at another node. It is for one reader, who
// looks from time to time, too: what another node says is lost while the line to the database is.
func (s *Store) JackpotsChanged() <-chan struct{} { return s.metered }

// tellMeters says that a meter may have changed. Who has not yet read that one has, reads it once.
func (s *Store) tellMeters() {
	select {
	case s.metered <- struct{}{}:
	default:
	}
}

// JackpotWaits says whether somebody had won a jackpot when that was looked at last, and has not been given it.
func (s *Store) JackpotWaits() bool {
	s.waits.mu.Lock()
	defer s.waits.mu.Unlock()
	return len(s.waits.since) > 0
}

// takes takes what a record says. What is said of another jackpot of the same name counts for none, and neither what
// cannot be.
func (w *writer) takes(l ledger, told *jackpot.Told) error {
	err := jackpot.Take(l, told)
	if err == nil && told.Winners > 0 && told.Event == vocab.JackpotRound {
		r, err := l.Round(told.Key)
		if err == nil && r != nil && r.Ungiven() {
			w.store.log.Error("A TABLE HAS PAID OF A JACKPOT WHAT NOBODY GAVE IT: audit its journal; only if "+
				"the pit's database was lost before, nothing is wrong", "jackpot", told.Name, "place", told.Place,
				"record", told.Record, "paid", told.Paid, "given", r.Given)
		}
		return err
	}
	if !errors.Is(err, jackpot.ErrOther) && !errors.Is(err, jackpot.ErrImpossible) {
		return err
	}
	w.store.log.Error("WHAT A TABLE SAYS OF A JACKPOT COUNTS FOR NONE: look at the sections jackpot of the "+
		"houses that name it", "jackpot", told.Name, "place", told.Place, "record", told.Record, "err", err)
	return nil
}

// ledger is the database, in a transaction of the writer.
type ledger struct{ w *writer }

// Meter locks the meter until the transaction ends: other nodes that share the work wait.
func (l ledger) Meter(name string) (*jackpot.Meter, error) {
	if err := l.w.exec(`UPDATE jackpot SET entry = entry WHERE name = $1`, name); err != nil {
		return nil, err
	}
	m := jackpot.Meter{Name: name}
	known, err := l.w.row(`SELECT currency, seed, amount, entry FROM jackpot WHERE name = $1`, []any{name},
		[]any{&m.Currency, &m.Seed, &m.Amount, &m.Entry})
	if err != nil || !known {
		return nil, err
	}
	return &m, nil
}

// Begin waits for another node that begins the same one.
func (l ledger) Begin(m *jackpot.Meter) (others bool, err error) {
	made, err := l.w.row(`INSERT INTO jackpot (name, currency, seed, amount, entry) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING RETURNING 1`, []any{m.Name, m.Currency, m.Seed, m.Amount, int64(m.Entry)}, []any{new(int)})
	return !made, err
}

func (l ledger) PutMeter(m *jackpot.Meter) error {
	return l.w.exec(`INSERT INTO jackpot (name, currency, seed, amount, entry) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (name) DO UPDATE SET seed = excluded.seed, amount = excluded.amount, entry = excluded.entry`,
		m.Name, m.Currency, m.Seed, m.Amount, int64(m.Entry))
}

func (l ledger) Join(place int64, name string) error {
	return l.w.exec(`INSERT INTO jackpot_table (place, jackpot) VALUES ($1, $2)
		ON CONFLICT (place) DO UPDATE SET jackpot = excluded.jackpot`, place, name)
}

const roundColumns = `journal, first, place, jackpot, number, last, hit, heard, winners, decision, given, charged, fed, ended,
	won, paid_by`

func (l ledger) Round(of jackpot.Key) (*jackpot.Round, error) {
	list, err := jackpotRounds(l.w.ctx, l.w.after(), `WHERE journal = $1 AND first = $2`, of.Journal, int64(of.First))
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

func (l ledger) Waiting(name string) ([]*jackpot.Round, error) {
	return jackpotRounds(l.w.ctx, l.w.after(), `WHERE jackpot = $1 AND ended = 0 AND decision = 0 AND hit > 0
		ORDER BY heard, journal, first`, name)
}

func (l ledger) Open(place int64, name string) ([]*jackpot.Round, error) {
	return jackpotRounds(l.w.ctx, l.w.after(), `WHERE ended = 0 AND jackpot = $1 AND place = $2 AND hit > 0
		ORDER BY journal, first`, name, place)
}

func (l ledger) Decided(name string, decision uint64) ([]*jackpot.Round, error) {
	return jackpotRounds(l.w.ctx, l.w.after(), `WHERE jackpot = $1 AND (ended IN (0, 1) AND decision = $2 OR paid_by = $3)`,
		name, int64(decision), int64(decision))
}

// jackpotRounds reads rounds.
func jackpotRounds(ctx context.Context, from queryer, where string, args ...any) ([]*jackpot.Round, error) {
	return rowsAs(ctx, from, func(scan scan) (*jackpot.Round, error) {
		r := &jackpot.Round{}
		var heard, ended, won int64
		err := scan(&r.Journal, &r.First, &r.Place, &r.Jackpot, &r.Number, &r.Last, &r.Hit, &heard, &r.Winners,
			&r.Decision, &r.Given, &r.Charged, &r.Fed, &ended, &won, &r.By)
		r.At, r.Ended, r.Won = time.Unix(0, heard), ended != 0, won != 0
		return r, err
	}, `SELECT `+roundColumns+` FROM jackpot_round `+where, args...)
}

func (l ledger) PutRound(r *jackpot.Round) error {
	heard := int64(0)
	if r.Hit != 0 {
		heard = r.At.UnixNano()
	}
	return l.w.exec(`INSERT INTO jackpot_round (`+roundColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (journal, first) DO UPDATE SET last = excluded.last, hit = excluded.hit, heard = excluded.heard,
		winners = excluded.winners, decision = excluded.decision, given = excluded.given, charged = excluded.charged,
		fed = excluded.fed, ended = excluded.ended, won = excluded.won, paid_by = excluded.paid_by`,
		r.Journal, int64(r.First), r.Place, r.Jackpot, int64(r.Number), int64(r.Last), int64(r.Hit), heard,
		int64(r.Winners), int64(r.Decision), r.Given, r.Charged, r.Fed, bit(r.Ended), bit(r.Won), int64(r.By))
}

// bit is a truth as the database keeps it.
func bit(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func (l ledger) SeedOf(name string, decision uint64, alone jackpot.Key) (sum int64, err error) {
	_, err = l.w.row(`SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM jackpot_entry
		WHERE jackpot = $1 AND kind = $2 AND decision = $3 AND ($4 > 0 OR journal = $5 AND first = $6)`,
		[]any{name, string(jackpot.KindSeed), int64(decision), int64(decision), alone.Journal, int64(alone.First)},
		[]any{&sum})
	return sum, err
}

func (l ledger) Add(e *jackpot.Entry) error {
	return l.w.exec(`INSERT INTO jackpot_entry (jackpot, number, kind, amount, leaves, at, place, journal, first, round,
		record, decision) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		e.Jackpot, int64(e.Number), string(e.Kind), e.Amount, e.After, e.At.UnixNano(), e.Place, e.Journal,
		int64(e.First), int64(e.Round), int64(e.Record), int64(e.Decision))
}

// waits are the wins of which nothing is decided, and since when this program knows of them: by a clock that nobody
// sets, and that is no other node's.
type waits struct {
	mu    sync.Mutex
	since map[win]time.Time
}

// win is a round that has won a jackpot.
type win struct {
	jackpot string
	round   jackpot.Key
}

// longest is for each jackpot that waits how long.
func (s *Store) longest(ctx context.Context) (map[string]time.Duration, error) {
	s.waits.mu.Lock()
	defer s.waits.mu.Unlock()
	now, since, longest := time.Now(), map[win]time.Time{}, map[string]time.Duration{}
	err := eachRow(ctx, s.read, `SELECT jackpot, journal, first FROM jackpot_round
		WHERE ended = 0 AND decision = 0 AND hit > 0`, nil, func(scan scan) error {
		var one win
		err := scan(&one.jackpot, &one.round.Journal, &one.round.First)
		since[one] = now
		if known, is := s.waits.since[one]; is {
			since[one] = known
		}
		longest[one.jackpot] = max(longest[one.jackpot], now.Sub(since[one]))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.waits.since = since
	return longest, nil
}

// DecideJackpots gives jackpots to those who have won them, so long after this program has seen the first of them that
// nobody else has won it at the same time. It returns once that is durable: only then it may be told. Any node may: the
// first one that locks the meter decides, and the others find it done.
func (s *Store) DecideJackpots(ctx context.Context, together time.Duration) (decided bool, err error) {
	waiting, err := s.longest(ctx)
	if err != nil {
		return false, fmt.Errorf("look for who has won a jackpot: %w", err)
	}
	for name, waits := range waiting {
		if waits < together {
			continue
		}
		one := false
		err := s.do(ctx, func(w *writer) error {
			w.meterJobs = append(w.meterJobs, meterJob{name, func(l ledger) (err error) {
				one, err = jackpot.Decide(l, name, time.Now())
				return err
			}})
			return nil
		})
		if err != nil {
			return false, fmt.Errorf("give the jackpot %s: %w", name, err)
		}
		decided = decided || one
	}
	return decided, nil
}

// errUndone is a decision that was read, and that the database does not have any more.
var errUndone = errors.New("the database that answers now does not have it: it is decided anew")

// DurableJackpot returns once what is given to a table would outlive the server that was asked, and it still is what is
// given. A server that was started anew shows what it had written and no standby has: a change after it, which the
// standby confirms, is the proof.
func (s *Store) DurableJackpot(ctx context.Context, of *jackpot.Word) (err error) {
	if !s.postgres {
		return nil
	}
	defer about(&err, "what is given of the jackpot %s to %s", of.Jackpot, of.Table)
	g := of.Given
	return s.do(ctx, func(w *writer) error {
		w.meterJobs = append(w.meterJobs, meterJob{of.Jackpot, func(l ledger) error {
			if _, err := l.Meter(of.Jackpot); err != nil { // which writes its row
				return err
			}
			var one int
			known, err := l.w.row(`SELECT 1 FROM jackpot_round r JOIN journal j ON j.id = r.journal WHERE j.name = $1 AND
				r.number = $2 AND r.decision = $3 AND r.given = $4`,
				[]any{g.Journal, int64(g.Round), int64(g.Decision), g.Amount}, []any{&one})
			if err == nil && !known {
				err = errUndone
			}
			return err
		}})
		return nil
	})
}

// JackpotTables are what the tables that play for a jackpot are to be told: what is committed, and nothing else.
func (s *Store) JackpotTables(ctx context.Context) (list []jackpot.Word, err error) {
	defer about(&err, "read the jackpots")
	tx, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	at := map[int64]int{}
	err = eachRow(ctx, tx, `SELECT t.place, p.site, p.name, j.name, j.currency, j.amount, j.entry, o.name, o.head
		FROM jackpot_table t JOIN place p ON p.id = t.place JOIN jackpot j ON j.name = t.jackpot
		JOIN journal o ON o.id = p.journal ORDER BY p.site, p.name`, nil,
		func(scan scan) error {
			var place int64
			var w jackpot.Word
			err := scan(&place, &w.Site, &w.Table, &w.Jackpot, &w.Currency, &w.Amount, &w.Entry, &w.Journal, &w.Head)
			w.Amount = max(0, w.Amount)
			at[place] = len(list)
			list = append(list, w)
			return err
		})
	if err != nil {
		return nil, err
	}
	return list, eachRow(ctx, tx, `SELECT r.place, j.name, r.number, r.given, r.decision FROM jackpot_round r
		JOIN journal j ON j.id = r.journal WHERE r.ended = 0 AND r.decision > 0
		ORDER BY r.journal, r.first`, nil, func(scan scan) error {
		var place int64
		var g jackpot.Given
		err := scan(&place, &g.Journal, &g.Round, &g.Amount, &g.Decision)
		if n, known := at[place]; known {
			list[n].Given = &g
		}
		return err
	})
}

// Jackpots are the meters, as they are committed.
func (s *Store) Jackpots(ctx context.Context) (list []jackpot.Meter, err error) {
	defer about(&err, "read the jackpots")
	return rowsAs(ctx, s.read, func(scan scan) (m jackpot.Meter, err error) {
		err = scan(&m.Name, &m.Currency, &m.Seed, &m.Amount, &m.Entry)
		return m, err
	}, `SELECT name, currency, seed, amount, entry FROM jackpot ORDER BY name`)
}

// JackpotSums are what the entries of a jackpot come to, by their kinds.
func (s *Store) JackpotSums(ctx context.Context, name string) (sums map[jackpot.Kind]int64, err error) {
	defer about(&err, "add up the jackpot %s", name)
	sums = map[jackpot.Kind]int64{}
	return sums, eachRow(ctx, s.read, `SELECT kind, CAST(sum(amount) AS BIGINT)
		FROM (SELECT kind, amount FROM jackpot_entry WHERE jackpot = $1
		UNION ALL SELECT kind, amount FROM jackpot_sum WHERE jackpot = $2) AS one GROUP BY kind`,
		[]any{name, name}, func(scan scan) error {
			var kind string
			var sum int64
			err := scan(&kind, &sum)
			sums[jackpot.Kind(kind)] = sum
			return err
		})
}

// pruneMeters removes what rounds up to a record have put in, and what is known of those that have won nothing. Their
// sum stays, and whatever belongs to a win.
func (w *writer) pruneMeters(k *keeper, j *kept, last uint64) error {
	const old = ` FROM jackpot_entry WHERE place = $1 AND journal = $2 AND first <= $3 AND record <= $3 AND kind = 'fed'`
	for _, does := range [...]string{
		`INSERT INTO jackpot_sum (jackpot, kind, amount) SELECT jackpot, kind, CAST(sum(amount) AS BIGINT)` + old +
			` GROUP BY jackpot, kind ON CONFLICT (jackpot, kind) DO UPDATE SET amount = jackpot_sum.amount + excluded.amount`,
		`DELETE` + old,
		`DELETE FROM jackpot_round WHERE place = $1 AND journal = $2 AND first <= $3 AND last <= $3 AND ended = 1 AND
			hit = 0 AND decision = 0 AND won = 0`,
	} {
		if err := w.exec(does, k.place, j.id, last); err != nil {
			return err
		}
	}
	return nil
}

// JackpotEntry is an entry, with the names of table and journal.
type JackpotEntry struct {
	jackpot.Entry
	Table   topic.Table
	Journal string
}

// JackpotEntries yields a jackpot's entries, the newest first, at most so many, 0 for all; those of its wins alone, or
// all.
func (s *Store) JackpotEntries(ctx context.Context, name string, most int, wins bool,
	each func(JackpotEntry) error,
) (err error) {
	defer about(&err, "read the entries of the jackpot %s", name)
	where := ` WHERE e.jackpot = $1`
	if wins {
		where += ` AND e.kind <> 'fed'`
	}
	where += ` ORDER BY e.number DESC`
	if most > 0 {
		where += fmt.Sprintf(` LIMIT %d`, most)
	}
	return eachRow(ctx, s.read,
		`SELECT e.jackpot, e.number, e.kind, e.amount, e.leaves, e.at, j.name, e.round, e.record, e.decision, p.site,
		p.name FROM jackpot_entry e JOIN place p ON p.id = e.place JOIN journal j ON j.id = e.journal`+where,
		[]any{name}, func(scan scan) (err error) {
			var e JackpotEntry
			var at int64
			if e.Table, err = readTable(scan, &e.Jackpot, &e.Number, &e.Kind, &e.Amount, &e.After, &at, &e.Journal,
				&e.Round, &e.Record, &e.Decision); err != nil {
				return err
			}
			e.At = s.day.local(at)
			return each(e)
		})
}

var _ jackpot.Ledger = ledger{}
