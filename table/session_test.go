package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// session plays at a table and checks after each input everything that must hold
// whatever was put in.
type session struct {
	tab     table.Table
	book    secondbook.Book
	inputs  []byte // the transcript so far
	outputs []byte // and its answers
	lines   uint64
	now     int64
	last    []vocab.Output // the last input's
	// restarted are tables that were resumed at some moment between two rounds, or placed
	// at any: they must answer as the table does that never stopped.
	restarted []*table.Table
	accepted  bool
	rounds    int
	// kinds are the outputs that were seen, by what distinguishes them.
	kinds map[string]int
	// lay are adjustments that were taken: their wagers lay there.
	lay []vocab.Input
}

func newSession() *session {
	return &session{kinds: map[string]int{}}
}

// step puts one input in. The error says which promise was broken.
func (s *session) step(in vocab.Input) error {
	s.lines++
	in.Line = s.lines
	if in.Time == 0 {
		s.now += int64(s.lines*7919%400) * 1e6 // at times two calls are closer than a dealer makes them
		in.Time = s.now
	}
	s.inputs = append(transcript.AppendInput(s.inputs, &in), '\n')
	outs := s.tab.Step(&in)
	s.last = outs
	answers := written(outs)
	s.outputs = append(s.outputs, answers...)
	s.accepted = s.tab.Rejected() == 0
	s.note(outs)
	if err := s.restartedAgree(in, answers); err != nil {
		return err
	}
	if !s.accepted {
		return s.refused(outs)
	}
	if slices.ContainsFunc(outs, func(o vocab.Output) bool { return o.Kind == vocab.Rejected }) {
		return fmt.Errorf("a rejection without a reason: %s", answers)
	}
	if err := s.book.Enter(&in, outs); err != nil {
		return err
	}
	if in.Kind == vocab.InCorrect {
		if err := s.corrected(); err != nil {
			return err
		}
	}
	return s.conserved()
}

func (s *session) note(outs []vocab.Output) {
	for i := range outs {
		out := &outs[i]
		s.kinds[out.Kind.String()]++
		switch out.Kind {
		case vocab.Finished:
			s.rounds++
		case vocab.Undone:
			if out.Round != 0 {
				s.rounds--
				s.kinds["a payment that had finished the round"]++
			}
		case vocab.Settled:
			s.kinds[out.Wager.String()+" "+out.Outcome.String()+" "+out.Why.String()]++
			if out.Unstated {
				s.kinds["unstated "+out.Outcome.String()]++
			}
		case vocab.Bonus:
			s.kinds[out.Wager.String()+" bonus "+out.Why.String()]++
		case vocab.HandDone:
			s.kinds[out.Done.String()]++
		case vocab.Irregular:
			s.kinds[out.Code.String()]++
		case vocab.Rejected:
			s.kinds[out.Reason.String()]++
		case vocab.Corrected:
			s.kinds["corrected "+out.Corrected.What.String()]++
		case vocab.Difference:
			s.noteDifference(out)
		}
	}
}

func (s *session) noteDifference(out *vocab.Output) {
	switch {
	case !out.Difference.HasPaid:
	case !out.Difference.HadBefore:
		s.kinds["difference of a new wager"]++
	case !out.Difference.HasMore:
		s.kinds["difference that is open"]++
	case out.Difference.Paid > 0:
		s.kinds["difference of what was paid"]++
	case out.Difference.More > 0:
		s.kinds["difference of what was taken"]++
	}
}

// refused: a rejected input is answered by one line.
func (s *session) refused(outs []vocab.Output) error {
	if len(outs) != 1 || outs[0].Kind != vocab.Rejected || outs[0].Line != s.lines {
		return fmt.Errorf("a refused input was answered by %s", written(outs))
	}
	return nil
}

// dare puts in what may well be refused: a rejected input changes nothing.
func (s *session) dare(in vocab.Input) error {
	before := state(&s.tab)
	if err := s.step(in); err != nil || s.accepted {
		return err
	}
	if after := state(&s.tab); after != before {
		return fmt.Errorf("a refused input (%s) changed the table from\n%s\nto\n%s", s.tab.Rejected(), before, after)
	}
	return nil
}

// corrected: a corrected round is the round that is dealt with its inputs as they are
// corrected.
func (s *session) corrected() error {
	dealt, ok, err := table.Corrected(&s.tab)
	if !ok || err != nil {
		return err
	}
	if was, is := lies(&s.tab), lies(dealt); was != is {
		return fmt.Errorf("the corrected round is\n%s\nand dealt with the corrected inputs\n%s", was, is)
	}
	return nil
}

// conserved: every stake on the table is either decided or open, once.
func (s *session) conserved() error {
	sums := s.book.Sums()
	switch {
	case s.tab.Due().To == 0:
		return fmt.Errorf("nothing at all is due")
	case s.tab.Sums() != sums:
		return fmt.Errorf("the settled lines sum to %+v, the table says %+v", sums, s.tab.Sums())
	case s.tab.Open()+sums.Staked != s.book.Committed():
		return fmt.Errorf("%d are open and %d decided, but %d were staked", s.tab.Open(), sums.Staked,
			s.book.Committed())
	case s.tab.Jackpot() != s.book.Jackpot():
		return fmt.Errorf("the jackpot must show %d, and shows %d", s.book.Jackpot(), s.tab.Jackpot())
	case s.tab.Phase() == vocab.Payment && s.tab.Open() != 0:
		return fmt.Errorf("%d are open at payment", s.tab.Open())
	}
	return s.laidOnce()
}

// laidOnce: each card of the round lies in one place.
func (s *session) laidOnce() error {
	lies := map[int]bool{}
	for _, one := range slices.Concat(s.tab.Laid(), s.tab.Lying()) {
		if one.Nth > 0 && lies[one.Nth] {
			return fmt.Errorf("card %d of the round, %s, lies in two places", one.Nth, one.Card)
		}
		lies[one.Nth] = true
	}
	return nil
}

// restart resumes the table as after a power cut between two rounds. The last
// restarts are kept.
func (s *session) restart() {
	if s.tab.Settled() && s.tab.Rules() != nil {
		s.follow(table.Resume(s.tab.Rules(), s.tab.Carry()))
	}
}

// follow lets another table take what this one takes from now on. The last few are kept.
func (s *session) follow(t *table.Table) {
	s.restarted = append(s.restarted, t)
	s.restarted = s.restarted[max(0, len(s.restarted)-3):]
}

// place makes a table of the position that there is: it knows the same.
func (s *session) place() error {
	line := notation.AppendPosition(nil, &s.tab)
	placed, err := tabletest.Position(string(line), tabletest.Book())
	if err != nil {
		return fmt.Errorf("%s\ncannot be placed: %w", line, err)
	}
	if was, is := state(&s.tab), state(placed); was != is {
		return fmt.Errorf("%s\nplaces\n%s\nof\n%s", line, is, was)
	}
	if was, is := s.tab.Position(), placed.Position(); !reflect.DeepEqual(was, is) {
		return fmt.Errorf("%s\nof %+v\nis, once placed, %+v", line, was, is)
	}
	s.follow(placed)
	return nil
}

func (s *session) restartedAgree(in vocab.Input, answers []byte) error {
	for i, t := range s.restarted {
		if got := written(t.Step(&in)); !bytes.Equal(got, answers) {
			return fmt.Errorf("table %d, which was restarted, answers\n%s\nwhere the one that was not answers\n%s", i,
				got, answers)
		}
		if t.Due() != s.tab.Due() {
			return fmt.Errorf("table %d, which was restarted, has %+v due, the other %+v", i, t.Due(), s.tab.Due())
		}
	}
	return nil
}

// pressAndTakeBack makes a call that is allowed and takes it back: everything must
// be as it was. It says whether there was such a call.
func (s *session) pressAndTakeBack(call vocab.Input) (bool, error) {
	before := state(&s.tab)
	contradictions := s.kinds[irregularity.ContradictoryKeys.String()]
	if err := s.step(call); err != nil || !s.accepted ||
		s.kinds[irregularity.ContradictoryKeys.String()] > contradictions {
		return false, err
	}
	if _, held := s.tab.Held(); held {
		return false, nil
	}
	if err := s.step(vocab.Input{Kind: vocab.InUndo}); err != nil {
		return false, err
	}
	if !s.accepted {
		return false, fmt.Errorf("a call could not be taken back: %s", s.tab.Rejected())
	}
	if after := state(&s.tab); after != before {
		return false, fmt.Errorf("a call that was taken back changed the table from\n%s\nto\n%s", before, after)
	}
	return true, nil
}

// replays puts the transcript through a fresh table: it must answer the same, byte
// for byte.
func (s *session) replays() error {
	var out bytes.Buffer
	if err := transcript.Replay(bytes.NewReader(s.inputs), transcript.NewParser(tabletest.Book()), &out); err != nil {
		return fmt.Errorf("the transcript does not replay: %w", err)
	}
	if bytes.Equal(out.Bytes(), s.outputs) {
		return nil
	}
	was, is := bytes.Split(s.outputs, []byte("\n")), bytes.Split(out.Bytes(), []byte("\n"))
	for i := range min(len(was), len(is)) {
		if !bytes.Equal(was[i], is[i]) {
			return fmt.Errorf("live play and replay differ in output %d:\n%s\n%s", i+1, was[i], is[i])
		}
	}
	return fmt.Errorf("live play has %d outputs, replay %d", len(was), len(is))
}

func written(outs []vocab.Output) []byte {
	var b []byte
	for i := range outs {
		b = append(transcript.AppendOutput(b, &outs[i]), '\n')
	}
	return b
}

// state writes down everything that a table shows, but for the last rejection.
func state(t *table.Table) string {
	var b strings.Builder
	b.WriteString(lies(t))
	for n := 1; n <= t.Boxes(); n++ {
		fmt.Fprintf(&b, "box %d: paid %t\n", n, t.Paid(n))
	}
	for n := range t.Decided() {
		sum, known := t.LayOut(n)
		fmt.Fprintf(&b, "wager %d: paid %t, %d to lay out, %t\n", n, t.PaidAtOnce(n), sum, known)
	}
	fmt.Fprintf(&b, "differences %+v\n", t.Differences())
	return b.String()
}

// lies writes down what lies on a table, but not what was paid.
func lies(t *table.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rules %s, round %d, phase %d, due %+v, settled %t, open %d\n",
		fingerprint(t), t.Round(), t.Phase(), t.Due(), t.Settled(), t.Open())
	held, holding := t.Held()
	fmt.Fprintf(&b, "held %t %+v, shoe %+v, waiting %v, aside %v\n", holding, held, t.Shoe(), t.Waiting(), t.Aside())
	carry, err := json.Marshal(t.Carry())
	fmt.Fprintf(&b, "bank %+v\nsums %+v\ncarry %s %v\n", t.Bank(), t.Sums(), carry, err)
	for n := 1; n <= t.Boxes(); n++ {
		fmt.Fprintf(&b, "box %d: bettors %+v, sides %+v\n", n, t.Bettors(n), t.Sides(n))
		for h := 1; h <= t.Hands(n); h++ {
			fmt.Fprintf(&b, "  hand %d: %+v:", h, t.Hand(n, h))
			for name, amount := range t.Stakes(n, h) {
				fmt.Fprintf(&b, " %s %d", name, amount)
			}
			b.WriteByte('\n')
		}
	}
	b.Write(written(t.Decided()))
	return b.String()
}

func fingerprint(t *table.Table) string {
	if t.Rules() == nil {
		return "none"
	}
	return t.Rules().Fingerprint
}
