package sabot

import (
	"slices"

	"github.com/sabot-table/sabot/shoe"
)

// mostBoots is how many boots are remembered, as many as a journal keeps. A shoe has the same boot id again only if it
// kept its power while others took its place, so a few would do; with these it may be away while another one is
// switched off and on for months.
const mostBoots = 256

// boot is one life of a shoe's queue: the last of its events that was queued for the table or reported lost, and the
// last that is durable.
type boot struct{ id, taken, stored uint32 }

// boots are the boots that this side knows, the present one first, then those whose shoe was here last.
type boots []boot

// stored are the boots of which the journal has events, the latest first.
func storedBoots(positions []shoe.Position) (list boots) {
	for _, p := range positions[:min(len(positions), mostBoots)] {
		list = append(list, boot{p.Boot, p.Seq, p.Seq})
	}
	return list
}

// find returns a boot, nil if it is not known.
func (l boots) find(id uint32) *boot {
	if i := slices.IndexFunc(l, func(b boot) bool { return b.id == id }); i >= 0 {
		return &l[i]
	}
	return nil
}

// enter makes a boot the present one.
func (l *boots) enter(b boot) {
	list := slices.DeleteFunc(*l, func(old boot) bool { return old.id == b.id })
	list = slices.Insert(list, 0, b)
	*l = list[:min(len(list), mostBoots)]
}

// taken is the last event of the present boot that was taken; the zero Position before the first boot.
func (l *link) taken() shoe.Position {
	if len(l.boots) == 0 {
		return shoe.Position{}
	}
	return shoe.Position{Boot: l.boots[0].id, Seq: l.boots[0].taken}
}

// stored is the position that a host-hello names: that of the shoe that is there, as far as this is known and something
// of it is durable, otherwise the last one that is durable.
func (l *link) stored() shoe.Position {
	for _, id := range [...]uint32{l.met, l.durableBoot} {
		if b := l.boots.find(id); b != nil && (b.stored != 0 || id == l.durableBoot) {
			return shoe.Position{Boot: id, Seq: b.stored}
		}
	}
	return shoe.Position{}
}

// owes says that something taken from the present boot is not durable yet.
func (l *link) owes() bool {
	return len(l.boots) > 0 && (l.boots[0].taken != l.boots[0].stored || l.boots[0].id != l.durableBoot)
}
