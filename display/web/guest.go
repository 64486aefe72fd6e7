package web

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var (
	drawGuest      = site.Compile[guestPage](pages, "guest.html")
	drawGuestTable = site.Compile[guestsModel](pages, "guest-table")
)

// guestPage is the guests' page; Stream is where it hears of the table.
type guestPage struct {
	Build, Lang, Title, Stream string
	Deck                       []faceModel
	Table                      site.MarkupText
}

// guestsModel is all that guests see of the table.
type guestsModel struct {
	Build, Lang       string
	Title, Table      string
	Min, Max, Jackpot string
	State, Rule       string
	Cards             row
	Total, Unit, Done string
	Main              []pair
	Sides             []guestBet
	Results           []guestResult
}

type guestBet struct {
	Name, Limits string
	Pays         []pair
}

// guestResult is a past round: what the bank had, and how that is drawn.
type guestResult struct{ Text, Class string }

// guest draws the guests' page in the language that its address asks for.
func (s *Server) guest(w http.ResponseWriter, r *http.Request) {
	turn, ok := s.turning(r)
	if !ok {
		http.Error(w, "This display does not speak that language: write ?lang= with some of "+s.menu.Codes()+
			", separated by commas.", http.StatusBadRequest)
		return
	}
	f, _ := s.now()
	render := turn.now().in(f.view.House)
	site.Send(w, http.StatusOK, site.HTML, drawGuest(nil, render.language, &guestPage{
		Build: build, Lang: render.language.Tag(), Title: f.view.Table, Deck: deck,
		Stream: "/guest/events?" + r.URL.Query().Encode(), Table: site.MarkupText(s.guestTable(f, turn)),
	}))
}

// guestEvents streams what guests see, whenever it is another than they have.
func (s *Server) guestEvents(w http.ResponseWriter, r *http.Request) {
	turn, ok := s.turning(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	c := client{Stream: site.NewStream(w, s.options.WriteTimeout)}
	var has []byte
	err := s.streamUntil(r, &c, turn.next, func(f *frame) error {
		now := s.guestTable(f, turn)
		if bytes.Equal(now, has) {
			return nil
		}
		has = now
		return c.Tell(f.number(), now)
	})
	if err == nil && isOver(r) {
		err = c.Send([]byte(over))
	}
	site.Ended(s.options.Logger, "display", r, err)
}

// guestTable is the table as guests see it, in one line.
func (s *Server) guestTable(f *frame, turn *turn) []byte {
	if err := s.results.recalled(s.options.Recall); err != nil {
		s.options.Logger.Error("display: the last rounds cannot be read from the journal for the guests, whose "+
			"screen shows none: run sabot journal verify",
			"err", err)
	}
	r := turn.now().in(f.view.House)
	return site.OneLine(drawGuestTable(make([]byte, 0, 8<<10), r.language, r.forGuests(f.view, s.results.latest())))
}

// usualTurn is how long the guests' page speaks one of several languages, and leastTurn and
// mostTurn bound what its address may ask for.
const (
	usualTurn = 20 * time.Second
	leastTurn = 5 * time.Second
	mostTurn  = time.Hour
)

// turn is which of several languages is spoken: each for a while, by the clock, so that two
// displays of a table say the same.
type turn struct {
	renders []renderer
	each    time.Duration
}

// turning reads ?lang=de,en and ?every=20 from the address of the guests' page. It fails for
// a language that nobody speaks.
func (s *Server) turning(r *http.Request) (*turn, bool) {
	t := &turn{each: usualTurn}
	query := r.URL.Query()
	for name := range strings.SplitSeq(query.Get("lang"), ",") {
		if name == "" {
			continue
		}
		at, known := s.menu.Called(name)
		if !known {
			return nil, false
		}
		t.renders = append(t.renders, s.renders[at])
	}
	if len(t.renders) == 0 {
		t.renders = []renderer{s.renders[s.menu.Home]}
	}
	if seconds, err := strconv.Atoi(query.Get("every")); err == nil {
		t.each = min(max(time.Duration(seconds)*time.Second, leastTurn), mostTurn)
	}
	return t, true
}

func (t *turn) now() renderer {
	return t.renders[int(time.Now().UnixNano()/int64(t.each))%len(t.renders)]
}

// next is how long it takes until another language is spoken, 0 where there is none.
func (t *turn) next() time.Duration {
	if len(t.renders) < 2 {
		return 0
	}
	return t.each - time.Duration(time.Now().UnixNano()%int64(t.each))
}

func (r renderer) forGuests(v display.View, last []display.GuestResult) *guestsModel {
	g := display.GuestOf(v)
	m := &guestsModel{
		Build: build, Lang: r.language.Tag(), Title: g.Title, Table: g.Table,
		State: r.language.Say(g.State), Rule: r.language.Say(g.Rule), Cards: g.Bank.Cards,
		Done: r.language.Named(display.LabelDone, g.Bank.Done), Unit: r.unit(v, g.Bank),
	}
	if m.Title == "" {
		m.Title = g.Table
	}
	if len(g.Bank.Cards) > 0 {
		m.Total = strconv.Itoa(g.Bank.Total)
	}
	if g.Currency != "" {
		m.Min, m.Max = r.announce(g, g.Min), r.announce(g, g.BoxMax)
	}
	if g.Jackpot > 0 {
		m.Jackpot = r.language.Price(g.Jackpot, g.Digits, g.Currency)
	}
	m.Main = r.guestPays(g, g.Main)
	for _, bet := range g.Sides {
		one := guestBet{
			Name: r.language.Named(display.LabelWager, bet.Wager), Limits: r.betLimits(g, bet),
			Pays: r.guestPays(g, bet.Pays),
		}
		m.Sides = append(m.Sides, one)
	}
	for _, one := range last {
		m.Results = append(m.Results, r.guestResult(one))
	}
	return m
}

func (r renderer) guestPays(g display.Guest, pays []display.GuestPay) []pair {
	var list []pair
	for _, p := range pays {
		name, _ := r.language.Lookup(p.Name)
		list = append(list, pair{name, r.prize(g, p.Prize)})
	}
	return list
}

func (r renderer) prize(g display.Guest, p rules.Prize) string {
	switch {
	case p.Part.Den != 0:
		return strconv.FormatInt(p.Part.Num, 10) + "/" + strconv.FormatInt(p.Part.Den, 10) + " " + r.word("jackpot")
	case p.Jackpot:
		return r.word("jackpot")
	case p.Amount != 0:
		return r.announce(g, p.Amount)
	}
	return strings.Replace(p.Odds.String(), ":", "\u2009:\u2009", 1)
}

// announce writes an amount as houses announce it: without decimals that are zero.
func (r renderer) announce(g display.Guest, minor int64) string {
	return r.language.Priced(r.language.Short(minor, g.Digits), g.Currency)
}

// betLimits are a side bet's limits, or its one amount.
func (r renderer) betLimits(g display.Guest, bet display.GuestBet) string {
	if bet.Least == bet.Most {
		return r.announce(g, bet.Least)
	}
	return r.announce(g, bet.Least) + " – " + r.announce(g, bet.Most)
}

func (r renderer) guestResult(one display.GuestResult) guestResult {
	switch {
	case one.Done == vocab.DoneBlackJack:
		return guestResult{r.language.Named(display.LabelDone, one.Done), "jack"}
	case one.Done == vocab.DoneBust:
		return guestResult{strconv.Itoa(one.Total), "bust"}
	case !one.Drew:
		return guestResult{"–", "none"}
	}
	return guestResult{strconv.Itoa(one.Total), "stood"}
}
