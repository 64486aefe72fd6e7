package table_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// drawn lets rapid throw a player's dice, so that a failing game is made small.
type drawn struct{ *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "") }

// houses are all that are built in, and those for tests.
var houses, linked = func() (alone, linked []string) {
	book := tabletest.Book()
	for _, name := range book.Names() {
		if book[name].Rules.Linked() {
			linked = append(linked, name)
		} else {
			alone = append(alone, name)
		}
	}
	return alone, linked
}()

// houseOf sets up a table of the n-th house, and begins anew after the last.
func houseOf(n int) vocab.Input {
	return *tabletest.SetUp(rules.Setup{House: houses[n%len(houses)]})
}

// TestWhateverIsPutIn plays with mistakes, irregularities, corrections and
// restarts; a session says what must hold all the while.
func TestWhateverIsPutIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSession()
		dice := drawn{t}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true, Unshuffled: true}
		mistakes := dice.IntN(12)
		must(t, s, s.step(houseOf(dice.IntN(len(houses)))))
		for range rapid.IntRange(1, 150).Draw(t, "inputs") {
			must(t, s, play(s, player, mistakes))
		}
		must(t, s, s.replays())
	})
}

// TestCardsBetweenRoundsHaveNoNumber: a card came while the payment was held, and lies open; then another comes,
// between rounds. Placed, and resumed, the table knows the same.
func TestCardsBetweenRoundsHaveNoNumber(t *testing.T) {
	s := newSession()
	must(t, s, s.step(houseOf(slices.Index(houses, "wiesbaden"))))
	for n, line := range []string{
		`{"in":"open"}`, `{"in":"stake","box":1,"bettor":"anna","wager":"main","amount":1000}`, `{"in":"close"}`,
		`{"in":"card","card":"TS"}`, `{"in":"card","card":"8D"}`, `{"in":"card","card":"KS"}`,
		`{"in":"call","call":"rest"}`, `{"in":"card","card":"9D"}`,
		`{"in":"paid","amount":1}`, `{"in":"card","card":"8H"}`,
		`{"in":"resolve","with":"accept","role":"supervisor"}`,
		`{"in":"resolve","with":"next-card","role":"supervisor"}`,
		`{"in":"card","card":"QS"}`, `{"in":"resolve","with":"next-card","role":"supervisor"}`, `{"in":"open"}`,
	} {
		in, err := transcript.NewParser(tabletest.Book()).Parse([]byte(line), uint64(n+2))
		if err != nil {
			t.Fatal(err)
		}
		must(t, s, s.step(in))
		if s.tab.Rejected() != 0 {
			t.Fatalf("%s is rejected: %s", line, s.tab.Rejected())
		}
		must(t, s, s.place())
	}
	must(t, s, s.replays())
}

// TestPaymentsAroundACorrection: a correction after which a payment agrees tells which payments stand, and the last of
// them can be undone; one that it takes back is paid later.
func TestPaymentsAroundACorrection(t *testing.T) {
	round := []string{
		`{"in":"open"}`, `{"in":"stake","box":1,"bettor":"anna","wager":"main","amount":1000}`,
		`{"in":"stake","box":2,"bettor":"ben","wager":"main","amount":1000}`, `{"in":"close"}`,
		`{"in":"card","card":"TS"}`, `{"in":"card","card":"8D"}`, `{"in":"card","card":"KS"}`,
		`{"in":"card","card":"9S"}`, `{"in":"card","card":"9C"}`,
		`{"in":"call","call":"rest"}`, `{"in":"call","call":"rest"}`, `{"in":"card","card":"9D"}`,
	}
	first := `{"in":"paid","box":1,"bettor":"anna","wager":"main","hand":1}`
	for name, lines := range map[string][]string{
		"stands": {
			first, `{"in":"paid","amount":1000}`,
			`{"in":"correct","what":"rename","nth":2,"card":"AD","role":"supervisor"}`, `{"in":"undo"}`, first,
			`{"in":"paid"}`,
		},
		"taken back": {
			`{"in":"paid","box":2,"amount":1}`,
			`{"in":"correct","what":"take-back","nth":4,"role":"supervisor"}`,
			`{"in":"paid","box":2,"bettor":"ben","wager":"main","hand":1}`, `{"in":"paid"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession()
			must(t, s, s.step(houseOf(slices.Index(houses, "wiesbaden"))))
			for n, line := range slices.Concat(round, lines) {
				in, err := transcript.NewParser(tabletest.Book()).Parse([]byte(line), uint64(n+2))
				if err != nil {
					t.Fatal(err)
				}
				must(t, s, s.step(in))
				if s.tab.Rejected() != 0 {
					t.Fatalf("%s is rejected: %s", line, s.tab.Rejected())
				}
				must(t, s, s.place())
			}
			must(t, s, s.replays())
		})
	}
}

// TestLongNights plays the same, longer and with dice of our own: rapid prefers
// short games. make test plays every fifth night, and of the others as many as it takes until everything has come.
func TestLongNights(t *testing.T) {
	kinds := map[string]int{}
	const nights, every = 40, 5
	for nth := range tier.Times(6, nights) {
		longNight(t, linked[nth%len(linked)], nth, nth, kinds)
	}
	for _, others := range []bool{false, true} {
		for seed := range nights * len(houses) {
			nth := seed / len(houses)
			if others != (nth%every != every-1) || others && !tier.InSoak() && neverCame(kinds) == "" {
				continue
			}
			longNight(t, houses[seed%len(houses)], seed, nth, kinds)
		}
	}
	if kind := neverCame(kinds); kind != "" {
		t.Errorf("no night had %q: the player errs too little", kind)
	}
}

// longNight plays a night, and counts what came.
func longNight(t *testing.T, house string, seed, nth int, kinds map[string]int) {
	s := newSession()
	player := &tabletest.Player{
		Dice: rand.New(rand.NewPCG(uint64(seed), 2)), Boxes: 1 + seed%7, Freely: nth%4 > 0,
		Unshuffled: true,
	}
	must(t, s, s.step(*tabletest.SetUp(rules.Setup{House: house})))
	if nth%3 > 0 && s.tab.Rules().Linked() { // a jackpot is rare
		for _, name := range []string{"AS", "KS", "AH", "KH", "AD", "KD", "9C"} {
			one, err := card.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			player.Pack = append(player.Pack, one)
		}
	}
	for range 600 {
		must(t, s, play(s, player, 1+nth%12))
		if s.lines%64 == 13 && s.tab.Rules() != nil {
			must(t, s, holdAndCorrect(s, player))
		}
	}
	must(t, s, s.replays())
	for kind, n := range s.kinds {
		kinds[kind] += n
	}
}

// neverCame is something that long nights bring and these have not, "" for nothing.
func neverCame(kinds map[string]int) string {
	for _, kind := range []string{
		"undone", "resolved", "main void void-round", "insurance void void-round", "unstated void",
		"acknowledged", "dealer", "floor", "message", "table", "limits", "corrected", "stands", "difference",
		"corrected take-back", "corrected rename", "corrected move", "corrected stake", "corrected end-shoe",
		"corrected dead", "corrected came",
		"corrected missed", "corrected refill",
		"main void dead", "main lose dead", "insurance void dead",
	} {
		if kinds[kind] == 0 {
			return kind
		}
	}
	for code := range irregularity.EveryCode {
		never := code == irregularity.ShoeExhausted || code.Word() // the cards never end
		if !never && kinds[code.String()] == 0 {
			return code.String()
		}
	}
	for r := range vocab.EveryReason {
		if kinds[r.String()] == 0 {
			return r.String()
		}
	}
	return ""
}

// TestBeforeSetup: a table that is not set up takes nothing but a setup, and what makes
// its record doubtful.
func TestBeforeSetup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		player := &tabletest.Player{Dice: drawn{t}}
		var tab table.Table
		in := player.Anything(&tab)
		tab.Step(&in)
		if taken := tab.Rejected() == 0; taken != (in.Kind == vocab.InSetup || in.Kind == vocab.InStorage &&
			in.Storage.Holds()) {
			t.Fatalf("%+v: %q", in, tab.Rejected())
		}
		if tab.Due().To != vocab.ToNothing {
			t.Fatalf("%+v is due", tab.Due())
		}
	})
}

// play makes one move: mostly what is due, else anything, a restart, or a call
// that is taken back.
func play(s *session, p *tabletest.Player, mistakes int) error {
	if p.Dice.IntN(4) == 3 {
		s.restart()
	}
	if s.lines%23 == 3 {
		if err := s.place(); err != nil {
			return err
		}
	}
	if p.Dice.IntN(32) < mistakes {
		return s.dare(p.Anything(&s.tab))
	}
	next := p.Next(&s.tab)
	if next.Kind == vocab.InCall && p.Dice.IntN(4) == 3 {
		if taken, err := s.pressAndTakeBack(next); err != nil || !taken {
			return err
		}
	}
	return s.step(next)
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func must(t failer, s *session, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n\nafter\n%s", err, s.inputs)
	}
}

// packs make bonuses, splits and the highest lines of the paytables frequent. A
// house's own cards are nil.
var packs = [][]card.Card{
	nil, cards("7S 7H 7D 4S 9D TH 2C AH"), cards("AS AS KS KS AH KH JS 9C"),
	cards("9S 9H TS 8D 6C 5H 2D JOKER"), nil,
}

func cards(names string) []card.Card {
	var list []card.Card
	for name := range strings.FieldsSeq(names) {
		c, err := card.Parse(name)
		if err != nil {
			panic(err)
		}
		list = append(list, c)
	}
	return list
}

// often are ways in which a round can go that many rounds see.
var often = []string{
	"main win blackjack", "main win even-money", "main win higher-total", "main win bank-bust",
	"main lose bust", "main lose lower-total", "main lose bank-blackjack", "main stand-off tie",
	"main surrender surrender", "main bonus three-sevens", "main win bonus-blackjack",
	"progressive win jackpot", "progressive bonus envy", "crazy-twins win crazy-twins-joker",
	"insurance win bank-blackjack", "insurance lose no-bank-blackjack",
	"main win points", "main lose points", "main lose wrong-forecast", "main win five-card-trick",
	"main stand-off wrong-forecast-blackjack",
	"rest", "auto-rest", "bust", "blackjack", "double", "split-ace",
	"surrender", "wrong-forecast", "five-card-trick",
	"unstated win", "unstated lose", "unstated stand-off", "unstated surrender",
}

// unseen is a way of often that no round went, or a side bet that was not both won and lost; "" for none.
func unseen(kinds map[string]int) string {
	for _, kind := range often {
		if kinds[kind] == 0 {
			return kind
		}
	}
	for bet := range sidebet.EveryBet {
		if kinds[bet.String()+" lose no-match"] == 0 ||
			kinds[bet.String()+" win "+lastLine(bet)] == 0 {
			return bet.String()
		}
	}
	return ""
}

// lastLine is the lowest line of a side bet.
func lastLine(bet sidebet.Bet) string {
	lines := profile.KnownBets()[bet].Def.Lines()
	return lines[len(lines)-1].String()
}

// TestManyRounds plays rounds by the book in every house, with seeds that are the
// same every time, until it has seen every way in which a round can often go.
func TestManyRounds(t *testing.T) {
	const least, most = 11, 40
	kinds := map[string]int{}
	for seed := 0; seed < least*len(houses) || seed < most*len(houses) && unseen(kinds) != ""; seed++ {
		s := newSession()
		dice := rand.New(rand.NewPCG(uint64(seed), 1))
		setup := rules.Setup{House: houses[seed%len(houses)]}
		nth := seed / len(houses)
		if nth%2 == 1 {
			setup.Calls = "implied"
		}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + nth%7, Freely: nth%4 > 0, Pack: packs[nth%len(packs)]}
		must(t, s, s.step(*tabletest.SetUp(setup)))
		for s.rounds < 80 {
			must(t, s, s.step(player.Next(&s.tab)))
			if !s.accepted {
				t.Fatalf("the player's input was refused: %s\n\nafter\n%s", s.tab.Rejected(), s.inputs)
			}
		}
		must(t, s, s.replays())
		for kind, n := range s.kinds {
			kinds[kind] += n
		}
	}
	if kind := unseen(kinds); kind != "" {
		t.Errorf("no round had %q: the player plays too little", kind)
	}
}

// TestSplitsEnd: where a box may be split as often as one likes, hands still have
// numbers, whatever the shoe says it holds.
func TestSplitsEnd(t *testing.T) {
	s := newSession()
	must(t, s, s.step(*tabletest.SetUp(rules.Setup{House: "schaffhausen"})))
	stake := vocab.Input{Kind: vocab.InStake, Box: 1, Bettor: "a", Wager: vocab.WagerMain, Amount: 1000, Stated: true}
	for _, in := range []vocab.Input{{Kind: vocab.InOpen}, stake, {Kind: vocab.InClose}} {
		must(t, s, s.step(in))
	}
	ten := vocab.Input{Kind: vocab.InCard, Card: card.Of(10, card.Spades)}
	for due := s.tab.Due(); due.To != vocab.ToCall || due.Allowed.Has(vocab.CallSplit); due = s.tab.Due() {
		held, holding := s.tab.Held()
		switch {
		case holding:
			with := first(held.Choices.Without(irregularity.VoidRound))
			must(t, s, s.step(vocab.Input{Kind: vocab.InResolve, With: with}))
		case due.To == vocab.ToCall:
			must(t, s, s.step(vocab.Input{Kind: vocab.InCall, Call: vocab.CallSplit}))
		default:
			must(t, s, s.step(ten))
		}
	}
	if got := s.tab.Hands(1); got != 255 {
		t.Errorf("the box has %d hands, want 255", got)
	}
	must(t, s, s.replays())
}

// first is the choice that is proposed.
func first(choices irregularity.Choices) irregularity.Choice {
	for c := range choices.All {
		return c
	}
	return 0
}

// TestInputsThatNoLineCanSay: the engine refuses them too, and does not panic.
func TestInputsThatNoLineCanSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSession()
		dice := drawn{t}
		player := &tabletest.Player{Dice: dice, Boxes: 2, Freely: true}
		must(t, s, s.step(houseOf(dice.IntN(len(houses)))))
		for range dice.IntN(40) {
			must(t, s, s.step(player.Next(&s.tab)))
		}
		s.tab.Step(&vocab.Input{
			Kind:  rapid.SampledFrom(kindsWithoutSetup).Draw(t, "kind"),
			Card:  card.Card(dice.IntN(256)),
			Call:  vocab.Call(dice.IntN(256)),
			Wager: vocab.Wager(rapid.String().Draw(t, "wager")),
			Shoe: vocab.ShoeSaid{
				Event: vocab.ShoeEvent(dice.IntN(256)), Missing: rapid.Int().Draw(t, "missing"),
			},
			With:         irregularity.Choice(dice.IntN(256)),
			Role:         vocab.Role(dice.IntN(256)),
			Irregularity: irregularity.Code(dice.IntN(256)),
			Storage:      vocab.StorageEvent(dice.IntN(256)),
			Table:        vocab.TableChange{Event: vocab.TableEvent(dice.IntN(256))},
			Of:           vocab.InputKind(dice.IntN(256)),
			Hole:         vocab.HoleEvent(dice.IntN(256)),
			Floor: vocab.FloorCall{
				Event: vocab.FloorEvent(dice.IntN(256)), Wants: vocab.FloorReason(dice.IntN(256)),
			},
			Message: vocab.Message{Event: vocab.MessageEvent(dice.IntN(256))},
			Dealer:  vocab.DealerChange{Proof: vocab.Proof(dice.IntN(256))},
			Limits: vocab.LimitsChange{
				Min: rapid.Int64().Draw(t, "min"), BoxMax: rapid.Int64().Draw(t, "box_max"),
			},
			Correct: vocab.Correct{
				What: vocab.Correction(dice.IntN(256)), Nth: rapid.Int().Draw(t, "nth"),
				To: vocab.To(dice.IntN(256)), Outcome: vocab.Outcome(dice.IntN(256)),
			},
			PastRound: rapid.Int().Draw(t, "past round"),
			Entry:     rapid.Int().Draw(t, "entry"),
			Tray:      anyTray(t),
			Seat:      vocab.Seat(dice.IntN(256)),
			Box:       rapid.Int().Draw(t, "box"),
			Hand:      rapid.Uint8().Draw(t, "hand"),
			Bettor:    rapid.String().Draw(t, "bettor"),
			Amount:    rapid.Int64().Draw(t, "amount"),
			Stated:    rapid.Bool().Draw(t, "stated"),
			Bettors:   rapid.SliceOf(rapid.String()).Draw(t, "bettors"),
		})
		if s.tab.Due().To == 0 {
			t.Fatal("nothing at all is due")
		}
	})
}

// anyTray is what no tray has, or nothing.
func anyTray(t *rapid.T) *vocab.Tray {
	if rapid.Bool().Draw(t, "no tray") {
		return nil
	}
	dice := drawn{t}
	chips := rapid.SliceOf(rapid.Custom(func(t *rapid.T) vocab.Chips {
		return vocab.Chips{Value: rapid.Int64().Draw(t, "value"), Pieces: rapid.Int64().Draw(t, "pieces")}
	}))
	return &vocab.Tray{
		Count: vocab.CountEvent(dice.IntN(256)), Step: vocab.SlipStep(dice.IntN(256)),
		Slip: rapid.Uint32().Draw(t, "slip"), Chips: chips.Draw(t, "chips"), For: chips.Draw(t, "for"),
	}
}

// kindsWithoutSetup: a setup without rules is a mistake of the program.
var kindsWithoutSetup = func() []vocab.InputKind {
	kinds := []vocab.InputKind{0, 200}
	for k := range vocab.EveryInput {
		if k != vocab.InSetup {
			kinds = append(kinds, k)
		}
	}
	return kinds
}()
