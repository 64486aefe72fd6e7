package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
)

// paperModel is a round on paper, for a dispute: everything that the record has of it, where
// the record can be checked, and lines to sign on.
type paperModel struct {
	meanwhile
	Title, Heading, Note, Printed string
	Running                       bool
	// Home is the round's own page, and Replay where it is shown card by card.
	Home, Replay string
	Facts        []pair
	State        string
	Bank         string
	Boxes        []pastBox
	Sums         []pair
	// Wrong names what went wrong, "" for nothing.
	Wrong string
	Steps []paperLine
	Proof []pair
	// Unsealed says why there is no seal, "" where there is one.
	Unsealed, Check string
	Signs           []string
}

// paperLine is one line of the sheet. Card is a card in letters. Record and Time are those of a record's first line
// alone.
type paperLine struct {
	Record, Time, Where, Card string
	Text                      string
	Back, Heads, Stop         bool
}

// sheet is the page of a round that is made to be printed.
func (s *Server) sheet(w http.ResponseWriter, r *http.Request) {
	round, ok := s.askedFor(w, r)
	if !ok {
		return
	}
	if m, render, ok := s.onPaper(w, r, round); ok {
		site.Send(w, http.StatusOK, site.HTML, drawSheet(nil, render.language, &m))
	}
}

// onPaper is the sheet of a round, and the renderer in its words; where it cannot be made, the request has been
// answered.
func (s *Server) onPaper(w http.ResponseWriter, r *http.Request, round history.Round) (m paperModel, render renderer,
	ok bool,
) {
	proof, err := s.options.Recall.Proof(round)
	if err != nil {
		s.recallFailed(w, r, err)
		return m, render, false
	}
	render = s.speaking(r)
	m.meanwhile, _ = s.meanwhile(render)
	render = render.past(round.Table)
	render.paper(&m, round, proof)
	now := time.Now().In(s.options.Zone)
	m.Printed = render.say("sheet.printed", "time", now.Format(render.say("time.date")+" 15:04"))
	return m, render, true
}

func (r renderer) paper(m *paperModel, round history.Round, proof history.Proof) {
	number := strconv.FormatUint(round.Number, 10)
	m.Title, m.Note, m.Running = r.pastTitle(round)
	m.Heading = r.say("sheet.title", "round", number)
	m.Home = r.linkTo(round.Number, 0).Where
	m.Replay = m.Home + "/replay"
	m.Facts = r.paperFacts(round, m.Table)
	m.State = r.language.PastState(round)
	m.Bank, _ = r.pastBank(round)
	for _, b := range round.Boxes {
		m.Boxes = append(m.Boxes, r.pastBox(b))
	}
	m.Sums = r.pastSums(round)
	m.Wrong = r.language.PastWrong(round)
	m.Steps = r.paperLines(round)
	m.Proof, m.Unsealed = r.proof(proof)
	m.Check = r.say("sheet.check", "audit", "sabot journal audit JOURNAL",
		"recall", "sabot journal recall --proof JOURNAL "+number)
	m.Signs = []string{r.say("sheet.guest"), r.word("dealer"), r.say("sheet.supervisor")}
}

// paperLines are the course of a round, without what became of the wagers: that stands with the boxes.
func (r renderer) paperLines(round history.Round) (lines []paperLine) {
	settled := map[string]bool{}
	for i := range round.Boxes {
		for k := range round.Boxes[i].Settled {
			settled[r.language.Settled(&round.Boxes[i].Settled[k])] = true
		}
	}
	told := slices.DeleteFunc(display.Once(r.language.Tell(round)), func(one display.Told) bool {
		return one.Kind == display.ToldSettled && !one.Back && settled[one.Text]
	})
	var before uint64
	for i, one := range told {
		if last := len(lines) - 1; i > 0 && one.Kind == display.ToldOther && goesOn(&told[i-1], &one) {
			lines[last].Text += " – " + one.Text
			continue
		}
		line := paperLine{
			Where: one.Where, Card: cardName(one.Card), Text: one.Text, Back: one.Back,
			Heads: one.After && (i == 0 || !told[i-1].After), Stop: one.Kind == display.ToldStop,
		}
		if one.Seq != before {
			line.Record, line.Time = strconv.FormatUint(one.Seq, 10), one.Time
		}
		before = one.Seq
		lines = append(lines, line)
	}
	return lines
}

// goesOn says whether a line tells more of the same record and place.
func goesOn(before, one *display.Told) bool {
	return one.Seq == before.Seq && one.Where == before.Where && one.Back == before.Back && one.Card == card.None
}

// paperFacts are those of the round's page, and which table and rules they were.
func (r renderer) paperFacts(round history.Round, table string) []pair {
	facts := append([]pair{{r.say("sheet.table"), table}}, r.pastFacts(round)...)
	facts[1].Name, facts[len(facts)-1].Name = r.say("sheet.round"), r.say("sheet.house")
	if rules := round.Table.Profile; rules != "" {
		facts = append(facts, pair{r.say("sheet.rules"), rules})
	}
	return facts
}

// proof is where the record stands in the journal's chain, and why it is not sealed.
func (r renderer) proof(p history.Proof) (lines []pair, unsealed string) {
	mark := func(key string, m history.Mark) pair {
		return pair{r.say(key, "n", strconv.FormatUint(m.Seq, 10)), m.Hash}
	}
	lines = []pair{{r.say("sheet.journal"), p.Journal}, mark("sheet.first", p.First), mark("sheet.last", p.Last)}
	switch s := p.Seal; {
	case s == nil:
		return lines, r.say("sheet.unsealed")
	case !s.Valid:
		return lines, r.say("sheet.forged")
	default:
		when := s.At.Format(r.say("time.date") + " 15:04:05")
		return append(lines,
			pair{r.say("sheet.seal", "n", strconv.FormatUint(s.Seq, 10), "time", when), s.Hash},
			pair{r.say("sheet.key"), s.Key}, pair{r.say("sheet.signature"), s.Signature}), ""
	}
}

// suits are the signs of the suits, which every printer has.
var suits = [...]string{"♠", "♥", "♦", "♣"}

// cardName is a card in letters, as 10♠; "" for none.
func cardName(c card.Card) string {
	if !c.Ranked() {
		return c.String()
	}
	return strings.Replace(c.String()[:1], "T", "10", 1) + suits[c.Suit()]
}

func cardNames(cards []card.Card) (names []string) {
	for _, c := range cards {
		names = append(names, cardName(c))
	}
	return names
}
