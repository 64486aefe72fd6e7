package secondbook

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// tray is what must lie in the tray by the book: what was counted, and all that went in and out since.
type tray struct {
	counted bool
	holds   int64
	cash    int64 // in the drop box
	// last is what the last round brought, and since all that happened since the count.
	last, since taken
	count       uint64
	dealers     []string
	slips       []vocab.Slip
	numbers     uint32
}

// taken is what rounds have brought.
type taken struct {
	money                                                int64
	rounds, unknown, corrected, otherwise, adjusted, big int
}

func (t *taken) add(o taken, sign int) {
	t.money += int64(sign) * o.money
	t.rounds += sign * o.rounds
	t.unknown += sign * o.unknown
	t.corrected += sign * o.corrected
	t.otherwise += sign * o.otherwise
	t.adjusted += sign * o.adjusted
	t.big += sign * o.big
}

// must is what has to be there, and whether anybody can say.
func (y *tray) must() (sum int64, known bool) {
	return y.holds + y.since.money, y.counted && y.since.unknown == 0
}

// TakeOverTray tells the book what it cannot have followed: what must be in the tray and in the drop box, what happened
// since it was counted, and which slips are under way.
func (b *Book) TakeOverTray(counted bool, must, cash int64, since vocab.Interval, slips []vocab.Slip, last uint32) {
	b.tray = tray{
		counted: counted, holds: must, cash: cash, count: since.Since, dealers: slices.Clone(since.Dealers),
		slips: slices.Clone(slips), numbers: last,
		since: taken{
			rounds: since.Rounds, unknown: since.Unknown, corrected: since.Corrected, otherwise: since.Accepted,
			adjusted: since.Adjusted, big: since.Large,
		},
	}
}

// told checks what is told of what must be in the tray.
func (y *tray) told(out *vocab.Output) error {
	var of vocab.Trouble
	if out.Trouble != nil {
		of = *out.Trouble
	}
	must, known := y.must()
	switch {
	case known != of.InTray.Known && known:
		return fmt.Errorf("%s must be in the tray, and it is not told", amount(must))
	case known != of.InTray.Known:
		return fmt.Errorf("%s are told to be in the tray, and nobody can say that", amount(of.InTray.Amount))
	case known && must != of.InTray.Amount:
		return fmt.Errorf("%s must be in the tray; told: %s", amount(must), amount(of.InTray.Amount))
	}
	return nil
}

// brought counts what a round has brought that is finished: the stakes that were taken, less what was paid.
func (b *Book) brought(out *vocab.Output) error {
	y := &b.tray
	if !y.counted {
		return y.told(out)
	}
	r := taken{rounds: 1}
	if b.corrections {
		r.corrected = 1
	}
	for i := range b.page.lines {
		l := &b.page.lines[i]
		if l.unstated {
			r.unknown = 1
		}
		if l.other {
			r.otherwise++
		}
		if b.isBig(l) {
			r.big++
		}
		if l.outcome != 0 { // a bonus is paid on a stake that has its own line
			r.money += l.stake - l.returned
		}
		r.money -= l.won + l.given - l.owed
	}
	if r.unknown > 0 {
		r.money = 0
	}
	y.last = r
	y.since.add(r, 1)
	return y.told(out)
}

// takeOut takes out what the last round has brought: its payment is taken back.
func (y *tray) takeOut() {
	y.since.add(y.last, -1)
	y.last = taken{}
}

// deals notes who deals.
func (y *tray) deals(name string) {
	const most = 64
	if y.counted && name != "" && !slices.Contains(y.dealers, name) {
		y.dealers = append(y.dealers, name)
		y.dealers = y.dealers[max(0, len(y.dealers)-most):]
	}
}

// sumOf is what chips are worth.
func sumOf(list []vocab.Chips) (sum int64) {
	for _, c := range list {
		sum += c.Value * c.Pieces
	}
	return sum
}

// atTray checks an input that is of the tray.
func (b *Book) atTray(in *vocab.Input, outs []vocab.Output) error {
	if len(outs) == 0 || outs[0].Trouble == nil || outs[0].Tray == nil {
		return fmt.Errorf("a %s was taken, and it is not told", in.Kind)
	}
	out := &outs[0]
	if out.By != in.By {
		return fmt.Errorf("%q has put in a %s; told: %q", in.By, in.Kind, out.By)
	}
	if in.Kind == vocab.InCount {
		err := b.countTray(in, out)
		if closes := b.closes(in, outs[1:]); err == nil {
			err = closes
		}
		return err
	}
	if out.Kind != vocab.TrayMoved || out.Tray.Of != in.Kind {
		return fmt.Errorf("a %s was taken; told: %s", in.Kind, out.Tray.Of)
	}
	err := b.tray.rule(in, out)
	if other := b.tray.told(out); err == nil {
		err = other
	}
	return err
}

// rule checks what is put in of the tray, and writes it down.
func (y *tray) rule(in *vocab.Input, out *vocab.Output) error {
	switch in.Kind {
	case vocab.InFill, vocab.InCredit:
		return y.slip(in, out)
	case vocab.InBuyIn:
		y.move(-in.Amount)
		y.cash += in.Amount
		return worthOf(out, in.Amount)
	case vocab.InTips:
		y.move(in.Amount)
		return worthOf(out, in.Amount)
	case vocab.InDrop:
		cash := y.cash
		y.cash = 0
		return worthOf(out, cash)
	}
	c := in.InTray()
	if gone, come := sumOf(c.Chips), sumOf(c.For); gone != come {
		return fmt.Errorf("%s go out in a change, and %s come in", amount(gone), amount(come))
	}
	return worthOf(out, sumOf(c.Chips))
}

func worthOf(out *vocab.Output, want int64) error {
	if out.Tray.Amount != want {
		return fmt.Errorf("%s of %s; told: %s", out.Tray.Of, amount(want), amount(out.Tray.Amount))
	}
	return nil
}

func (y *tray) move(sum int64) {
	if y.counted {
		y.holds += sum
	}
}

// slip: a fill or a credit has a number without a gap, its steps follow one another, a supervisor has approved it who
// is not who asked for it, and its chips stay the same.
func (y *tray) slip(in *vocab.Input, out *vocab.Output) error {
	s, credit := in.InTray(), in.Kind == vocab.InCredit
	name := fmt.Sprintf("%s %d", in.Kind, out.Tray.Slip)
	if out.Tray.Step != s.Step {
		return fmt.Errorf("%s was %s; told: %s", name, s.Step, out.Tray.Step)
	}
	if s.Step == vocab.SlipAsked {
		y.numbers++
		one := vocab.Slip{Number: y.numbers, Credit: credit, Step: s.Step, Chips: s.Chips, By: in.By}
		y.slips = append(y.slips, one)
		if out.Tray.Slip != y.numbers {
			return fmt.Errorf("%s follows slip %d: the numbers have a gap", name, y.numbers-1)
		}
		return worthOf(out, sumOf(s.Chips))
	}
	at := slices.IndexFunc(y.slips, func(one vocab.Slip) bool { return one.Number == s.Slip && one.Credit == credit })
	if at < 0 {
		return fmt.Errorf("%s was %s, and no such slip is under way", name, s.Step)
	}
	was := y.slips[at]
	y.slips[at].Step = s.Step
	if s.Step == vocab.SlipReceived || s.Step == vocab.SlipRefused {
		y.slips = slices.Delete(y.slips, at, at+1)
	}
	sum := sumOf(was.Chips)
	switch {
	case s.Step == vocab.SlipReceived && !credit:
		y.move(sum)
	case s.Step == vocab.SlipSent && credit:
		y.move(-sum)
	}
	return slipFault(name, &was, in, out)
}

// inOther is the tray once its money is another: nobody has counted it. A slip's chips are of the money of before.
func (y *tray) inOther(was, now string) tray {
	for i := range y.slips {
		switch y.slips[i].Currency {
		case "":
			y.slips[i].Currency = was
		case now:
			y.slips[i].Currency = ""
		}
	}
	return tray{slips: y.slips, numbers: y.numbers}
}

// before is the step that a step follows.
var before = map[vocab.SlipStep]vocab.SlipStep{
	vocab.SlipApproved: vocab.SlipAsked, vocab.SlipSent: vocab.SlipApproved, vocab.SlipReceived: vocab.SlipSent,
}

func slipFault(name string, was *vocab.Slip, in *vocab.Input, out *vocab.Output) error {
	s := in.InTray()
	refused := s.Step == vocab.SlipRefused
	switch {
	case refused && was.Credit && was.Step == vocab.SlipSent:
		return fmt.Errorf("%s was refused, and its chips had left the tray", name)
	case !refused && was.Step != before[s.Step]:
		return fmt.Errorf("%s was %s, and before that it was %s, not %s", name, s.Step, was.Step, before[s.Step])
	case was.Currency != "" && !refused && (!was.Credit || s.Step != vocab.SlipReceived):
		return fmt.Errorf("%s is in %s, and was %s while the table was set up in another currency", name,
			was.Currency, s.Step)
	case s.Step == vocab.SlipApproved && (in.By == was.By || in.Role != vocab.Supervisor):
		return fmt.Errorf("%s was asked for by %q and approved by %q: another supervisor approves it", name,
			was.By, in.By)
	case s.Chips != nil && sumOf(s.Chips) != sumOf(was.Chips):
		return fmt.Errorf("%s is of %s, and %s were %s", name, amount(sumOf(was.Chips)), amount(sumOf(s.Chips)), s.Step)
	case !slices.Equal(out.Tray.Chips, was.Chips):
		return fmt.Errorf("%s is told with other chips than were asked for", name)
	}
	return worthOf(out, sumOf(was.Chips))
}

// countTray: two people have counted; told is what they counted, what had to be there, and what happened since.
func (b *Book) countTray(in *vocab.Input, out *vocab.Output) error {
	y, c := &b.tray, in.InTray()
	sum := sumOf(c.Chips)
	must, known := y.must()
	err := y.told(out)
	want := vocab.Interval{
		Since: y.count, Rounds: y.since.rounds, Unknown: y.since.unknown, Corrected: y.since.corrected,
		Accepted: y.since.otherwise, Adjusted: y.since.adjusted, Large: y.since.big, Dealers: y.dealers,
	}
	switch {
	case out.Kind != vocab.Counted:
		err = errors.New("the tray was counted, and it is not told")
	case c.Dealer == in.By || in.Role != vocab.Supervisor:
		err = fmt.Errorf("%q has counted the tray alone, without a supervisor", c.Dealer)
	case c.Count == vocab.CountClosing && len(y.slips) > 0:
		err = fmt.Errorf("the tray was closed, and slip %d is under way", y.slips[0].Number)
	case out.Tray.Count != c.Count, out.Tray.Dealer != c.Dealer, !slices.Equal(out.Tray.Chips, c.Chips):
		err = errors.New("the tray was counted, and something else is told than was counted")
	case out.Tray.Amount != sum:
		err = fmt.Errorf("%s were counted; told: %s", amount(sum), amount(out.Tray.Amount))
	case err == nil && known && out.Tray.Difference != sum-must:
		err = fmt.Errorf("%s were counted where %s had to be; told: a difference of %s",
			amount(sum), amount(must), amount(out.Tray.Difference))
	case err == nil && !sameInterval(&out.Tray.Interval, &want):
		err = fmt.Errorf("what happened since the count before is told wrongly: there were %d rounds, %d of them "+
			"without "+
			"amounts and %d corrected, %d wagers paid otherwise, %d adjustments and %d large wins, dealt by %q",
			want.Rounds, want.Unknown, want.Corrected, want.Accepted, want.Adjusted, want.Large, want.Dealers)
	}
	y.counted, y.holds, y.since, y.last, y.count, y.dealers = true, sum, taken{}, taken{}, in.Line, nil
	y.deals(b.floor.dealer)
	b.presses = 0 // what was paid in the last round stays so
	b.leave()
	return err
}

// closes: a closing count closes the table, in the names of who has counted, and no other count does.
func (b *Book) closes(in *vocab.Input, outs []vocab.Output) error {
	wants, told := in.InTray().Count == vocab.CountClosing && !b.floor.closed, false
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.TableChanged {
			told = out.Table.Event == vocab.TableClosed && out.By == in.By && out.Table.Dealer == in.InTray().Dealer
			b.floor.closed = out.Table.Event == vocab.TableClosed
		}
	}
	switch {
	case wants && !told:
		return errors.New("the tray was counted to close, and the table was not closed by who has counted it")
	case !wants && told:
		return errors.New("the table was closed with a count that does not close it")
	}
	return nil
}

func sameInterval(a, b *vocab.Interval) bool {
	return a.Since == b.Since && a.Rounds == b.Rounds && a.Unknown == b.Unknown && a.Corrected == b.Corrected &&
		a.Accepted == b.Accepted && a.Adjusted == b.Adjusted && a.Large == b.Large && slices.Equal(a.Dealers, b.Dealers)
}
