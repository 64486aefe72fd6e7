package touch

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// OpensTray opens a box's tray: "tray-3".
const OpensTray = "tray"

// Tray is all that may be put on one box now, for the lower part of a screen.
type Tray struct {
	Box    int
	Guests []Guest
	// Back takes the whole box back or, of an insurance, the last press; nil where there
	// is nothing to take back.
	Back *Key
}

// Guest is a bettor of a box, the holder first, or one who could join them.
type Guest struct {
	Name   string
	Holder bool
	// Joins says that the guest has nothing on the box yet.
	Joins bool
	// Stake is the main stake: 0 for none, display.Unstated for a mark.
	Stake  int64
	Wagers []Wager
	// Seat says whether the guest sits at the table; nil where nothing hangs on it.
	Seat *Key
	// Back takes back all that the guest has on the box, where another bettor stays; else
	// nil.
	Back *Key
}

// Wager is one stake of a guest.
type Wager struct {
	display.Wager
	// Amount is what lies there: 0 for nothing, display.Unstated for a mark.
	Amount int64
	// Room is the most that may lie there, with what the other bettors have on the box.
	Room int64
	// Taken says that it is placed or, of even money, taken.
	Taken bool
	// Carried says that what lies there is what lay there in the last round: nobody has said
	// yet whether it still does, so that chips replace it.
	Carried bool
	// Key chooses the wager or, where it puts something in, places it and takes it back.
	Key Key
	// Chips is the input that chips complete with an amount; nil where they say nothing.
	Chips *vocab.Input
	// Why says why the wager cannot be placed; empty where it can.
	Why display.Message
}

// TrayOn returns the tray of a box, false where nothing may be put on it now.
func TrayOn(v display.View, b display.Box) (Tray, bool) {
	switch {
	case v.Held != nil || v.Bets == nil:
		return Tray{}, false
	case v.Phase == vocab.Bets && v.Bets.Amounts:
		return stakes(v, b), true
	case v.Phase == vocab.InsuranceOffer:
		return insurances(v, b)
	}
	return Tray{}, false
}

func stakes(v display.View, b display.Box) Tray {
	t := Tray{Box: b.Number}
	for _, name := range append(names(b), newcomer(b)) {
		t.Guests = append(t.Guests, guest(v, b, name))
	}
	if put := withdrawal(b); put != nil {
		t.Back = &Key{Name: "back", Label: onBox("key.back-box", b), Kind: Back, Put: put, Shortcut: "Backspace"}
	}
	return t
}

// names are those of all who have something on a box: the bettors, then who has
// nothing but side bets.
func names(b display.Box) []string {
	var all []string
	for _, one := range b.Bettors {
		all = append(all, one.Name)
	}
	for _, s := range b.Sides {
		if !slices.Contains(all, s.Bettor) {
			all = append(all, s.Bettor)
		}
	}
	return all
}

// newcomer is the name of who joins a box next: its number for the one who opens it,
// with a letter for the others.
func newcomer(b display.Box) string {
	number, taken := strconv.Itoa(b.Number), names(b)
	if len(b.Bettors) == 0 {
		return number
	}
	for letter := 'a'; ; letter++ {
		if name := number + string(letter); !slices.Contains(taken, name) {
			return name
		}
	}
}

func guest(v display.View, b display.Box, name string) Guest {
	g := Guest{Name: name, Joins: !slices.Contains(names(b), name)}
	who := bettor(b, name)
	g.Holder, g.Stake = who.Holder, who.Stake
	for _, w := range v.Bets.Wagers {
		g.Wagers = append(g.Wagers, wager(v, b, who, w))
	}
	g.Seat = seat(v, b, who)
	alone := len(b.Bettors) == 1 && who.Stake != 0 // with whom all side bets would go
	if put := leaving(b, name); !g.Joins && !alone {
		g.Back = &Key{
			Name: "leave", Label: display.Message{
				Key:  "key.back-guest",
				Args: []display.Arg{{Name: "guest", Text: name}},
			},
			Kind: Back, Put: put, Shortcut: "-",
		}
	}
	return g
}

// bettor returns a box's bettor of a name, or one without a main stake.
func bettor(b display.Box, name string) display.Bettor {
	for _, one := range b.Bettors {
		if one.Name == name {
			return one
		}
	}
	return display.Bettor{Name: name}
}

func wager(v display.View, b display.Box, who display.Bettor, w display.Wager) Wager {
	in := stake(b.Number, who.Name, w.On)
	one := Wager{
		Wager: w, Amount: lying(b, who, w.On), Room: room(b, who, w), Why: why(v, b, who, w),
		Key: Key{Name: w.On.String(), Label: display.Message{Key: "wager." + w.On.String()}, Kind: Call},
	}
	one.Taken = one.Amount != 0
	switch {
	case one.Why.Key != "":
	case v.Bets.Amounts && !w.Fixed():
		one.Chips = &in
		one.Carried = slices.ContainsFunc(v.Bets.Last, func(s display.Stake) bool {
			return s.Box == b.Number && s.Bettor == who.Name && s.Wager == w.On && s.Amount == one.Amount &&
				s.Amount > 0
		})
	case one.Amount != 0:
		one.Key.Put = []vocab.Input{amounting(in, 0)}
	case v.Bets.Amounts:
		one.Key.Put = []vocab.Input{amounting(in, w.Least)}
	default:
		one.Key.Put = []vocab.Input{in}
	}
	return one
}

// lying is what a guest has on a wager.
func lying(b display.Box, who display.Bettor, wager vocab.Wager) int64 {
	if wager == vocab.WagerMain {
		return who.Stake
	}
	for _, s := range b.Sides {
		if s.Bettor == who.Name && s.Wager == wager {
			return s.Stake
		}
	}
	return 0
}

// room is the most that a guest may have on a wager, with what the others have on the box.
func room(b display.Box, who display.Bettor, w display.Wager) int64 {
	if w.UpToStake && who.Stake > 0 {
		w.Most = min(w.Most, who.Stake/w.Step*w.Step)
	}
	if w.BoxMost == 0 {
		return w.Most
	}
	left := w.BoxMost + max(0, lying(b, who, w.On))
	for _, one := range b.Bettors {
		if w.On == vocab.WagerMain {
			left -= max(0, one.Stake)
		}
	}
	for _, s := range b.Sides {
		if s.Wager == w.On {
			left -= max(0, s.Stake)
		}
	}
	return min(w.Most, left)
}

// why says why a guest may not place a stake.
func why(v display.View, b display.Box, who display.Bettor, w display.Wager) display.Message {
	side := w.On != vocab.WagerMain
	switch {
	case side && (len(b.Bettors) == 0 || w.Bettors != rules.Anybody && who.Stake == 0):
		return display.Message{Key: "stakes.main-first"}
	case side && w.Bettors == rules.SeatedOnly && !who.Seated:
		return display.Message{Key: "rejected.not-seated"}
	case side && w.Bettors == rules.HoldersOnly && !who.Holder:
		return display.Message{Key: "rejected.holders-only"}
	case lying(b, who, w.On) == 0 && hasAlready(v, b, who, w):
		return display.Message{Key: "rejected.one-per-bettor"}
	case !side && w.MostBettors > 0 && who.Stake == 0 && len(b.Bettors) >= w.MostBettors:
		return display.Message{Key: "rejected.box-full"}
	case v.Bets.Amounts && lying(b, who, w.On) <= 0 && room(b, who, w) < w.Least:
		return display.Message{Key: "stakes.full"}
	}
	return display.Message{}
}

// hasAlready says whether a guest has the same stake under another name: on the box or,
// where a person may place it once only, anywhere at the table.
func hasAlready(v display.View, b display.Box, who display.Bettor, w display.Wager) bool {
	if who.Player == "" {
		return false
	}
	if w.On == vocab.WagerMain {
		return slices.ContainsFunc(b.Bettors, func(one display.Bettor) bool { return one.Player == who.Player })
	}
	theirs := func(s display.SideBet) bool { return s.Wager == w.On && s.Player == who.Player }
	return slices.ContainsFunc(b.Sides, theirs) || w.OnePerBettor &&
		slices.ContainsFunc(v.Boxes, func(other display.Box) bool {
			return slices.ContainsFunc(other.Sides, theirs)
		})
}

// seat is a key for a co-player, where the house has bets for seated guests alone.
func seat(v display.View, b display.Box, who display.Bettor) *Key {
	seated := func(w display.Wager) bool { return w.Bettors == rules.SeatedOnly }
	if who.Stake == 0 || who.Holder || !slices.ContainsFunc(v.Bets.Wagers, seated) {
		return nil
	}
	in := stake(b.Number, who.Name, vocab.WagerMain)
	if who.Stake != display.Unstated {
		in = amounting(in, who.Stake)
	}
	k := Key{Name: "seat", Label: display.Message{Key: "stakes.stands"}, Kind: Back}
	in.Seat = vocab.Seated
	if who.Seated {
		k.Label, in.Seat = display.Message{Key: "stakes.sits"}, vocab.Standing
	}
	k.Put = []vocab.Input{in}
	return &k
}

// stake is one without an amount, which on a box is a mark.
func stake(box int, bettor string, wager vocab.Wager) vocab.Input {
	return vocab.Input{Kind: vocab.InStake, Box: box, Bettor: bettor, Wager: wager}
}

func amounting(in vocab.Input, amount int64) vocab.Input {
	in.Amount, in.Stated = amount, true
	return in
}

// withdrawal takes back all that lies on a box: with the last bettor's stake go the side
// bets.
func withdrawal(b display.Box) []vocab.Input {
	var put []vocab.Input
	for _, one := range b.Bettors {
		put = append(put, amounting(stake(b.Number, one.Name, vocab.WagerMain), 0))
	}
	return put
}

// leaving takes back what one guest has on a box. With the main stake go the side bets
// that need it; those that do not go before it.
func leaving(b display.Box, name string) []vocab.Input {
	var put []vocab.Input
	for _, s := range b.Sides {
		if s.Bettor == name {
			put = append(put, amounting(stake(b.Number, name, s.Wager), 0))
		}
	}
	if bettor(b, name).Stake != 0 {
		put = append(put, amounting(stake(b.Number, name, vocab.WagerMain), 0))
	}
	return put
}
