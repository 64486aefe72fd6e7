package notation

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// Output says an output in a line.
func (digits Digits) Output(out vocab.Output) string {
	switch out.Kind {
	case vocab.Opened:
		return fmt.Sprintf("round %d: bets open", out.Round)
	case vocab.ClosedBets:
		return "bets closed"
	case vocab.Rejected:
		return rejected(out)
	case vocab.Dealt:
		return dealt(out)
	case vocab.DueChanged:
		return due(out)
	case vocab.HandDone:
		return fmt.Sprintf("%s done: %s", place(out), out.Done)
	case vocab.Irregular:
		return digits.irregular(out)
	case vocab.Resolved:
		return strings.TrimSuffix(fmt.Sprintf("resolved: %s with %s by %s: %s", out.Code, out.With, out.By,
			out.Because), ": ")
	case vocab.Acknowledged:
		return fmt.Sprintf("acknowledged: %s by %s", out.Code, out.By)
	case vocab.Undone:
		return strings.Replace(strings.TrimSpace(fmt.Sprintf("undone: %s %s", out.Input, undone(out))), " ;", ";", 1)
	case vocab.Settled:
		return digits.settled(out)
	case vocab.Bonus:
		return digits.bonus(out)
	case vocab.PaidAtOnce:
		return digits.paidAtOnce(out)
	case vocab.RoundDecided:
		return digits.round(out)
	case vocab.Finished:
		if out.Trouble != nil && out.Payment.Differs {
			return fmt.Sprintf("round %d finished; %s paid instead of %s", out.Round,
				digits.Amount(out.Payment.Given),
				digits.Amount(out.Payment.Owed)) + digits.tray(out)
		}
		return fmt.Sprintf("round %d finished", out.Round) + digits.tray(out)
	case vocab.Corrected:
		return corrected(out)
	case vocab.Stands:
		return digits.stands(out)
	case vocab.HoleTold:
		return strings.TrimSpace(fmt.Sprintf("hole card: %s %s", out.Hole, out.Card))
	case vocab.Difference:
		return fmt.Sprintf("difference: %s %s %s: %s", place(out), out.Bettor, out.Wager, digits.difference(out))
	default:
		return digits.aroundRounds(out)
	}
}

// aroundRounds says an output that belongs to no step of a round: who and what is at the table, and its money.
func (digits Digits) aroundRounds(out vocab.Output) string {
	switch out.Kind {
	case vocab.DealerChanged:
		return told(fmt.Sprintf("dealer: %s %s", out.By, out.Dealer.Shift), proven(out.Dealer.Proof),
			relieves(out.Dealer.Relieves))
	case vocab.TableChanged:
		return told("table "+out.Table.Event.String(), dealtBy(out.Table.Dealer), byWhom(out.By))
	case vocab.LimitsChanged:
		return told("limits:", digits.limit("minimum", out.Limits.Min), digits.limit("box maximum", out.Limits.BoxMax),
			byWhom(out.By))
	case vocab.ShoeChanged:
		return told("shoe:", out.Shoe.Maker, out.Shoe.Serial, out.Shoe.Firmware, out.Shoe.Packs, byWhom(out.By))
	case vocab.ShoeLoadedAnew:
		return loaded(out)
	case vocab.SettingsChanged:
		return told("settings: "+set(*out.Setting), byWhom(out.By), also(*out.Setting))
	case vocab.FloorTold:
		return told("floor: "+out.Floor.Event.String(), out.Floor.Wants.String(), byWhom(out.By))
	case vocab.MessageTold:
		return told("message: "+out.Message.Event.String(), out.Message.Text, byWhom(out.By))
	case vocab.Payout:
		return told(fmt.Sprintf("%s %s %s: %s paid instead of %s", place(out), out.Bettor, out.Wager,
			digits.Amount(out.Payment.Given), digits.Amount(out.Payment.Owed)), byWhom(out.By), out.Because)
	case vocab.Adjusted:
		return told(fmt.Sprintf("round %d adjusted: %s %s %s: %s", out.Round, place(out), out.Bettor, out.Wager,
			digits.Amount(out.Adjusted)), byWhom(out.By), out.Because) + digits.tray(out)
	case vocab.Counted:
		return digits.counted(out)
	case vocab.TrayMoved:
		return digits.trayMoved(out)
	case vocab.JackpotTold:
		return digits.jackpotTold(out)
	default:
		return "output without a description: " + out.Kind.String()
	}
}

// trayMoved says what came into the tray or left it, other than by a round.
func (digits Digits) trayMoved(out vocab.Output) string {
	y := out.Tray
	text := told(y.Of.String()+slip(y.Slip), y.Step.String()) + ": " + digits.Amount(y.Amount)
	if len(y.Chips) > 0 {
		text += " (" + told(digits.chips(y.Chips), digits.instead(y.For)) + ")"
	}
	return told(text, byWhom(out.By), out.Because) + digits.tray(out)
}

// tray is what must be in the tray, as far as that is known.
func (digits Digits) tray(out vocab.Output) string {
	if out.Trouble == nil || !out.InTray.Known {
		return ""
	}
	return "; in the tray " + digits.Amount(out.InTray.Amount)
}

func (digits Digits) instead(of []vocab.Chips) string {
	if len(of) == 0 {
		return ""
	}
	return "for " + digits.chips(of)
}

// counted says what was counted, what had to be there, and what happened since the count before.
func (digits Digits) counted(out vocab.Output) string {
	y := out.Tray
	text := fmt.Sprintf("tray counted, %s: %s = %s with %s by %s", y.Count, digits.chips(y.Chips),
		digits.Amount(y.Amount),
		y.Dealer, out.By)
	if out.InTray.Known {
		text += fmt.Sprintf("; %s had to be there, difference %s", digits.Amount(out.InTray.Amount),
			digits.Amount(y.Difference))
	}
	for _, one := range []struct {
		n    int
		what string
	}{
		{int(y.Since), "since count"},
		{y.Rounds, "rounds"},
		{y.Unknown, "without amounts"},
		{y.Corrected, "corrected"},
		{y.Accepted, "paid otherwise"},
		{y.Adjusted, "adjusted"},
		{y.Large, "large wins"},
	} {
		if one.n != 0 {
			text += fmt.Sprintf("; %s %d", one.what, one.n)
		}
	}
	if len(y.Dealers) > 0 {
		text += "; dealt by " + strings.Join(y.Dealers, ", ")
	}
	return text
}

// list names what there is, with commas.
func list[T fmt.Stringer](all iter.Seq[T]) string {
	var names []string
	for one := range all {
		names = append(names, one.String())
	}
	return strings.Join(names, ", ")
}

func place(out vocab.Output) string {
	switch {
	case out.Box == 0:
		return "all boxes"
	case out.Hand > 1:
		return fmt.Sprintf("box %d hand %d", out.Box, out.Hand)
	}
	return fmt.Sprintf("box %d", out.Box)
}

func dealt(out vocab.Output) string {
	total := fmt.Sprint(out.Total)
	switch {
	case out.Points && out.Total == 1:
		total += " point"
	case out.Points:
		total += " points"
	case out.Soft:
		total = "soft " + total
	}
	switch {
	case out.To == vocab.ToBank:
		return fmt.Sprintf("%s to the bank: %s", out.Card, total)
	case out.To == vocab.ToBox:
		return fmt.Sprintf("%s to %s: %s", out.Card, place(out), total)
	case out.Box != 0:
		return fmt.Sprintf("%s aside, laid to %s", out.Card, place(out))
	default:
		return fmt.Sprintf("%s aside", out.Card)
	}
}

func due(out vocab.Output) string {
	switch out.To {
	case vocab.ToBox:
		return "due: card to " + place(out)
	case vocab.ToBank:
		return "due: card to the bank"
	case vocab.ToAside:
		return fmt.Sprintf("due: %d to burn", out.Times)
	case vocab.ToCall:
		return fmt.Sprintf("due: %s calls %s", place(out), list(out.Allowed.All))
	default:
		return "due: " + out.To.String()
	}
}

func rejected(out vocab.Output) string {
	text := "rejected: " + out.Reason.String()
	if out.Cause == 0 {
		return text
	}
	text += ": " + told(out.Input.String(), out.Call.String(), out.Card.String())
	if out.Box != 0 {
		text += " on " + place(out)
	}
	return text + ": " + out.Cause.String()
}

func corrected(out vocab.Output) string {
	text := "CORRECTED: " + out.Corrected.What.String()
	if out.Corrected.Nth != 0 {
		text += fmt.Sprintf(" %d", out.Corrected.Nth)
	}
	text = told(text, out.Card.String())
	switch {
	case out.To == vocab.ToBank:
		text += " at the bank"
	case out.To == vocab.ToAside:
		text += " aside"
	case out.Box != 0:
		text += " on " + place(out)
	}
	return told(text, byWhom(out.By), out.Because)
}

func (digits Digits) stands(out vocab.Output) string {
	in := out.Stand
	if in.Kind == vocab.InCorrect {
		return "stands: " + digits.corrects(*in)
	}
	text := "stands: " + told(in.Kind.String(), in.Call.String(), in.With.String(), in.Wager.String(), in.Bettor)
	if in.Kind == vocab.InStake || in.Call == vocab.CallInsurance {
		text += " " + digits.stated(*in)
	}
	text += digits.forLess(*in)
	if in.Box != 0 {
		text += " on " + place(vocab.Output{Box: uint8(in.Box), Hand: in.Hand})
	}
	return told(text, strings.Join(in.Bettors, ", "))
}

// difference is what a bettor got and gets, and what is to be put right of what was paid.
func (digits Digits) difference(out vocab.Output) string {
	if out.Unstated {
		return "another outcome"
	}
	text := digits.Amount(out.Difference.After) + " instead of " + digits.Amount(out.Difference.Before)
	switch {
	case !out.Difference.HadBefore:
		text = digits.Amount(out.Difference.After) + ", which was none"
	case !out.Difference.HasAfter:
		text = digits.Amount(out.Difference.Before) + " is not decided any more"
	}
	if out.Difference.HasPaid {
		text += ", " + digits.Amount(out.Difference.Paid) + " paid"
	}
	switch {
	case out.Difference.HasMore && out.Difference.More < 0:
		text += ", " + digits.Amount(-out.Difference.More) + " to take"
	case out.Difference.HasMore:
		text += ", " + digits.Amount(out.Difference.More) + " more"
	}
	return text
}

func (digits Digits) irregular(out vocab.Output) string {
	text := "IRREGULAR: " + out.Code.String()
	if out.Card != card.None {
		text += " " + out.Card.String()
	}
	if out.Irregular.Missing != 0 {
		text += fmt.Sprintf(" %d missing", out.Irregular.Missing)
	}
	if out.Irregular.Alarm != "" {
		text += " " + out.Irregular.Alarm
	}
	if out.Irregular.Found != "" {
		text += " " + out.Irregular.Found
	}
	if out.Refused.Why != "" {
		text += fmt.Sprintf(" %d %s", out.Refused.Times, out.Refused.Why)
	}
	if out.Payment.Differs {
		text += fmt.Sprintf(" %s paid instead of %s", digits.Amount(out.Payment.Given),
			digits.Amount(out.Payment.Owed))
	}
	text += digits.bigWin(out)
	text = told(text, byWhom(out.By), out.Because)
	for c := range out.Allowed.All {
		text += " " + c.String()
	}
	return strings.TrimSpace(text + "; choices: " + list(out.Irregular.Choices.All))
}

// bigWin names the win that a supervisor confirms.
func (digits Digits) bigWin(out vocab.Output) string {
	if out.Wager == "" {
		return ""
	}
	return fmt.Sprintf(" %s %s %s: %s, %s", place(out), out.Bettor, out.Wager,
		digits.Amount(out.Won), out.Why)
}

func undone(out vocab.Output) string {
	if out.Round != 0 {
		again := out
		again.Round = 0
		return strings.TrimSpace(fmt.Sprintf("%s; round %d is at payment again", undone(again), out.Round))
	}
	if out.Wager != "" {
		return strings.TrimSpace(fmt.Sprintf("%s %s of %s", out.Bettor, out.Wager, place(out)))
	}
	if out.Input != vocab.InCall {
		return ""
	}
	if out.Box == 0 {
		return out.Call.String()
	}
	return fmt.Sprintf("%s of %s", out.Call, place(out))
}

func (digits Digits) settled(out vocab.Output) string {
	text := fmt.Sprintf("%s %s %s %s: %s", place(out), out.Bettor, out.Wager, digits.stakeText(out), out.Outcome)
	if won := digits.wonText(out); won != "" {
		text += " " + won
	}
	switch {
	case out.Carried:
		text += " (half a chip on the line)"
	case out.Rounded:
		text += " (rounded)"
	}
	if out.OnLine {
		text += lineText[out.Outcome == vocab.Win]
	}
	if out.Returned != 0 && out.Returned != out.Stake {
		text += ", back " + digits.Amount(out.Returned)
	}
	return text + ", " + out.Why.String()
}

// lineText says what becomes of the chip on the line, by whether the wager has won.
var lineText = map[bool]string{true: " with the chip on the line", false: "; the chip on the line is taken"}

func (digits Digits) paidAtOnce(out vocab.Output) string {
	text := fmt.Sprintf("%s %s %s, %s: ", place(out), out.Bettor, out.Wager, out.Why)
	switch {
	case out.Outcome == vocab.Lose:
		return text + "taken now"
	case out.Unstated:
		return text + "paid now"
	case out.Outcome == vocab.Surrendered, out.Outcome == vocab.Void, out.Outcome == vocab.PartLost:
		return text + "back now " + digits.Amount(out.Returned)
	}
	return text + "paid now " + digits.Amount(out.Won)
}

func (digits Digits) bonus(out vocab.Output) string {
	text := fmt.Sprintf("%s %s %s %s: bonus %s", place(out), out.Bettor, out.Wager, digits.stakeText(out),
		digits.wonText(out))
	if out.Rounded {
		text += " (rounded)"
	}
	return text + ", " + out.Why.String()
}

// stakeText is the stake, or how often an unknown one lies there.
func (digits Digits) stakeText(out vocab.Output) string {
	switch {
	case !out.Unstated:
		return digits.Amount(out.Stake)
	case out.Times > 1:
		return fmt.Sprintf("stake x%d", out.Times)
	default:
		return "stake"
	}
}

// wonText is what is won, "" for nothing; odds where the stake is not known.
func (digits Digits) wonText(out vocab.Output) string {
	switch {
	case out.Unstated && out.Odds.Den != 0:
		return out.Odds.String()
	case out.Won != 0:
		return digits.Amount(out.Won)
	}
	return ""
}

func (digits Digits) round(out vocab.Output) string {
	bank := "drew nothing"
	if len(out.Bank) > 0 {
		bank = fmt.Sprintf("%s = %d", strings.ReplaceAll(list(slices.Values(out.Bank)), ",", ""), out.Total)
	}
	if out.Unstated {
		return fmt.Sprintf("round %d: bank %s", out.Round, bank)
	}
	return fmt.Sprintf("round %d: bank %s; staked %s, returned %s, won %s", out.Round, bank,
		digits.Amount(out.Sums.Staked), digits.Amount(out.Sums.Returned),
		digits.Amount(out.Sums.Won))
}

// jackpotTold says that a jackpot of several tables was won, or what a round has moved of it.
func (digits Digits) jackpotTold(out vocab.Output) string {
	m := out.Meter
	if m.Event == vocab.JackpotJoined {
		return "the table plays for the jackpot " + m.Name
	}
	if m.Event == vocab.JackpotHit {
		return fmt.Sprintf("the jackpot %s is won by %d in round %d: the pit says how much it is", m.Name, m.Winners,
			out.Round)
	}
	return fmt.Sprintf("the jackpot %s: round %d has fed %s and paid %s", m.Name, out.Round,
		digits.Amount(m.Fed),
		digits.Amount(m.Paid))
}
