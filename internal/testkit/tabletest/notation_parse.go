package tabletest

import (
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// ReadInputs reads inputs as package notation writes them, separated by semicolons or line ends, amounts in a currency
// with so many decimals; successive cards need only a space. The error is a *NotationError. It shares no code with the
// writer, so a test that writes and reads again holds both against docs/notation.md.
func ReadInputs(text string, digits int) ([]vocab.Input, error) {
	words, err := split(text)
	if err != nil {
		return nil, err
	}
	return inputsOf(words, digits)
}

func inputsOf(words []word, digits int) (all []vocab.Input, err error) {
	for len(words) > 0 {
		end := 0
		for end < len(words) && !words[end].end {
			end++
		}
		if end < len(words) && words[end].text != ";" {
			return nil, words[end].wrongWord("inputs are separated by semicolons")
		}
		if all, err = appendInputs(all, words[:end], digits); err != nil {
			return nil, err
		}
		words = words[min(end+1, len(words)):]
	}
	return all, nil
}

// appendInputs reads one input, or a row of cards, and its time.
func appendInputs(all []vocab.Input, words []word, digits int) ([]vocab.Input, error) {
	if len(words) == 0 {
		return all, nil
	}
	var when time.Duration
	if at, timed := strings.CutPrefix(words[0].text, "@"); timed {
		var err error
		if when, err = time.ParseDuration(at); err != nil {
			return nil, words[0].wrongWord("%q is not a time: write it as @1.25s", at)
		}
		words = words[1:]
	}
	first := len(all)
	came, words, err := originOf(words)
	if err != nil {
		return nil, err
	}
	if len(words) > 0 && verbs[words[0].text] != nil {
		in, err := parseVerb(words, digits)
		if err != nil {
			return nil, err
		}
		all, words = append(all, in), nil
	}
	for _, w := range words {
		c, err := card.Parse(w.text)
		if err != nil {
			return nil, w.wrongWord("%q is neither an input nor a card", w.text)
		}
		all = append(all, vocab.Input{Kind: vocab.InCard, Card: c})
	}
	for i := range all[first:] {
		all[first+i].Time = int64(when)
		all[first+i].Come(came)
	}
	return all, nil
}

func parseVerb(words []word, digits int) (in vocab.Input, err error) {
	a := &args{verb: words[0], rest: words[1:], digits: digits}
	verbs[words[0].text](a, &in)
	if a.err == nil && len(a.rest) > 0 {
		a.fail(a.rest[0], "%s does not take %q here", a.verb.text, a.rest[0].text)
	}
	return in, a.err
}

// verbs read what follows the first word of an input.
var verbs = map[string]func(a *args, in *vocab.Input){}

func init() {
	for k, read := range readers {
		verbs[k.String()] = func(a *args, in *vocab.Input) { in.Kind = k; read(a, in) }
	}
	for c := range vocab.EveryCall {
		read := stakesCalls[c]
		if read == nil {
			read = joining
		}
		verbs[c.String()] = func(a *args, in *vocab.Input) { in.Kind, in.Call = vocab.InCall, c; read(a, in) }
	}
}

// readers read the inputs that begin with the name of their kind. A setup has no notation;
// a card or a call begins with its own name.
var readers = map[vocab.InputKind]func(a *args, in *vocab.Input){
	vocab.InOpen:  func(*args, *vocab.Input) {},
	vocab.InClose: func(*args, *vocab.Input) {},
	vocab.InUndo: func(a *args, in *vocab.Input) {
		if a.flag(vocab.InShoe.String()) {
			in.Of = vocab.InShoe
		}
	},
	vocab.InStake: readStake, vocab.InResolve: readResolve, vocab.InShoe: readShoe, vocab.InPaid: readPaid,
	vocab.InAcknowledge: func(a *args, in *vocab.Input) {
		in.Command = a.given("command")
		in.Irregularity, in.By = named(a, "an irregularity", irregularity.ParseCode), a.text("who acknowledges it")
	},
	vocab.InDealer: readDealer, vocab.InTable: readTable, vocab.InLimits: readLimits,
	vocab.InNote: func(a *args, in *vocab.Input) { in.Code, in.By = a.text("what is noted"), a.given("by") },
	vocab.InStorage: func(a *args, in *vocab.Input) {
		in.Storage, in.Code = named(a, "an event of the storage", vocab.ParseStorageEvent), a.optional()
	},
	vocab.InFloor: readFloor, vocab.InMessage: readMessage, vocab.InCommand: readRefused, vocab.InSettings: readSetting,
	vocab.InHold: readWho, vocab.InCorrect: readCorrection, vocab.InAdjust: readAdjustment,
	vocab.InCount: readCount, vocab.InFill: readSlip, vocab.InCredit: readSlip, vocab.InBuyIn: readSold,
	vocab.InTips: readSold,
	vocab.InDrop: readWho, vocab.InChange: readChange, vocab.InHole: readHole, vocab.InMeter: readMeter,
	vocab.InJackpot: readMeter,
}

// stakesCalls are the calls that a bettor makes, not a hand.
var stakesCalls = map[vocab.Call]func(a *args, in *vocab.Input){
	vocab.CallInsurance: func(a *args, in *vocab.Input) { a.bettor(in); a.amount(in) },
	vocab.CallEvenMoney: func(a *args, in *vocab.Input) { a.bettor(in) },
	vocab.CallDouble:    readDouble,
	vocab.CallSurrender: readSurrender,
}

// readSurrender reads "surrender a b", and "surrender a box=1" before the dealer looks.
func readSurrender(a *args, in *vocab.Input) {
	box := a.given("box")
	if box == "" {
		joining(a, in)
		return
	}
	n, err := strconv.Atoi(box)
	if err != nil {
		a.fail(a.verb, "%v", err)
	}
	in.Box, in.Bettor = n, a.text("a bettor")
}

// readDouble reads "double", "double a b", and "double a for=15" of one for less.
func readDouble(a *args, in *vocab.Input) {
	if less := a.given("for"); less != "" {
		n, err := money.Parse(less, a.digits)
		if err != nil {
			a.fail(a.verb, "%v", err)
		}
		in.Stated, in.Amount = true, n
	}
	joining(a, in)
}

// joining reads who joins in a call for a hand; no name means everybody.
func joining(a *args, in *vocab.Input) {
	for len(a.rest) > 0 {
		in.Bettors = append(in.Bettors, a.text("a bettor"))
	}
}

func readStake(a *args, in *vocab.Input) {
	a.bettor(in)
	a.amount(in)
	in.Wager, in.Player = vocab.WagerMain, a.given("player")
	switch {
	case a.flag("standing"):
		in.Seat = vocab.Standing
	case a.flag("seated"):
		in.Seat = vocab.Seated
	}
	if len(a.rest) > 0 {
		in.Wager = vocab.ParseWager(a.text("a wager"))
	}
}

func readResolve(a *args, in *vocab.Input) {
	in.With = named(a, "a choice", irregularity.ParseChoice)
	readWho(a, in)
	if len(a.rest) > 0 {
		in.Card = a.card()
	}
}

// readHole reads "hole look", "hole no-black-jack", "hole turned KH", "hole exposed KH by=anna because=seen".
func readHole(a *args, in *vocab.Input) {
	in.Hole = named(a, "an event of the hole card", vocab.ParseHoleEvent)
	readWho(a, in)
	if len(a.rest) > 0 {
		in.Card = a.card()
	}
}

// readWho reads who it is, as what, and why.
func readWho(a *args, in *vocab.Input) {
	in.By, in.Because = a.given("by"), a.given("because")
	if a.flag(vocab.Dealer.String()) {
		in.Role = vocab.Dealer
	}
}

// readCorrection reads "take-back 3", "rename 5 7H", "move 5 2 1", "move 5 bank", "move 5 aside", "missed 5",
// "stake 1 a 20 twins", "dead 1 bettor=a wager=twins hand=2 lose", "came 7H before=5", "refill" or "end-shoe".
func readCorrection(a *args, in *vocab.Input) {
	in.Correct.What = named(a, "a correction", vocab.ParseCorrection)
	switch in.Correct.What {
	case vocab.TakeBack:
		in.Correct.Nth = a.number("the number of a key press")
	case vocab.Missed:
		in.Correct.Nth = a.number("the number of a card")
	case vocab.Rename:
		in.Correct.Nth = a.number("the number of a card")
		in.Card = a.card()
	case vocab.Move:
		in.Correct.Nth, in.Correct.To = a.number("the number of a card"), vocab.ToBox
		if to := elsewhere(a); to != 0 {
			in.Correct.To = to
			break
		}
		in.Box, in.Hand = a.number("a box"), a.hand()
	case vocab.Came:
		in.Correct.Nth = a.count("before")
		in.Card = a.card()
	case vocab.Dead:
		in.Bettor, in.Hand = a.given("bettor"), uint8(min(a.count("hand"), 255))
		if name := a.given("wager"); name != "" {
			in.Wager = vocab.ParseWager(name)
		}
		if a.flag(vocab.Lose.String()) {
			in.Correct.Outcome = vocab.Lose
		}
		in.Box = a.number("a box")
	case vocab.SetStake:
		a.bettor(in)
		a.amount(in)
		readWho(a, in)
		in.Wager = vocab.WagerMain
		if len(a.rest) > 0 {
			in.Wager = vocab.ParseWager(a.text("a wager"))
		}
		return
	}
	readWho(a, in)
}

// elsewhere is where a card lies that is on no box, 0 if it is on one.
func elsewhere(a *args) vocab.To {
	for _, to := range [...]vocab.To{vocab.ToBank, vocab.ToAside} {
		if a.flag(to.String()) {
			return to
		}
	}
	return 0
}

// readAdjustment reads "adjust 17 1 a -10 twins by=s1 because=complaint".
func readAdjustment(a *args, in *vocab.Input) {
	in.Hand = uint8(min(a.count("hand"), 255))
	in.PastRound = a.number("the number of a round")
	a.bettor(in)
	a.amount(in)
	readWho(a, in)
	if in.Wager, in.Stated = vocab.WagerMain, false; len(a.rest) > 0 {
		in.Wager = vocab.ParseWager(a.text("a wager"))
	}
}

// hand reads a hand's number.
func (a *args) hand() uint8 {
	n := a.number("a hand")
	if n < 0 || n > 255 {
		a.fail(a.verb, "%d is no hand", n)
		return 0
	}
	return uint8(n)
}

func readShoe(a *args, in *vocab.Input) {
	in.Shoe.Event = named(a, "an event of a shoe", vocab.ParseShoeEvent)
	switch {
	case len(a.rest) == 0:
	case in.Shoe.Event == vocab.ShoeGap:
		in.Shoe.Missing = a.number("how many cards are missing")
	case in.Shoe.Event == vocab.ShoeCameOnline:
		in.Name(vocab.Named{Maker: a.given("maker"), Serial: a.given("serial"), Firmware: a.given("firmware")})
	case in.Shoe.Event == vocab.ShoeLoaded:
		in.Name(vocab.Named{Packs: a.given("packs")})
		if in.By = a.given("by"); a.flag(vocab.Dealer.String()) {
			in.Role = vocab.Dealer
		}
	default:
		in.Code = a.text("a code")
	}
}

// readPaid reads "paid", "paid box 3", "paid 45.00", "paid box 3 45.00", and "paid box 3
// wager=twins bettor=ann" of what is paid at once.
func readPaid(a *args, in *vocab.Input) {
	in.Bettor, in.Hand = a.given("bettor"), uint8(min(a.count("hand"), 255))
	if name := a.given("wager"); name != "" {
		in.Wager = vocab.ParseWager(name)
	}
	if name := a.given("why"); name != "" {
		if in.Why.UnmarshalText([]byte(name)) != nil {
			a.fail(a.verb, "why=%s is not what decides a wager", name)
		}
	}
	if a.flag("box") {
		in.Box = a.number("a box")
	}
	if len(a.rest) > 0 {
		a.amount(in)
	}
}

// readFloor reads "floor called", "floor called dispute by=d7", "floor done by=anna".
func readFloor(a *args, in *vocab.Input) {
	in.By = a.given("by")
	in.Floor.Event = named(a, "an event of the floor", vocab.ParseFloorEvent)
	if in.Floor.Event == vocab.FloorCalled && len(a.rest) > 0 {
		in.Floor.Wants = named(a, "a reason to call the floor", vocab.ParseFloorReason)
	}
}

// readMessage reads "message sent 'your break is at 10' by=anna", "message seen by=d7".
func readMessage(a *args, in *vocab.Input) {
	in.By, in.Command = a.given("by"), a.given("command")
	in.Message.Event = named(a, "an event of a message", vocab.ParseMessageEvent)
	if in.Message.Event == vocab.MessageSent {
		in.Message.Text = a.text("what is said")
	}
}

// readRefused reads "command forged 3 by=anna".
func readRefused(a *args, in *vocab.Input) {
	in.By = a.given("by")
	in.Refused.Why = a.text("why they are refused")
	in.Refused.Times = uint32(a.number("how many commands"))
}

// readSetting reads "settings changed box_max by=anna was=100.00 now=500.00", "settings renewed supervisors.names
// name=anna by=bert with=carl".
func readSetting(a *args, in *vocab.Input) {
	in.By = a.given("by")
	s := vocab.Setting{Of: a.given("name"), Was: a.given("was"), Now: a.given("now"), Also: a.given("with")}
	s.Did, s.Key = named(a, "a change of a setting", vocab.ParseSettingEvent), a.text("a setting's key")
	in.Setting = &s
}

func readDealer(a *args, in *vocab.Input) {
	in.By = a.text("a name")
	in.Dealer.Relieves = a.given("relieves")
	if name := a.given("proof"); name != "" {
		var known bool
		if in.Dealer.Proof, known = vocab.ParseProof(name); !known {
			a.fail(a.verb, "%q is not how a dealer is proven", name)
		}
	}
	in.Dealer.Shift = a.optional()
}

func readTable(a *args, in *vocab.Input) {
	in.Table.Event = named(a, "what is done with the table", vocab.ParseTableEvent)
	in.Table.Dealer = a.given("dealer")
	in.Command = a.given("command")
	in.By = a.given("by")
}

func readLimits(a *args, in *vocab.Input) {
	in.Limits = vocab.LimitsChange{Min: a.money("min"), BoxMax: a.money("box_max")}
	in.Command = a.given("command")
	in.By = a.given("by")
}

// alone is a meter of which nothing is heard.
const alone = "alone"

// readMeter reads "meter 12345.60 entry=17", "meter alone", or "jackpot 9876.50 entry=17".
func readMeter(a *args, in *vocab.Input) {
	in.Entry = a.count("entry")
	if !a.flag(alone) {
		a.amount(in)
	}
}
