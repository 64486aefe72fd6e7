package web

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/history"
)

// replayModel is a past round at one of its records: what happened then, and the felt as it
// lay after it.
type replayModel struct {
	meanwhile
	Title, Note, Round string
	Running            bool
	// Home is the round's own page, and Sheet the one to print.
	Home, Sheet string
	// Step says how far into the round this is, and Told what happened.
	Step string
	Told []pastStep
	// TakenBack says that it was taken back later, "" if it was not.
	TakenBack string
	// Wait is how many milliseconds passed until the next record, and Pause says so.
	Wait  int64
	Pause string
	Keys  []replayKey
	// Plays are the keys that play it, in a round that has more to come.
	Plays bool
	// Asked is what the table asked for then, and Felt how it lay; nil with an Error.
	Asked promptModel
	Felt  *feltModel
	Error string
}

// replayKey leads to another record of the round; one without a Where leads nowhere.
type replayKey struct{ Name, Sign, Label, Shortcut, Where string }

// replay shows a round at the record that ?record= names, or at its first.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) {
	round, ok := s.askedFor(w, r)
	if !ok {
		return
	}
	at, asked := 0, r.URL.Query().Get("record")
	if asked != "" {
		at = slices.IndexFunc(round.Steps, func(step history.Step) bool {
			return strconv.FormatUint(step.Seq, 10) == asked
		})
	}
	if at < 0 || len(round.Steps) == 0 {
		http.Error(w, "The round has no such record: leave ?record= out.", http.StatusNotFound)
		return
	}
	var m replayModel
	render := s.speaking(r)
	m.meanwhile, _ = s.meanwhile(render)
	render = render.past(round.Table)
	render.hands = false
	render.replay(&m, round, at)
	lay, err := s.options.Recall.Table(round.Steps[at].Seq)
	if err != nil {
		s.options.Logger.Error("display: a past table cannot be dealt again: run sabot journal verify",
			"record", round.Steps[at].Seq, "err", err)
		m.Error = render.say("replay.unread", "why", err.Error())
	} else {
		v := display.From(lay, m.Table, round.Steps[at].Seq)
		m.Asked, m.Felt = render.prompt(v), render.pastFelt(v)
	}
	site.Send(w, http.StatusOK, site.HTML, drawReplay(nil, render.language, &m))
}

// pastFelt draws the table as the page does. The payment of the next box gives way to the sums.
func (r renderer) pastFelt(v display.View) *feltModel {
	m := r.felt(v)
	m.Bank.Settle, m.Bank.Sums = nil, r.sums(v)
	return m
}

// replay fills in the record, and the ways to the others.
func (r renderer) replay(m *replayModel, round history.Round, at int) {
	m.Title, m.Note, m.Running = r.pastTitle(round)
	m.Round = r.language.RoundName(round.Number)
	m.Home = r.linkTo(round.Number, 0).Where
	m.Sheet = m.Home + "/sheet"
	number := func(n int) string { return strconv.Itoa(n) }
	m.Step = r.say("replay.step", "n", number(at+1), "all", number(len(round.Steps)))
	here := &round.Steps[at]
	told := r.language.Tell(round)
	m.Told = r.pastStepsOf(round, slices.DeleteFunc(slices.Clone(told), func(one display.Told) bool {
		return one.Seq != here.Seq
	}))
	if by := here.TakenBack; by != 0 {
		later := slices.IndexFunc(round.Steps, func(step history.Step) bool { return step.Seq == by })
		m.TakenBack = r.say("replay.taken-back", "time", round.Steps[later].At.Format(replayTime))
	}
	if m.Plays = at+1 < len(round.Steps); m.Plays {
		wait := max(round.Steps[at+1].At.Sub(here.At), 0)
		m.Wait = wait.Milliseconds()
		m.Pause = r.say("replay.wait", "seconds", strconv.FormatFloat(wait.Seconds(), 'f', 1, 64))
	}
	m.Keys = r.replayKeys(round, at, wrongOf(round, told))
}

// replayTime is how a moment within a round is written.
const replayTime = "15:04:05.000"

// wrongOf are the steps in which something went wrong, in order.
func wrongOf(round history.Round, told []display.Told) (wrong []int) {
	for i := range round.Steps {
		stops := func(one display.Told) bool { return one.Seq == round.Steps[i].Seq && one.Kind == display.ToldStop }
		if slices.ContainsFunc(told, stops) {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// replayKeys lead to the other steps. Those to what went wrong are there only if something did.
func (r renderer) replayKeys(round history.Round, at int, wrong []int) []replayKey {
	last := len(round.Steps) - 1
	key := func(name, sign, shortcut string, to int) replayKey {
		k := replayKey{Name: name, Sign: sign, Label: r.say("replay." + name), Shortcut: shortcut}
		if to >= 0 && to <= last && to != at {
			k.Where = r.replayAt(round, round.Steps[to].Seq)
		}
		return k
	}
	keys := []replayKey{
		key("first", "|◀", "Home", 0), key("backward", "◀", "ArrowLeft", at-1),
		key("forward", "▶", "ArrowRight", at+1), key("last", "▶|", "End", last),
	}
	if len(wrong) == 0 {
		return keys
	}
	before, after := -1, -1
	for _, i := range wrong {
		switch {
		case i < at:
			before = i
		case i > at && after < 0:
			after = i
		}
	}
	return append(keys, key("wrong-before", "◀ !", "ArrowUp", before), key("wrong-after", "! ▶", "ArrowDown", after))
}

// replayAt is where a round is shown at a record.
func (r renderer) replayAt(round history.Round, seq uint64) string {
	return r.linkTo(round.Number, 0).Where + "/replay?record=" + strconv.FormatUint(seq, 10)
}
