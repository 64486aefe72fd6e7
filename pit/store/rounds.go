package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
)

// RoundQuery says which rounds are found. Empty fields leave nothing out.
type RoundQuery struct {
	Tables []topic.Table
	// Number is a round's number at its table.
	Number uint64
	// From and To are times at which rounds were opened, To not included.
	From, To time.Time
	Dealers  []string
	Houses   []string
	// Wager is a kind of wager that was decided in the round, and Code an irregularity that was
	// raised in it.
	Wager, Code string
	// LeastStaked and LeastReturned are in minor units: on one of the Boxes, where any are named. They are those of
	// AmountsIn, "" for a currency of hundredths, and in a round of another as much of its own currency.
	LeastStaked, LeastReturned int64
	AmountsIn                  string
	// Boxes are those of which one was played, with tally.Bank for the bank, and Cards those of which one lay on such a
	// box, or anywhere where no box is named. Those that an earlier version has kept are not found.
	Boxes []uint8
	Cards []card.Card
	// Irregular finds only rounds with an irregularity.
	Irregular bool
	// Wrongs has the Irregularities of each round read, too: those that were raised in it, or after it.
	Wrongs bool
	// Limit is how many are returned, 100 by default, and Skip how many are skipped.
	Limit, Skip int
}

// Round is a round that is kept. Its Irregularities are read where the query has Wrongs.
type Round struct {
	Table   topic.Table
	Journal string
	Day     Date
	// Of its Wagers the BoxSquares are not kept, nor its Places and Dealt: they are in the sums.
	tally.Round
	Staked, Returned int64
	// Due is what Returned would be if everything had been paid as it was due.
	Due int64
	// Irregular is how many irregularities it had.
	Irregular int
	// journal is that of Journal.
	journal int64
}

// wager adds that a kind of wager was decided in a round. The indexes have a bit for each kind.
func (s *Store) wager(ctx context.Context, f *filter, name string) error {
	if name == "" {
		return nil
	}
	var kind int64
	err := oneRow(ctx, s.fixed, `SELECT id FROM wager_kind WHERE name = $1`,
		[]any{name}, &kind)
	switch bit := bitOf(kind); {
	case errors.Is(err, sql.ErrNoRows):
		f.add("1 = 0") // nobody ever made one
		return nil
	case err != nil:
		return fmt.Errorf("find the kind of wager %q: %w", name, err)
	case bit != 0:
		f.add("(r.kinds & ?) <> 0", bit)
	default:
		f.add("' ' || r.wagers LIKE ?", "% "+name+":%")
	}
	return nil
}

func (q *RoundQuery) filter(is known) *filter {
	f := &filter{}
	place := "r.place"
	if q.Number != 0 {
		place = "+r.place" // found by the index of the numbers
	}
	f.tables(place, q.Tables, is.places)
	f.sheets("r.sheet", q.Houses, nil, is.sheets)
	among(f, "r.dealer", q.Dealers)
	f.addIf(q.Number != 0, "r.number = ?", q.Number)
	f.addIf(!q.From.IsZero(), "r.opened >= ?", q.From.UnixNano())
	f.addIf(!q.To.IsZero(), "r.opened < ?", q.To.UnixNano())
	f.addIf(q.Code != "", "(r.journal, r.number) IN (SELECT i.journal, i.round FROM irregularity i WHERE i.code = ?)",
		q.Code)
	q.least(f, "r.staked", q.LeastStaked, is.sheets)
	q.least(f, "r.returned", q.LeastReturned, is.sheets)
	q.mayLie(f)
	if q.Irregular {
		f.add("r.irregular > 0")
	}
	return f
}

// least adds that a column has an amount of a round's own currency.
func (q *RoundQuery) least(f *filter, column string, amount int64, sheets map[int64]sheet) {
	if amount == 0 || len(sheets) == 0 { // then there are no rounds
		return
	}
	by := map[int][]any{}
	for _, id := range slices.Sorted(maps.Keys(sheets)) {
		digits := money.Digits(sheets[id].currency)
		by[digits] = append(by[digits], id)
	}
	var either []string
	var args []any
	for _, digits := range slices.Sorted(maps.Keys(by)) {
		either, args = append(either, column+" >= ?"), append(args, q.inDigits(amount, digits))
		if len(by) > 1 { // most floors have one kind, for which the index of the amounts is enough
			either[len(either)-1] += " AND r.sheet IN (?" + strings.Repeat(", ?", len(by[digits])-1) + ")"
			args = append(args, by[digits]...)
		}
	}
	f.add("("+strings.Join(either, " OR ")+")", args...)
}

// inDigits is an amount that is looked for as that of a currency with so many decimals.
func (q *RoundQuery) inDigits(amount int64, digits int) int64 {
	return money.Scaled(min(amount, 1000*money.Max), money.Digits(q.AmountsIn), digits, money.Up)
}

// fewTimes is how often an irregularity may have been raised for all of its rounds to be read and put in order. Of one
// that is more frequent the first hundred are soon found among the latest rounds.
const fewTimes = 5000

// rare says whether an irregularity was raised few times.
func (s *Store) rare(ctx context.Context, code string) (bool, error) {
	if code == "" {
		return false, nil
	}
	var n int
	err := s.read.QueryRowContext(ctx,
		fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM irregularity WHERE code = $1 LIMIT %d) i`, fewTimes+1),
		code).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("count how often %q was raised: %w", code, err)
	}
	return n <= fewTimes, nil
}

// Rounds finds rounds that have ended, the latest first.
func (s *Store) Rounds(ctx context.Context, q RoundQuery) (list []Round, err error) {
	list, err = s.findRounds(ctx, q)
	if err == nil && q.Wrongs {
		err = s.readWrongs(ctx, list)
	}
	return list, err
}

func (s *Store) findRounds(ctx context.Context, q RoundQuery) (list []Round, err error) {
	p, err := s.plan(ctx, &q)
	if err != nil {
		return nil, err
	}
	p.order = "r.opened DESC, r.journal DESC, r.first DESC"
	switch rare, err := s.rare(ctx, q.Code); {
	case err != nil:
		return nil, err
	case rare:
		p.order = "+" + p.order // found by the index of the codes: PostgreSQL would go over all rounds instead
	}
	if q.AsksLays() {
		return s.findLaid(ctx, &q, p)
	}
	return s.readRounds(ctx, p, p.limit, q.Skip)
}

// roundPlan is how rounds are found.
type roundPlan struct {
	known
	f     *filter
	order string
	limit int
}

// plan says which rounds are found, in no order yet.
func (s *Store) plan(ctx context.Context, q *RoundQuery) (*roundPlan, error) {
	is, err := s.known(ctx)
	if err != nil {
		return nil, err
	}
	p := &roundPlan{known: is, f: q.filter(is), limit: limitOf(q.Limit)}
	return p, s.wager(ctx, p.f, q.Wager)
}

// limitOf is how many rows are returned at most where so many are asked for.
func limitOf(asked int) int {
	if asked <= 0 {
		return 100
	}
	return asked
}

// readRounds reads rounds of a plan. They are found by an index alone, as far as one has what is asked for, and read
// then.
func (s *Store) readRounds(ctx context.Context, p *roundPlan, limit, skip int) (list []Round, err error) {
	query := fmt.Sprintf(`SELECT r.place, r.journal, (SELECT name FROM journal WHERE id = r.journal), r.sheet, r.number, r.first, r.last, r.opened, r.ended, r.dealer, r.shift,
		r.boxes, r.hands, r.bettors, r.cards, r.void, r.decisions, r.deciding, r.irregular, r.staked, r.returned, r.due, r.wagers, r.lays
		FROM (SELECT r.journal, r.first FROM round r%s ORDER BY %s LIMIT %d OFFSET %d) f
		CROSS JOIN round r WHERE r.journal = f.journal AND r.first = f.first ORDER BY %s`, p.f.where(), p.order, limit, max(0, skip), p.order)
	defer about(&err, "find rounds")
	return rowsAs(ctx, s.read, func(scan scan) (r Round, err error) {
		var place, sheet, opened, ended, void int64
		var wagers, lays string
		err = scan(&place, &r.journal, &r.Journal, &sheet, &r.Number, &r.First, &r.Last, &opened, &ended, &r.Dealer,
			&r.Shift, &r.Boxes, &r.Hands, &r.Bettors, &r.Cards, &void, &r.Decisions, &r.Deciding, &r.Irregular,
			&r.Staked, &r.Returned, &r.Due, &wagers, &lays)
		if err != nil {
			return r, err
		}
		of := p.sheets[sheet]
		r.House, r.Game, r.Currency, r.Rules = of.house, of.game, of.currency, of.rules
		r.Table, r.Void, r.Day = p.places[place], void != 0, s.day.Of(time.Unix(0, opened))
		r.Opened, r.Ended = s.day.local(opened), s.day.local(ended)
		if r.Wagers, err = parseWagers(wagers); err == nil {
			r.Lays, err = parseLays(lays)
		}
		for i := range r.Wagers {
			if w := &r.Wagers[i]; r.Void {
				w.Kept = w.Staked - w.Returned
			}
		}
		return r, err
	}, query, p.f.args...)
}

// CountRounds counts the rounds that Rounds would find, without its Limit and Skip.
func (s *Store) CountRounds(ctx context.Context, q RoundQuery) (n int64, err error) {
	p, err := s.plan(ctx, &q)
	if err != nil {
		return 0, err
	}
	if q.AsksLays() {
		return 0, errors.New("rounds are not counted by box or card: they are read until there are enough")
	}
	defer about(&err, "count rounds")
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM round r`+p.f.where(), p.f.args...).Scan(&n)
	return n, err
}

// readWrongs finds what went wrong in rounds, in its order.
func (s *Store) readWrongs(ctx context.Context, rounds []Round) error {
	type journalOf struct {
		table   topic.Table
		journal string
	}
	of := map[journalOf]map[uint64][]*Round{}
	for i := range rounds {
		r := &rounds[i]
		in := journalOf{r.Table, r.Journal}
		if of[in] == nil {
			of[in] = map[uint64][]*Round{}
		}
		of[in][r.Number] = append(of[in][r.Number], r)
	}
	for in, byNumber := range of {
		found, err := s.Irregularities(ctx, IrregularityQuery{
			Tables: []topic.Table{in.table}, Journal: in.journal, Rounds: slices.Collect(maps.Keys(byNumber)),
			Limit: math.MaxInt32,
		})
		if err != nil {
			return err
		}
		for _, one := range slices.Backward(found) { // they come latest first
			for _, r := range byNumber[one.Irregularity.Round] {
				r.Irregularities = append(r.Irregularities, one.Irregularity)
			}
		}
	}
	return nil
}

// IrregularityQuery says which irregularities are found. Empty fields leave nothing out.
type IrregularityQuery struct {
	Tables  []topic.Table
	Journal string
	Rounds  []uint64
	// Limit is how many are returned, 100 by default.
	Limit int
}

// Irregularity is one that is kept.
type Irregularity struct {
	Table   topic.Table
	Journal string
	Day     Date
	tally.Irregularity
}

// Irregularities finds irregularities, latest first.
func (s *Store) Irregularities(ctx context.Context, q IrregularityQuery) (list []Irregularity, err error) {
	places, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	f := &filter{}
	f.tables("i.place", q.Tables, places)
	among(f, "i.round", q.Rounds)
	f.addIf(q.Journal != "", "i.journal IN (SELECT id FROM journal WHERE name = ?)", q.Journal)
	query := `SELECT i.place, j.name, i.day, i.record, i.nth, i.round, i.code, i.alarm, i.box, i.raised, i.dealer, i.righted, i.choice, i.person, i.reason
		FROM irregularity i JOIN journal j ON j.id = i.journal` + f.where() +
		fmt.Sprintf(" ORDER BY i.raised DESC, i.journal, i.record DESC, i.nth DESC LIMIT %d", limitOf(q.Limit))
	defer about(&err, "find irregularities")
	return rowsAs(ctx, s.read, func(scan scan) (i Irregularity, err error) {
		var place, raised, righted int64
		var code, choice string
		err = scan(&place, &i.Journal, &i.Day, &i.Record, &i.Nth, &i.Irregularity.Round, &code, &i.Alarm, &i.Box,
			&raised, &i.Dealer, &righted, &choice, &i.By, &i.Because)
		i.Table, i.Raised = places[place], s.day.local(raised)
		if righted != 0 {
			i.Righted = s.day.local(righted)
		}
		i.Code, _ = irregularity.ParseCode(code) // one of a newer version is none
		i.With.UnmarshalText([]byte(choice))     //nolint:errcheck // as above
		return i, err
	}, query, f.args...)
}
