package table

import (
	"cmp"
	"slices"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what must be in the tray: what was counted there last, what was filled and sold since, and what the
// rounds have taken and paid. None of it is part of a round, and no undo takes it back.

// Tray is what a table knows of its tray. The zero Tray is one that nobody has counted.
type Tray struct {
	// Known says that it was counted, and Must is what must be in it since.
	Known bool  `json:"known,omitempty"`
	Must  int64 `json:"must,omitempty"`
	// Since is what happened since the count.
	Since vocab.Interval `json:"since,omitzero"`
	// Round is what the last round has added to it: taking its payment back takes that out.
	Round Turn `json:"round,omitzero"`
	// Slip is the number of the last slip, and Slips are those under way.
	Slip  uint32       `json:"slip,omitempty"`
	Slips []vocab.Slip `json:"slips,omitempty"`
	// Cash is what must be in the drop box.
	Cash int64 `json:"cash,omitempty"`
}

// Turn is what a round has added.
type Turn struct {
	// Won is what the tray has more by it.
	Won       int64 `json:"won,omitempty"`
	Unknown   bool  `json:"unknown,omitempty"`
	Corrected bool  `json:"corrected,omitempty"`
	Accepted  int   `json:"accepted,omitempty"`
	Large     int   `json:"large,omitempty"`
}

// IsZero says that there is nothing to know.
func (y Tray) IsZero() bool { return !y.Known && y.Slip == 0 && y.Cash == 0 }

// copied is a copy that shares no list.
func (y *Tray) copied() Tray {
	one := *y
	one.Slips, one.Since.Dealers = copied(y.Slips), copied(y.Since.Dealers)
	return one
}

// Holds returns what must be in the tray; known is false where nobody has counted it, or where a round since has
// amounts that nobody knows.
func (y *Tray) Holds() (sum int64, known bool) {
	if known = y.Known && y.Since.Unknown == 0; known {
		sum = y.Must
	}
	return sum, known
}

// mustHold is what Holds returns, as it is told.
func (y *Tray) mustHold() (m vocab.MustHold) {
	m.Amount, m.Known = y.Holds()
	return m
}

// Tray returns what the table knows of its tray.
func (t *Table) Tray() Tray { return t.tray.copied() }

// atTray takes an input that is of the tray.
func (t *Table) atTray(in *vocab.Input) vocab.Reason {
	switch in.Kind {
	case vocab.InCount:
		return t.countTray(in)
	case vocab.InFill, vocab.InCredit:
		return t.slip(in)
	case vocab.InBuyIn:
		return t.sell(in)
	case vocab.InTips:
		return t.tip(in)
	case vocab.InChange:
		return t.changeChips(in)
	default:
		return t.takeDrop(in)
	}
}

// mostDealers bounds how many dealers are remembered of one interval, mostSlips how many slips are under way, and
// mostValues how many values are named at once: no tray has more.
const (
	mostValues  = 32
	mostDealers = 64
	mostSlips   = 16
)

// worth sums chips, or says why they can lie in no tray: a value is named twice, or there is none.
func worth(chips []vocab.Chips) (sum int64, reason vocab.Reason) {
	if len(chips) > mostValues {
		return 0, vocab.UnknownChip
	}
	for i, c := range chips {
		twice := slices.ContainsFunc(chips[:i], func(other vocab.Chips) bool { return other.Value == c.Value })
		if twice || !c.Valid() {
			return 0, vocab.UnknownChip
		}
		sum += c.Value * c.Pieces
	}
	if sum > money.Max {
		return 0, vocab.AboveMaximum
	}
	return sum, 0
}

// inTray is worth, of chips that the house has.
func (t *Table) inTray(chips []vocab.Chips) (sum int64, reason vocab.Reason) {
	if slices.ContainsFunc(chips, func(c vocab.Chips) bool { return !t.rules.HasChip(c.Value) }) {
		return 0, vocab.UnknownChip
	}
	return worth(chips)
}

// countTray takes a count: what lies there is right from then on, whatever had to be there. The last round goes off the
// table, since what is paid on it again would be counted wrongly. A closing count closes the table: one is not on
// record without the other.
func (t *Table) countTray(in *vocab.Input) vocab.Reason {
	c := in.InTray()
	between := t.betweenRounds()
	switch {
	case in.Role != vocab.Supervisor || in.By == c.Dealer:
		return vocab.NeedsSupervisor
	case between != 0:
		return between
	case c.Count == vocab.CountClosing && len(t.tray.Slips) > 0:
		return vocab.SlipUnderWay
	}
	sum, reason := t.inTray(c.Chips)
	if reason != 0 {
		return reason
	}
	must := t.tray.mustHold()
	told := &vocab.TrayTold{Tray: c, Amount: sum, Interval: t.tray.Since}
	if must.Known {
		told.Difference = sum - must.Amount
	}
	t.emit(vocab.Counted).Trouble = &vocab.Trouble{Tray: told, InTray: must, By: in.By}
	t.clearAway()
	y := &t.tray
	y.Known, y.Must, y.Round, y.Since = true, sum, Turn{}, vocab.Interval{Since: in.Line}
	y.deals(t.people.Dealer)
	if c.Count == vocab.CountClosing && !t.opening.Closed {
		t.turn(vocab.TableChange{Event: vocab.TableClosed, Dealer: c.Dealer}, in)
	}
	return 0
}

// slip takes a step of a fill or a credit.
func (t *Table) slip(in *vocab.Input) vocab.Reason {
	s := in.InTray()
	if s.Step == vocab.SlipAsked {
		return t.ask(in, &s)
	}
	credit := in.Kind == vocab.InCredit
	at := slices.IndexFunc(t.tray.Slips, func(one vocab.Slip) bool {
		return one.Number == s.Slip && one.Credit == credit
	})
	if at < 0 {
		return vocab.NoSuchSlip
	}
	one := &t.tray.Slips[at]
	if reason := t.maySlip(one, in); reason != 0 {
		return reason
	}
	one.Step, s.Chips = s.Step, one.Chips
	sum, _ := worth(s.Chips)
	switch {
	case !moves(one):
	case credit:
		t.tray.add(-sum)
	default:
		t.tray.add(sum)
	}
	if s.Step == vocab.SlipReceived || s.Step == vocab.SlipRefused {
		t.tray.Slips = slices.Delete(t.tray.Slips, at, at+1)
	}
	t.tellTray(in, s, sum)
	return 0
}

// ask begins a slip, with the number after the last.
func (t *Table) ask(in *vocab.Input, s *vocab.Tray) vocab.Reason {
	sum, reason := t.inTray(s.Chips)
	switch {
	case reason != 0:
		return reason
	case len(s.Chips) == 0 || slices.ContainsFunc(s.Chips, func(c vocab.Chips) bool { return c.Pieces == 0 }):
		return vocab.NothingChanges
	case len(t.tray.Slips) >= mostSlips:
		return vocab.SlipUnderWay
	}
	t.tray.Slip++
	s.Slip = t.tray.Slip
	t.tray.Slips = append(t.tray.Slips, vocab.Slip{
		Number: s.Slip, Credit: in.Kind == vocab.InCredit, Step: s.Step, Chips: s.Chips, By: in.By,
	})
	t.tellTray(in, *s, sum)
	return 0
}

// moves says whether the step that a slip has taken moves its chips: those of a fill are in the tray once they are
// received and counted, those of a credit have left it once they are sent.
func moves(s *vocab.Slip) bool {
	if s.Credit {
		return s.Step == vocab.SlipSent
	}
	return s.Step == vocab.SlipReceived
}

// maySlip says why a slip under way cannot take a step.
func (t *Table) maySlip(one *vocab.Slip, in *vocab.Input) vocab.Reason {
	s := in.InTray()
	next := vocab.Slip{Credit: one.Credit, Step: s.Step}
	refused, approved := s.Step == vocab.SlipRefused, s.Step == vocab.SlipApproved
	switch {
	case refused && one.Credit && one.Step == vocab.SlipSent, !refused && s.Step != one.Step+1:
		return vocab.NotItsTurn
	case !one.Takes(s.Step):
		return vocab.OtherCurrency
	case (approved || refused) && in.Role != vocab.Supervisor, approved && in.By == one.By:
		return vocab.NeedsSupervisor
	case !approved && !refused && !sameChips(s.Chips, one.Chips):
		return vocab.NotTheAmount
	case moves(&next):
		return t.betweenRounds()
	}
	return 0
}

// sameChips says whether two lists have the same chips, in whichever order. No value is in the second twice.
func sameChips(a, b []vocab.Chips) bool {
	if len(a) != len(b) {
		return false
	}
	for _, c := range b {
		if !slices.Contains(a, c) {
			return false
		}
	}
	return true
}

// sell takes chips that are sold for cash, which goes into the drop box.
func (t *Table) sell(in *vocab.Input) vocab.Reason {
	if reason := t.mayMove(in); reason != 0 {
		return reason
	}
	t.tray.add(-in.Amount)
	t.tray.Cash += in.Amount
	t.tellTray(in, vocab.Tray{}, in.Amount)
	return 0
}

// tip takes tips that are laid into the tray.
func (t *Table) tip(in *vocab.Input) vocab.Reason {
	if reason := t.mayMove(in); reason != 0 {
		return reason
	}
	t.tray.add(in.Amount)
	t.tellTray(in, vocab.Tray{}, in.Amount)
	return 0
}

// mayMove checks an amount of which nobody says the chips. Less than nothing takes a wrong one back.
func (t *Table) mayMove(in *vocab.Input) vocab.Reason {
	switch {
	case in.Amount == 0:
		return vocab.NothingChanges
	case in.Amount%t.rules.Table.Unit != 0:
		return vocab.NotAMultiple
	case in.Amount < 0 && in.Role != vocab.Supervisor:
		return vocab.NeedsSupervisor
	}
	return 0
}

// changeChips takes chips that are given for others: the tray has as much as before.
func (t *Table) changeChips(in *vocab.Input) vocab.Reason {
	c := in.InTray()
	out, reason := t.inTray(c.Chips)
	if reason != 0 {
		return reason
	}
	back, reason := t.inTray(c.For)
	switch {
	case reason != 0:
		return reason
	case out != back:
		return vocab.NotTheAmount
	case out == 0:
		return vocab.NothingChanges
	}
	t.tellTray(in, c, out)
	return 0
}

// takeDrop tells what cash must be in the drop box, which is taken off the table: another is put in its place.
func (t *Table) takeDrop(in *vocab.Input) vocab.Reason {
	if in.Role != vocab.Supervisor {
		return vocab.NeedsSupervisor
	}
	t.tellTray(in, vocab.Tray{}, t.tray.Cash)
	t.tray.Cash = 0
	return 0
}

func (t *Table) tellTray(in *vocab.Input, moved vocab.Tray, amount int64) {
	t.emit(vocab.TrayMoved).Trouble = &vocab.Trouble{
		Tray: &vocab.TrayTold{Tray: moved, Of: in.Kind, Amount: amount}, InTray: t.tray.mustHold(),
		By: in.By, Because: in.Because,
	}
}

// add changes what must be in the tray. Before it is counted nobody can say that.
func (y *Tray) add(sum int64) {
	if y.Known {
		y.Must += sum
	}
}

// deals notes who deals.
func (y *Tray) deals(name string) {
	if !y.Known || name == "" || slices.Contains(y.Since.Dealers, name) {
		return
	}
	list := append(copied(y.Since.Dealers), name) // an output may still have the old one
	y.Since.Dealers = list[max(0, len(list)-mostDealers):]
}

// adjusts takes what a supervisor has paid of a past round out of the tray.
func (y *Tray) adjusts(paid int64) {
	if y.Known {
		y.Must, y.Since.Adjusted = y.Must-paid, y.Since.Adjusted+1
	}
}

// turnTray adds what the round has come to that is finished now.
func (t *Table) turnTray() {
	if !t.tray.Known {
		return
	}
	r := Turn{Unknown: t.sums.Unstated, Corrected: len(t.history.told) > 0, Accepted: len(t.others)}
	if !r.Unknown {
		r.Won = t.sums.Staked - t.sums.Returned - t.sums.Won - t.Over()
	}
	for i := range t.decided {
		if one := &t.decided[i]; wins(one) && !one.Unstated && t.rules.Big(one.Won) {
			r.Large++
		}
	}
	t.tray.Round = r
	t.tray.turn(1)
}

// unturn takes out what the last round has added: its payment is taken back.
func (y *Tray) unturn() {
	if y.Known {
		y.turn(-1)
		y.Round = Turn{}
	}
}

// turn adds what the last round has come to, or takes it out, by the sign.
func (y *Tray) turn(sign int) {
	r, s := &y.Round, &y.Since
	y.Must += int64(sign) * r.Won
	s.Rounds += sign
	if r.Unknown {
		s.Unknown += sign
	}
	if r.Corrected {
		s.Corrected += sign
	}
	s.Accepted, s.Large = s.Accepted+sign*r.Accepted, s.Large+sign*r.Large
}

// forget keeps of a tray whose money is another from now on nothing but its slips. Each stays in the currency in which
// it was asked for.
func (y *Tray) forget(was, now string) {
	for i := range y.Slips {
		s := &y.Slips[i]
		if s.Currency = cmp.Or(s.Currency, was); s.Currency == now {
			s.Currency = ""
		}
	}
	*y = Tray{Slip: y.Slip, Slips: y.Slips}
}

// InOneMoney takes all slips for such as are in the table's currency, as earlier versions did.
func (t *Table) InOneMoney() {
	for i := range t.tray.Slips {
		t.tray.Slips[i].Currency = ""
	}
}
