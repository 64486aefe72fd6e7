package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// A month of 50 tables is 1.7 million rounds, which the engine deals and the journal records in
// an hour or two. So the engine deals 20,000 rounds, over all houses and with mistakes, and they
// are told again, each at another table, at another time, by another dealer and under another
// number. Figures, rounds and irregularities are as many and as varied as in a month; the
// stretches have the sizes that they have, and each is of its own table's journal.
const (
	monthTables = 50
	monthDays   = 30
	monthRounds = 1_700_000
	monthDealt  = 20_000
)

// dealtRound is a round that the engine has dealt, with its frames as they are kept.
type dealtRound struct {
	tally.Round
	packed []byte
}

// dealtRounds deals.
func dealtRounds(tb testing.TB, number int) (list []dealtRound) {
	tb.Helper()
	houses := profile.Built().Names()
	for i, house := range houses {
		folder := filepath.Join(fastDir(tb), "journal")
		n := journaltest.NewNight(tb, folder, house, uint64(i)+99)
		n.Apart, n.Flushed = time.Second, 4096
		for range number/len(houses)/20 + 1 {
			n.Mistakes = 0
			n.Rounds(19)
			n.Mistakes = 1
			n.Rounds(1)
		}
		list = append(list, tallied(tb, folder)...)
	}
	return list
}

func tallied(tb testing.TB, folder string) (list []dealtRound) {
	tb.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	c := counter{fold: &tally.Fold{}, houses: houses{text: func(string) ([]byte, error) { return nil, nil }}}
	var open [][]byte
	for stretch, err := range stretches(r, 0) {
		if err != nil {
			tb.Fatal(err)
		}
		for _, frame := range stretch.Frames {
			rec, err := journal.ParseRecord(frame)
			if err != nil {
				tb.Fatal(err)
			}
			open = append(open, frame)
			step, err := c.count(&rec)
			if err != nil {
				tb.Fatal(err)
			}
			if step.Ended != nil {
				list = append(list, dealtRound{*step.Ended, pack(open)})
				open = nil
			}
		}
	}
	return list
}

func fastDir(tb testing.TB) string {
	tb.Helper()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		dir, err := os.MkdirTemp("/dev/shm", "sabot-month-")
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return tb.TempDir()
}

// monthBegins is the first night.
var monthBegins = time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)

// fillMonth fills a store with rounds that are told again.
func fillMonth(tb testing.TB, s *Store, dealt []dealtRound, rounds int) {
	tb.Helper()
	byHouse := map[string][]dealtRound{}
	for _, one := range dealt {
		byHouse[one.House] = append(byHouse[one.House], one)
	}
	houses := slices.Sorted(maps.Keys(byHouse))
	perNight := rounds / monthTables / monthDays
	apart := 14 * time.Hour / time.Duration(perNight)
	for t := range monthTables {
		table, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", t+1))
		if err != nil {
			tb.Fatal(err)
		}
		dealt := byHouse[houses[t%len(houses)]]
		dice, number, record := rand.New(rand.NewPCG(uint64(t), 3)), uint64(0), uint64(0)
		for day := range monthDays {
			opened := monthBegins.AddDate(0, 0, day)
			err := s.do(context.Background(), func(w *writer) error {
				k, err := w.keeper(table)
				if err != nil {
					return err
				}
				j, err := w.journal(k, fmt.Sprintf("%032x", t+1))
				if err == nil && j == nil {
					j, err = w.begin(k, &Batch{Table: table, Journal: fmt.Sprintf("%032x", t+1)})
				}
				if err != nil {
					return err
				}
				if err := w.becomesCurrent(k, j, &Batch{}, nil); err != nil {
					return err
				}
				for i := range perNight {
					one := dealt[dice.IntN(len(dealt))]
					number++
					at := opened.Add(time.Duration(i)*apart + time.Duration(dice.IntN(int(10*time.Second))))
					size := one.Last - one.First + 1
					if err := w.tell(k, j, &one, at, fmt.Sprintf("d%02d", (t*7+int(at.Unix()/3600)*3)%60), number,
						record+1); err != nil {
						return err
					}
					record += size
				}
				j.head, j.hash, j.closed = record, make([]byte, 32), record
				state, err := json.Marshal(tally.Kept{Round: number})
				j.state, j.stateAt = string(state), record
				w.touched[j] = true
				return err
			})
			if err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// tell tells a round again.
func (w *writer) tell(k *keeper, j *kept, one *dealtRound, at time.Time, dealer string, number, first uint64) error {
	r := one.Round
	later, up := at.Sub(r.Opened), first-r.First
	r.Number, r.First, r.Last, r.Opened, r.Ended, r.Dealer = number, first, r.Last+up, at, r.Ended.Add(later), dealer
	for _, was := range r.Irregularities {
		was.Record, was.Round, was.Raised, was.Dealer = first+was.Record%(r.Last-first+1), number, at, dealer
		was.Nth = len(w.irregular)
		if !was.Righted.IsZero() {
			was.Righted = was.Righted.Add(later)
		}
		key := sumKey{
			k.place, w.store.day.Of(at), w.store.day.Hour(at).Unix(), dealer,
			sheet{r.House, r.Game, r.Currency, r.Rules},
		}
		w.irregular = append(w.irregular, irregularRow{key, j.id, was})
		w.changes.of(key).Irregularity(&was)
	}
	w.round(w.store.day, k.place, j.id, &r)
	return w.exec(`INSERT INTO stretch (journal, first, last, frames) VALUES ($1, $2, $3, $4)`, j.id, first, r.Last,
		one.packed)
}

// questions are what pages ask of a month.
var questions = []struct {
	name string
	ask  func(ctx context.Context, s *Store) (int, error)
}{
	{"floor, today by table", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{First: 20260330, Last: 20260330, By: []Group{ByTable}})
		return len(list), err
	}},
	{"where 50 journals are", func(ctx context.Context, s *Store) (n int, err error) {
		tables, err := s.Tables(ctx)
		for _, table := range tables {
			if _, _, _, err := s.Position(ctx, table); err != nil {
				return n, err
			}
			n++
		}
		return n, err
	}},
	{"table, last 100 rounds", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Tables: []topic.Table{monthTable(7)}})
		return len(list), err
	}},
	{"table, a round by its number", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Tables: []topic.Table{monthTable(7)}, Number: 20_000})
		return len(list), err
	}},
	{"table, month by hour", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{Tables: []topic.Table{monthTable(7)}, By: []Group{ByHour}})
		return len(list), err
	}},
	{"figures, month by day", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{By: []Group{ByDay}})
		return len(list), err
	}},
	{"figures, month by dealer", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{By: []Group{ByDealer}})
		return len(list), err
	}},
	{"figures, month by table and day", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{By: []Group{ByTable, ByDay}})
		return len(list), err
	}},
	{"figures, month by rules and wager", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{By: []Group{ByRules, ByWager}})
		return len(list), err
	}},
	{"figures, month by code and dealer", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Sums(ctx, Query{By: []Group{ByCode, ByDealer}})
		return len(list), err
	}},
	{"floor, last 100 rounds of all", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{})
		return len(list), err
	}},
	{"a dealer's last 100 rounds", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Dealers: []string{"d07"}})
		return len(list), err
	}},
	{"month, rounds of at least 2,000", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{LeastStaked: 200_000})
		return len(list), err
	}},
	{"month, stakes that nobody made", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{LeastStaked: 900_000_000})
		return len(list), err
	}},
	{"month, rounds with an irregularity", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Irregular: true})
		return len(list), err
	}},
	{"month, rounds held by hand", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Code: "held-by-hand"})
		return len(list), err
	}},
	{"table and dealer, rounds of a night of at least 2,000", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{
			Tables: []topic.Table{monthTable(7)}, Dealers: []string{"d49"},
			From: s.day.Start(20260301), To: s.day.Start(20260331), LeastStaked: 200_000,
		})
		return len(list), err
	}},
	{"month, rounds with lost cards", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Code: "lost-cards"})
		return len(list), err
	}},
	{"month, rounds with a rare wager", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Wager: "crazy-twins"})
		return len(list), err
	}},
	{"month, how many rounds with a wager", func(ctx context.Context, s *Store) (int, error) {
		n, err := s.CountRounds(ctx, RoundQuery{
			From: s.day.Start(20260301), To: s.day.Start(20260331), Wager: "insurance",
		})
		return int(n), err
	}},
	{"month, rounds with a wager that nobody made", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Wager: "nobodys"})
		return len(list), err
	}},
	{"month, how many rounds with an irregularity", func(ctx context.Context, s *Store) (int, error) {
		n, err := s.CountRounds(ctx, RoundQuery{
			From: s.day.Start(20260301), To: s.day.Start(20260331), Irregular: true,
		})
		return int(n), err
	}},
	{"month, how many rounds with lost cards", func(ctx context.Context, s *Store) (int, error) {
		n, err := s.CountRounds(ctx, RoundQuery{Code: "lost-cards"})
		return int(n), err
	}},
	{"table, rounds with lost cards", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Tables: []topic.Table{monthTable(7)}, Code: "lost-cards"})
		return len(list), err
	}},
	{"month, rounds of a house", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Houses: []string{"lugano"}})
		return len(list), err
	}},
	{"month, a card on a box", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Boxes: []uint8{4}, Cards: []card.Card{card.Of(card.Ace, card.Spades)}})
		return len(list), err
	}},
	{"table, a card on a box", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{
			Tables: []topic.Table{monthTable(7)}, Boxes: []uint8{4},
			Cards: []card.Card{card.Of(card.Ace, card.Spades)},
		})
		return len(list), err
	}},
	{"month, at least 500 to the guests of a box", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Boxes: []uint8{4}, LeastReturned: 50_000})
		return len(list), err
	}},
	{"month, on a box more than anybody got there", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Boxes: []uint8{4}, LeastReturned: 900_000_000})
		return len(list), err
	}},
	{"month, a card on a box that never got it", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{
			Boxes: []uint8{4}, LeastStaked: 1,
			Cards: []card.Card{card.Joker, card.Of(card.Ace, card.Spades)}, LeastReturned: 100_000_000,
		})
		return len(list), err
	}},
	{"month, a box that no table has", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Boxes: []uint8{60}})
		return len(list), err
	}},
	{"a round, card by card", func(ctx context.Context, s *Store) (int, error) {
		list, err := s.Rounds(ctx, RoundQuery{Tables: []topic.Table{monthTable(7)}, Number: 20_000})
		if err != nil || len(list) != 1 {
			return 0, err
		}
		kept, err := s.Records(ctx, list[0].Table, list[0].Journal)
		if err != nil {
			return 0, err
		}
		var records []history.Record
		for rec, err := range kept.Records(list[0].First) {
			if err != nil || len(records) > int(list[0].Last-list[0].First) {
				return len(records), err
			}
			records = append(records, history.Record{Seq: rec.Seq, At: rec.At, Input: rec.Input, Outputs: rec.Outputs})
		}
		return len(history.Of(list[0].Number, records).Steps), nil
	}},
}

func monthTable(n int) topic.Table {
	table, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", n))
	if err != nil {
		panic(err) // the name is a constant
	}
	return table
}

// lessRounds is how many times fewer rounds a store has with which a month is compared.
const lessRounds = 30

func openMonth(b *testing.B, source string) *Store {
	b.Helper()
	s, err := Open(b.Context(), Options{
		Source: source, Day: Day{Begins: 6 * time.Hour},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// BenchmarkMonth asks what pages ask, of a month of 50 tables, and reports how many times longer
// that takes than with a thirtieth of the rounds ("x-less"), which says more than a time on a
// machine that others use, too, and how many times as long as adding up one column of all
// rounds ("x-scan"). It fills the store first, which
// takes some minutes; with SABOT_MONTH, a folder, the SQLite file stays there for the next time,
// and PostgreSQL gets a copy of it.
//
//	go test ./pit/store -run '^$' -bench Month -benchtime 20x -timeout 60m
func BenchmarkMonth(b *testing.B) {
	for _, kind := range []struct { // SQLite first: PostgreSQL gets its month
		name   string
		source func() (month, less string)
	}{
		{"sqlite", func() (month, less string) {
			return filepath.Join(cmp.Or(os.Getenv("SABOT_MONTH"), b.TempDir()), "pit.db"),
				filepath.Join(b.TempDir(), "less.db")
		}},
		{"postgres", func() (month, less string) {
			server := journaltest.NewPostgres(b)
			return server.Source(), server.Source()
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			month, less := kind.source()
			s, small := openMonth(b, month), openMonth(b, less)
			fillMonth(b, small, dealtRounds(b, monthDealt/lessRounds), monthRounds/lessRounds)
			began := time.Now()
			switch {
			case roundsOf(b, s) > 0:
			case s.postgres && os.Getenv("SABOT_MONTH") != "":
				copyMonth(b, filepath.Join(os.Getenv("SABOT_MONTH"), "pit.db"), s)
			default:
				fillMonth(b, s, dealtRounds(b, monthDealt), monthRounds)
			}
			rounds := roundsOf(b, s)
			if rounds < monthRounds*99/100 { // a night's share is rounded down
				b.Fatalf("the month has %d rounds, want %d: if SABOT_MONTH holds a part of one, remove it", rounds,
					monthRounds)
			}
			if s.postgres { // as it does by itself, a minute later; SQLite does not
				for _, s := range []*Store{s, small} {
					if _, err := s.write.Exec(`VACUUM ANALYZE`); err != nil {
						b.Fatal(err)
					}
				}
			}
			var size int64
			if err := s.read.QueryRow(sizeOf[kind.name]).Scan(&size); err != nil {
				b.Fatal(err)
			}
			b.Logf("%s: %d rounds in %s, %d MB, %d bytes each", kind.name, rounds, time.Since(began).Round(time.Second),
				size>>20, size/rounds)
			for _, q := range questions {
				b.Run(q.name, func(b *testing.B) {
					asked := func(s *Store, times int) time.Duration {
						began := time.Now()
						for range times {
							if _, err := q.ask(b.Context(), s); err != nil {
								b.Fatal(err)
							}
						}
						return time.Since(began) / time.Duration(times)
					}
					of, scan := asked(small, 10), scanned(b, s)
					for b.Loop() {
						asked(s, 1)
					}
					each := float64(b.Elapsed() / time.Duration(b.N))
					b.ReportMetric(each/float64(of), "x-less")
					b.ReportMetric(each/float64(scan), "x-scan")
				})
			}
		})
	}
}

// scanned is how long it takes to add up one column of all rounds.
func scanned(b *testing.B, s *Store) time.Duration {
	b.Helper()
	began := time.Now()
	var sum int64
	if err := s.read.QueryRow(`SELECT sum(number) FROM round`).Scan(&sum); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// BenchmarkNightBeside asks what pages ask, all of it, of a night of 50 tables in a SQLite file, and takes turns with
// adding up one column of its rounds.
//
//	go test ./pit/store -run '^$' -bench NightBeside -benchtime 10x
func BenchmarkNightBeside(b *testing.B) {
	s := openMonth(b, filepath.Join(b.TempDir(), "pit.db"))
	fillMonth(b, s, dealtRounds(b, monthDealt/lessRounds), monthRounds/lessRounds)
	figure.Beside(b, func() {
		for _, q := range questions {
			if _, err := q.ask(b.Context(), s); err != nil {
				b.Fatal(err)
			}
		}
	}, func() { scanned(b, s) })
}

func roundsOf(b *testing.B, s *Store) (n int64) {
	b.Helper()
	if err := s.read.QueryRow(`SELECT count(*) FROM round`).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// copyMonth copies the tables of a SQLite file to PostgreSQL.
func copyMonth(b *testing.B, file string, to *Store) {
	b.Helper()
	from, err := Open(b.Context(), Options{Source: file, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	conn, err := to.write.Conn(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	for _, table := range []string{
		"place", "journal", "stretch", "boot", "gap", "rules", "sheet", "wager_kind",
		"round", "irregularity", "round_sum", "wager_sum", "irregularity_sum",
	} {
		rows, err := from.read.QueryContext(b.Context(), `SELECT * FROM `+table)
		if err != nil {
			b.Fatal(err)
		}
		columns, err := rows.Columns()
		if err == nil {
			err = conn.Raw(func(driver any) error {
				_, err := driver.(*stdlib.Conn).Conn().CopyFrom(b.Context(), pgx.Identifier{table}, columns,
					copied{rows, len(columns)})
				return err
			})
		}
		if err := errors.Join(err, rows.Close()); err != nil {
			b.Fatal(table, err)
		}
	}
}

// copied are rows that are copied.
type copied struct {
	*sql.Rows
	columns int
}

func (c copied) Values() ([]any, error) {
	row, into := make([]any, c.columns), make([]any, c.columns)
	for i := range row {
		into[i] = &row[i]
	}
	return row, c.Scan(into...)
}

var sizeOf = map[string]string{
	"sqlite":   `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`,
	"postgres": `SELECT pg_database_size(current_database())`,
}

// TestMonth: a small month answers all of the questions.
func TestMonth(t *testing.T) {
	s, err := Open(t.Context(), Options{
		Source: filepath.Join(fastDir(t), "pit.db"),
		Log:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fillMonth(t, s, dealtRounds(t, 600/Lighter), max(6000/Lighter, monthTables*monthDays))
	for _, q := range questions {
		n, err := q.ask(t.Context(), s)
		if err != nil {
			t.Errorf("%s: %v", q.name, err)
		}
		t.Logf("%s: %d", q.name, n)
	}
}
