package table

import "github.com/sabot-table/sabot/table/vocab"

// Unloaded is what the last "shoe loaded" between two rounds has put aside: what was known
// of the shoe before.
type Unloaded struct {
	Seen    CardCounts `json:"seen,omitzero"`
	CutCard bool       `json:"cut_card,omitempty"`
	// Packs were in it, as By had said.
	Packs string `json:"packs,omitempty"`
	By    string `json:"by,omitempty"`
}

func (u *Unloaded) copied() *Unloaded {
	if u == nil {
		return nil
	}
	own := *u
	return &own
}

// loads keeps what is known of the shoe before it is loaded, as long as that can be taken
// back: between two rounds, until a card comes or something else counts the cards anew.
func (t *Table) loads() {
	t.unloaded = nil
	if t.phase == vocab.Idle {
		is := &t.kept.Shoe
		t.unloaded = &Unloaded{Seen: t.kept.Seen, CutCard: is.CutCard, Packs: is.Packs, By: is.By}
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
	before := t.unloaded
	t.unloaded = nil
	t.kept.Seen, t.kept.Shoe.CutCard = before.Seen, before.CutCard
	out := t.emit(vocab.Undone)
	out.Input = vocab.InShoe
	due := t.nextDue()
	out.Trouble = &vocab.Trouble{Was: due, Now: due}
	is := t.kept.Shoe.ShoeIdentity
	if is.Packs != before.Packs || is.By != before.By {
		is.Packs, is.By = before.Packs, before.By
		t.changeShoe(is)
	}
	return 0
}
