package tabletest

import (
	"iter"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Anything returns any input that a line of a transcript can say, whether it
// makes sense now or not. Half of them are of a kind that does.
func (p *Player) Anything(t *table.Table) vocab.Input {
	in := p.anything(t)
	if p.oneIn(3) {
		in.Come(p.anyOrigin())
	}
	return in
}

// anyHole is anything that may be done with the hole card: mostly what is so.
func (p *Player) anyHole(t *table.Table) vocab.Input {
	in := vocab.Input{Kind: vocab.InHole, Hole: anyOf(p, vocab.HoleLook, vocab.HoleTurned, vocab.HoleExposed)}
	if p.oneIn(4) {
		in.Card = p.anyCard()
		in.Hole = anyOf(p, vocab.HoleLook, vocab.HoleBlackJack, vocab.HoleNoBlackJack, vocab.HoleTurned,
			vocab.HoleExposed)
		if in.Hole != vocab.HoleTurned && in.Hole != vocab.HoleExposed {
			in.Card = card.None // no look names one
		}
	} else {
		in = p.faces.Answer(t, in)
	}
	if in.Hole == vocab.HoleExposed {
		in.By, in.Role = "s1", vocab.Role(p.Dice.IntN(2))
	}
	return in
}

// anyOrigin is mostly a screen.
func (p *Player) anyOrigin() vocab.Origin {
	o := vocab.Origin{From: vocab.FromScreen, At: anyOf(p, "left", "right")}
	if p.oneIn(4) {
		o = vocab.Origin{From: anyMember(p, vocab.EverySource)}
	}
	if p.oneIn(2) {
		o.Who = p.anyName()
	}
	if p.oneIn(4) {
		o.ProvenAt = "pit-tablet"
	}
	return o
}

func (p *Player) anything(t *table.Table) vocab.Input {
	if t.Rules() != nil && t.Rules().Linked() && p.oneIn(8) {
		return p.anyMeter()
	}
	if p.oneIn(2) {
		return p.mistake(t)
	}
	if t.Rules() != nil && t.Rules().Bank.HasHole() && p.oneIn(8) {
		return p.anyHole(t)
	}
	switch p.Dice.IntN(17) {
	case 16:
		return p.AnyTray(t)
	case 15:
		return p.Adjustment(t)
	case 0, 10, 11:
		if p.oneIn(4) {
			return vocab.Input{Kind: vocab.InUndo, Of: vocab.InShoe}
		}
		return vocab.Input{Kind: vocab.InUndo}
	case 1:
		return vocab.Input{Kind: vocab.InOpen}
	case 2:
		return vocab.Input{Kind: vocab.InClose}
	case 3:
		return vocab.Input{Kind: vocab.InCard, Card: p.anyCard()}
	case 4:
		return p.anyCall(t, anyMember(p, vocab.EveryCall))
	case 5:
		return p.anyStake(t)
	case 6:
		return p.anyResolution()
	case 7:
		return p.anyShoe()
	case 8:
		return p.anyPayment(t)
	case 9:
		return p.besideTheRound()
	case 12:
		return p.anyHold()
	case 13:
		return p.Correction(t)
	default:
		return p.anySetup()
	}
}

// mistake returns an input of the kind that is due, with anything in it.
func (p *Player) mistake(t *table.Table) vocab.Input {
	if _, holding := t.Held(); holding {
		switch p.Dice.IntN(4) {
		case 0:
			return p.anyShoe()
		case 1, 2:
			return p.Correction(t)
		}
		return p.anyResolution()
	}
	if p.oneIn(8) {
		return p.anyHold()
	}
	switch t.Phase() {
	case vocab.Bets:
		if p.oneIn(8) {
			return vocab.Input{Kind: vocab.InClose}
		}
		if in, may := crowd(t); may && p.oneIn(4) {
			return in
		}
		if in, may := overStake(t); may && p.oneIn(4) {
			return in
		}
		return p.anyStake(t)
	case vocab.InsuranceOffer:
		return p.anyCall(t, anyOf(p, vocab.CallInsurance, vocab.CallEvenMoney, vocab.CallSurrender))
	case vocab.Play:
		if p.oneIn(4) {
			return vocab.Input{Kind: vocab.InCard, Card: p.anyCard()}
		}
		return p.anyCall(t, p.stakingCall(t.Due().Allowed))
	case vocab.Payment:
		return p.anyPayment(t)
	case vocab.Idle:
		if t.Opening().Closed && !p.oneIn(4) || t.Due().To == vocab.ToAside && p.oneIn(2) {
			return vocab.Input{Kind: vocab.InOpen}
		}
		if p.oneIn(2) {
			return p.atTheTable()
		}
		if p.oneIn(4) {
			return p.Adjustment(t)
		}
		if p.oneIn(4) {
			return p.AnyTray(t)
		}
	}
	return vocab.Input{Kind: vocab.InCard, Card: p.anyCard()}
}

// crowd is a stake of one bettor more than may play a box, false where there is room on every box.
func crowd(t *table.Table) (in vocab.Input, may bool) {
	most := t.Rules().MostBettors()
	for box := 1; box <= t.Boxes() && most > 0; box++ {
		if len(t.Bettors(box)) >= most {
			return vocab.Input{Kind: vocab.InStake, Box: box, Bettor: "late", Wager: vocab.WagerMain}, true
		}
	}
	return in, false
}

// overStake is a side bet over a main stake that limits it, false where there is none.
func overStake(t *table.Table) (in vocab.Input, may bool) {
	for i := range t.Rules().SideBets {
		o := t.Rules().Offer(t.Rules().SideBets[i].Bet)
		for box := 1; box <= t.Boxes() && o.UpToStake; box++ {
			for _, who := range t.Bettors(box) {
				if amount := (who.Stake/o.Step + 1) * o.Step; who.Stake > 0 && amount <= o.Most {
					return vocab.Input{
						Kind: vocab.InStake, Box: box, Bettor: who.Name, Wager: vocab.SideWager(o.Bet),
						Amount: amount, Stated: true,
					}, true
				}
			}
		}
	}
	return in, false
}

// besideTheRound is what concerns the table and no round.
func (p *Player) besideTheRound() vocab.Input {
	in := vocab.Input{Kind: anyOf(p, vocab.InAcknowledge, vocab.InDealer, vocab.InNote, vocab.InStorage, vocab.InFloor,
		vocab.InMessage, vocab.InCommand), By: p.anyName()}
	switch in.Kind {
	case vocab.InAcknowledge:
		in.Irregularity = anyMember(p, irregularity.EveryCode)
		in.Command = p.anyCommand()
	case vocab.InMessage:
		if in.Message.Event = anyMember(p, vocab.EveryMessageEvent); in.Message.Event == vocab.MessageSent {
			in.Message.Text = anyOf(p, "your break is at 10", "Bitte „Limits“ ändern", "a=b 'c'")
			in.Command = p.anyCommand()
		}
	case vocab.InCommand:
		in.Refused.Why, in.Refused.Times = anyOf(p, "forged", "expired"), uint32(anyOf(p, 1, 10_000))
	case vocab.InDealer:
		in.Dealer.Shift = "late"
		if p.oneIn(2) {
			in.Dealer.Proof, in.Dealer.Relieves = anyOf(p, vocab.ByPIN, vocab.ByBadge, 0), p.anyName()
		}
	case vocab.InNote:
		if in.By == "" {
			in.Code = "pin-wrong"
			break
		}
		in.Kind = vocab.InSettings // such notes as name somebody, which costs no draw
		in.Setting = &vocab.Setting{Key: "box_max", Did: vocab.SettingChanged, Now: "500.00"}
		if len(in.By)%2 == 0 {
			in.Setting = &vocab.Setting{Key: "supervisors.names", Did: vocab.SettingRenewed, Of: in.By, Also: in.By}
		}
	case vocab.InFloor:
		if in.Floor.Event = anyMember(p, vocab.EveryFloorEvent); in.Floor.Event == vocab.FloorCalled && p.oneIn(2) {
			in.Floor.Wants = anyMember(p, vocab.EveryFloorReason)
		}
	case vocab.InStorage:
		in.By, in.Storage = "", anyMember(p, vocab.EveryStorageEvent)
		if in.Storage.Holds() && p.oneIn(2) {
			in.Code = p.anyFound()
		}
	}
	return in
}

// anyCommand is the command that put an input in, "" for none.
func (p *Player) anyCommand() string {
	return anyOf(p, "", "00112233445566778899aabbccddeeff")
}

// atTheTable is what is done between two rounds.
func (p *Player) atTheTable() vocab.Input {
	in := vocab.Input{Kind: anyOf(p, vocab.InTable, vocab.InLimits), By: p.anyName()}
	if in.Kind == vocab.InTable {
		in.Table.Event = anyOf(p, vocab.TableOpened, vocab.TableClosed)
		in.Table.Dealer = p.anyName()
		return in
	}
	in.Limits.Min = anyOf[int64](p, 0, 1000, 2000, 500, 25, 200_000)
	in.Limits.BoxMax = anyOf[int64](p, 0, 50_000, 100_000, 900)
	if p.oneIn(4) {
		in.By = "" // the configuration
	}
	return in
}

func (p *Player) anyFound() string {
	some := [...]string{"part 3 was deleted", "the pit has heard of record 812"}
	return some[p.Dice.IntN(len(some))]
}

func (p *Player) anyCard() card.Card {
	switch n := p.Dice.IntN(70); {
	case n < 52:
		return card.Of(card.Rank(1+n%13), card.Suit(n/13))
	case n < 64:
		return card.Joker
	default:
		return card.Unread
	}
}

func (p *Player) anyName() string { return croupier.People[p.Dice.IntN(4)] }

func (p *Player) anyAmount() int64 {
	some := [...]int64{0, 1000, 2000, 50, 25, -1000, 1050, 1025, 500, 49950, 50000, money.Max, -money.Max}
	return some[p.Dice.IntN(len(some))]
}

// anyBox is often one that is played, and sometimes none that there is.
func (p *Player) anyBox() int {
	if p.oneIn(2) {
		return p.Dice.IntN(11)
	}
	return 1 + p.Dice.IntN(3)
}

// anyBettor is often one who plays on the box.
func (p *Player) anyBettor(box int) string {
	if box >= 1 && box <= len(croupier.People) && p.oneIn(2) {
		return croupier.People[(box-1+3*p.Dice.IntN(3))%len(croupier.People)]
	}
	return p.anyName()
}

func (p *Player) anyPayment(t *table.Table) vocab.Input {
	in := vocab.Input{Kind: vocab.InPaid, Box: p.anyBox(), Stated: p.oneIn(2)}
	if in.Stated {
		in.Amount = p.anyAmount()
	}
	switch p.Dice.IntN(4) {
	case 0:
		return in
	case 1:
		if bettors := p.onBox(t, in.Box); len(bettors) > 0 {
			in.Bettor = bettors[p.Dice.IntN(len(bettors))].Name
		}
		return in
	}
	return p.anyPaidNow(t, in)
}

// onBox are the bettors of a box that there is.
func (p *Player) onBox(t *table.Table, box int) []table.Bettor {
	if box < 1 || box > t.Boxes() {
		return nil
	}
	return t.Bettors(box)
}

// anyPaidNow is often a wager that is decided, and sometimes none that there is.
func (p *Player) anyPaidNow(t *table.Table, in vocab.Input) vocab.Input {
	in.Wager = anyMember(p, vocab.EveryWager)
	if p.oneIn(4) {
		in.Bettor = p.anyName()
	}
	if decided := t.Decided(); len(decided) > 0 && !p.oneIn(4) {
		one := decided[p.Dice.IntN(len(decided))]
		in.Box, in.Bettor, in.Wager = int(one.Box), one.Bettor, one.Wager
		if in.Stated {
			in.Amount = one.Won
		}
		if p.oneIn(2) {
			in.Hand, in.Why = one.Hand, one.Why
		}
		if p.oneIn(3) {
			in.Bettor = ""
		}
		if p.oneIn(4) {
			in.Box = 0
		}
	}
	return in
}

// stakingCall is a call that puts more money on the hand, if one is allowed.
func (p *Player) stakingCall(allowed vocab.Calls) vocab.Call {
	for _, c := range [...]vocab.Call{vocab.CallDouble, vocab.CallSplit} {
		if allowed.Has(c) {
			return c
		}
	}
	return anyOf(p, vocab.CallCard, vocab.CallRest, vocab.CallDouble, vocab.CallSplit, vocab.CallSurrender,
		vocab.CallHigher, vocab.CallLower)
}

func (p *Player) anyCall(t *table.Table, call vocab.Call) vocab.Input {
	in := vocab.Input{Kind: vocab.InCall, Call: call}
	if call == vocab.CallSurrender && t.Phase() == vocab.InsuranceOffer && !p.oneIn(8) {
		in.Box = p.anyBox()
		in.Bettor = p.anyBettor(in.Box)
		return in
	}
	switch in.Call {
	case vocab.CallDouble, vocab.CallSplit, vocab.CallSurrender:
		for range p.Dice.IntN(3) {
			in.Bettors = append(in.Bettors, p.anyBettor(int(t.Due().Box)))
		}
	case vocab.CallInsurance:
		in.Box = p.anyBox()
		in.Bettor = p.anyBettor(in.Box)
		p.anyStated(&in)
	case vocab.CallEvenMoney:
		in.Box = p.anyBox()
		in.Bettor = p.anyBettor(in.Box)
	}
	return in
}

// anyStated gives an input an amount, or at times none.
func (p *Player) anyStated(in *vocab.Input) {
	if in.Stated = !p.oneIn(8); in.Stated {
		in.Amount = p.anyAmount()
	}
}

func (p *Player) anyStake(t *table.Table) vocab.Input {
	in := vocab.Input{
		Kind: vocab.InStake, Box: p.anyBox(), Bettor: p.anyName(), Wager: p.anyWager(t),
		Seat: vocab.Seat(p.Dice.IntN(3)),
	}
	p.anyStated(&in)
	if p.oneIn(2) {
		in.Player = p.anyBettor(in.Box)
	}
	return in
}

// anyWager is half the time the main wager, and often one that the house takes.
func (p *Player) anyWager(t *table.Table) vocab.Wager {
	if p.oneIn(2) {
		return vocab.WagerMain
	}
	list := []vocab.Wager{vocab.WagerInsurance, vocab.WagerUnknown}
	house := t.Rules() != nil && !p.oneIn(4)
	if !house {
		return anyMember(p, vocab.EveryWager)
	}
	for _, o := range t.Rules().Offers() {
		list = append(list, vocab.SideWager(o.Bet))
	}
	return list[p.Dice.IntN(len(list))]
}

func (p *Player) anyResolution() vocab.Input {
	in := vocab.Input{
		Kind: vocab.InResolve, With: anyOf(p, slices.Collect(personsChoices)...),
		By: p.anyName(), Role: vocab.Role(p.Dice.IntN(2)),
	}
	if p.oneIn(2) {
		in.Card = p.anyCard()
	}
	if p.oneIn(4) {
		in.Because = "a card of the other pack"
	}
	return in
}

// personsChoices are those that a line can say.
func personsChoices(yield func(irregularity.Choice) bool) {
	for c := range irregularity.EveryChoice {
		if _, persons := irregularity.ParseChoice(c.String()); persons && !yield(c) {
			return
		}
	}
}

func (p *Player) anyHold() vocab.Input {
	return vocab.Input{
		Kind: vocab.InHold, By: p.anyName(), Role: vocab.Role(p.Dice.IntN(2)),
		Because: anyOf(p, "", "a card is on the wrong box"),
	}
}

// Correction is mostly one of what there is in the round.
func (p *Player) Correction(t *table.Table) vocab.Input {
	some := append(slices.Collect(vocab.EveryCorrection), vocab.Move, vocab.Move) // of which few find their place
	in := vocab.Input{Kind: vocab.InCorrect, Correct: vocab.Correct{What: anyOf(p, some...)}, By: p.anyName()}
	if p.oneIn(8) {
		in.Role = vocab.Dealer
	}
	laid, keys := 0, len(t.Keys())
	if t.Rules() != nil {
		laid = len(t.Laid())
	}
	switch in.Correct.What {
	case vocab.TakeBack:
		in.Correct.Nth = max(0, keys-p.Dice.IntN(4))
	case vocab.Missed:
		in.Correct.Nth = max(0, laid-p.Dice.IntN(laid+2)+1)
	case vocab.Rename:
		in.Correct.Nth, in.Card = max(0, laid-p.Dice.IntN(laid+2)+1), p.anyCard()
	case vocab.Move:
		in.Correct.Nth, in.Correct.To, in.Box, in.Hand = max(0, laid-p.Dice.IntN(laid+2)+1), vocab.ToBox, p.anyBox(),
			uint8(p.Dice.IntN(3))
		if p.oneIn(3) {
			in.Correct.To, in.Box, in.Hand = anyOf(p, vocab.ToBank, vocab.ToAside), 0, 0
		}
	case vocab.SetStake:
		in.Box = p.anyBox()
		in.Bettor, in.Wager = p.anyBettor(in.Box), p.anyWager(t)
		p.anyStated(&in)
	case vocab.Dead:
		p.anyDead(t, &in)
	case vocab.Came:
		if in.Card = p.anyCard(); p.oneIn(2) {
			in.Correct.Nth = max(0, laid-p.Dice.IntN(4)+1)
		}
	}
	if p.oneIn(4) {
		in.Because = "seen by all"
	}
	return in
}

// anyDead is a box, a hand, or what somebody has there: often of what is played.
func (p *Player) anyDead(t *table.Table, in *vocab.Input) {
	if in.Box = p.anyBox(); p.oneIn(3) {
		in.Hand = uint8(p.Dice.IntN(4))
	}
	if p.oneIn(3) {
		in.Wager = p.anyWager(t)
	}
	if p.oneIn(4) {
		in.Correct.Outcome = vocab.Lose
	}
	if on := p.onBox(t, in.Box); len(on) > 0 && p.oneIn(3) {
		in.Bettor = on[p.Dice.IntN(len(on))].Name
	} else if p.oneIn(16) {
		in.Bettor = p.anyName()
	}
}

// Adjustment is mostly one of a wager of the round that lies on the table, and otherwise one that is refused whatever
// the past rounds were.
func (p *Player) Adjustment(t *table.Table) vocab.Input {
	in := vocab.Input{
		Kind: vocab.InAdjust, PastRound: int(t.Round()), Box: 1, Bettor: "nobody", Wager: vocab.WagerMain,
		Amount: 500 * int64(p.Dice.IntN(9)-4),
		By:     p.anyName(), Because: "dispute",
	}
	switch {
	case t.Rules() == nil || t.Phase() != vocab.Idle:
		return in // of a round that is not over, if of any
	case len(t.Decided()) == 0:
		in.PastRound++
		return in
	}
	one := anyOf(p, t.Decided()...)
	in.Box, in.Bettor, in.Wager, in.Hand = int(one.Box), one.Bettor, one.Wager, one.Hand
	switch {
	case p.oneIn(8):
		in.Role = vocab.Dealer
	case p.oneIn(8):
		in.PastRound += 1 + p.Dice.IntN(2)
	case p.oneIn(8):
		in.Box = 11
	case p.oneIn(8):
		in.Amount++
	}
	return in
}

// factoryOrder is how packs come that nobody has shuffled.
var factoryOrder = slices.Collect(card.All)[5:13]

func (p *Player) anyShoe() vocab.Input {
	in := vocab.Input{Kind: vocab.InShoe}
	in.Shoe.Event = anyOf(p, vocab.ShoeLoaded, vocab.ShoeLoaded, vocab.ShoeLoaded, vocab.ShoeCutCard,
		vocab.ShoeWentOffline, vocab.ShoeCameOnline, vocab.ShoeGap, vocab.ShoeAlarmRaised, vocab.ShoeAlarmCleared)
	switch in.Shoe.Event {
	case vocab.ShoeGap:
		in.Shoe.Missing = p.Dice.IntN(4)
	case vocab.ShoeAlarmRaised, vocab.ShoeAlarmCleared:
		in.Code = "cover"
	case vocab.ShoeCameOnline:
		// A shoe that tells all, others of its make, one of a make that tells nothing, and a
		// line of before shoes were named.
		is := vocab.Named{Maker: anyOf(p, "sabot", "sabot", "bee-tek", "")}
		if is.Maker == "sabot" {
			is.Serial, is.Firmware = anyOf(p, "SB-1", `S "2"`), anyOf(p, "1.0.0", "1.0.1")
		}
		in.Name(is)
	case vocab.ShoeLoaded:
		if p.loads++; p.Unshuffled && p.loads%3 > 0 { // twice in a row in factory order, and so in the same
			p.ordered = factoryOrder
		}
		in.Name(vocab.Named{Packs: anyOf(p, "", "red 1-6", "blue / 7,12")})
		if in.Shoe.Named != nil {
			in.By = p.anyName()
		}
		if p.oneIn(2) {
			in.Role = vocab.Dealer
			in.Come(p.anyOrigin())
		}
	}
	return in
}

// anySetup is mostly a house as its profile has it.
func (p *Player) anySetup() vocab.Input {
	some := []rules.Setup{
		{House: "wiesbaden", Boxes: 3, Calls: "implied", KeysApart: -1},
		{House: "st-moritz", Min: 50, Unit: 50, Boxes: 9},
		{House: "wiesbaden", Min: 1000, Unit: 500, Currency: "CHF", Decks: 1},
		{House: "mendrisio", Jackpot: 50_000},
		{House: "schaffhausen", Min: 500, Decks: 8, Calls: "implied"},
	}
	if p.oneIn(2) {
		return *SetUp(anyOf(p, some...))
	}
	return *SetUp(rules.Setup{House: anyOf(p, profile.Built().Names()...)})
}

// anyOf draws one of a list.
func anyOf[T any](p *Player, list ...T) T { return list[p.Dice.IntN(len(list))] }

// anyMember draws one of an enumeration.
func anyMember[T any](p *Player, every iter.Seq[T]) T { return anyOf(p, slices.Collect(every)...) }

// anyMeter is what the pit may say of a jackpot of several tables, also when nobody has asked.
func (p *Player) anyMeter() vocab.Input {
	in := vocab.Input{Kind: vocab.InMeter, Amount: int64(p.Dice.IntN(3_000_000)), Entry: p.Dice.IntN(9), Stated: true}
	switch {
	case p.oneIn(3):
		in.Kind = vocab.InJackpot
	case p.oneIn(3):
		in.Amount, in.Stated = 0, false
	}
	return in
}
