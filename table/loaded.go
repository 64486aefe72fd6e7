package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Unloaded is what the last "shoe loaded" between two rounds has put aside: what was known
// of the shoe before.
type Unloaded struct {
	Seen    CardCounts `json:"seen,omitzero"`
	CutCard bool       `json:"cut_card,omitempty"`
	// Packs were in it, as By had said.
	Packs string `json:"packs,omitempty"`
	By    string `json:"by,omitempty"`
	// Burning was left to be burnt.
	Burning rules.Burn `json:"burn,omitzero"`
	// Order is the order in which its cards had come.
	Order Sequence `json:"order,omitzero"`
}

func (u *Unloaded) copied() *Unloaded {
	if u == nil {
		return nil
	}
	own := *u
	return &own
}

// load makes the shoe count as full: which cards have left it is forgotten, and with them
// what no card of theirs may be any more.
func (t *Table) load(in *vocab.Input) vocab.Reason {
	if reason := t.mayLoad(in); reason != 0 {
		return reason
	}
	left, cut := t.kept.Seen.dealt, t.kept.Shoe.CutCard
	t.loads()
	t.kept.Shoe.CutCard = false
	t.kept.Seen = CardCounts{}
	t.sequence.loaded()
	t.burnLoaded()
	t.shoeCame()
	if in.Origin != nil {
		t.emit(vocab.ShoeLoadedAnew).Trouble = &vocab.Trouble{
			Loaded: vocab.LoadedTold{Left: uint32(left), CutCard: cut, As: in.Role}, By: in.By, Origin: in.Origin,
		}
	}
	t.packsLoaded(in)
	return 0
}

// mayLoad says why an input does not load the shoe. What the shoe says of itself holds at any
// time: it knows what is in it. A person says it between two rounds, since in one the cards
// that could come were in the shoe when it began; and before the cut card only as whom the
// house believes. In records of earlier releases nobody says whose word it was.
func (t *Table) mayLoad(in *vocab.Input) vocab.Reason {
	switch {
	case !in.Came().From.Person():
		return 0
	case t.phase != vocab.Idle:
		return vocab.RoundRunning
	case in.Role == vocab.Dealer && t.LoadNeedsSupervisor():
		return vocab.NeedsSupervisor
	}
	return 0
}

// LoadNeedsSupervisor says whether it is a supervisor's, and no dealer's, to say now that the
// shoe was loaded.
func (t *Table) LoadNeedsSupervisor() bool {
	return t.phase == vocab.Idle && t.LoadsEarly() && t.rules.Cards.LoadedEarly == rules.BySupervisor
}

// LoadsEarly says whether a loading now would come before the cut card: cards have left the
// shoe that would be forgotten before it is played out. A shuffler has no cut card, and its
// cards are back after each round.
func (t *Table) LoadsEarly() bool {
	return t.rules != nil && t.rules.Cards.Source == rules.Shoe && !t.kept.Shoe.CutCard && t.kept.Seen.dealt > 0
}

// loads keeps what is known of the shoe before it is loaded, as long as that can be taken
// back: between two rounds, until a card comes or something else counts the cards anew.
func (t *Table) loads() {
	t.unloaded = nil
	if t.phase == vocab.Idle {
		is := &t.kept.Shoe
		t.unloaded = &Unloaded{
			Seen: t.kept.Seen, CutCard: is.CutCard, Packs: is.Packs, By: is.By, Burning: t.burning,
			Order: t.sequence,
		}
	}
}

// undoLoaded takes back that the shoe was loaded.
func (t *Table) undoLoaded() vocab.Reason {
	switch {
	case t.phase != vocab.Idle:
		return vocab.RoundRunning
	case t.stands():
		return vocab.RoundHeld
	case t.unloaded == nil:
		return vocab.NothingToUndo
	}
	before, was := t.unloaded, t.nextDue()
	t.unloaded = nil
	t.kept.Seen, t.kept.Shoe.CutCard, t.burning, t.sequence = before.Seen, before.CutCard, before.Burning, before.Order
	out := t.emit(vocab.Undone)
	out.Input = vocab.InShoe
	out.Trouble = &vocab.Trouble{Undone: vocab.UndoneTold{Was: was, Now: t.nextDue()}}
	is := t.kept.Shoe.ShoeIdentity
	if is.Packs != before.Packs || is.By != before.By {
		is.Packs, is.By = before.Packs, before.By
		t.changeShoe(is)
	}
	return 0
}

// shoeIsDue says whether somebody opens bets where the shoe is to be shuffled and loaded first: the cut card came, and
// the round in which it did is over. In records of earlier releases nobody says who opened them.
func (t *Table) shoeIsDue(in *vocab.Input) bool {
	return in.Came().From.Person() && t.rules.Cards.Source == rules.Shoe && t.kept.Shoe.CutCard && !t.oneMore
}

// shoeCame: the shoe that was due is loaded.
func (t *Table) shoeCame() {
	t.oneMore = false
	before := len(t.held)
	t.held = slices.DeleteFunc(t.held, func(i Irregularity) bool { return i.Code == irregularity.ShoeDue })
	if len(t.held) < before {
		t.tellResolved(irregularity.ShoeDue, irregularity.Cleared, "", "")
	}
}

// CutCard says whether the cut card has come, now and where the loading of the shoe is taken back, and whether a
// supervisor lets one more round be dealt all the same.
func (t *Table) CutCard() (now, unloaded, oneMore bool) {
	return t.kept.Shoe.CutCard, t.unloaded != nil && t.unloaded.CutCard, t.oneMore
}
