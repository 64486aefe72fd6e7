package host

import (
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/runner"
)

// openFaces reads the key of the cards that lie face down, or makes one. It is kept before the first card is sealed: a
// hole card outlives a power cut. It is made at every table, so that another house needs no other start.
func (d *Daemon) openFaces() error {
	file := keptFile[runner.FacesKey]{
		path:   d.config.Journal.Path + config.FacesEnd,
		unread: ", which keeps the key of the cards that lie face down, cannot be read",
		without: "a card that lies face down cannot be turned any more: if there is one, hold the round and " +
			"void it",
	}
	key, err := file.restore(d)
	if err != nil {
		return err
	}
	if d.kept.faces = key; key == (runner.FacesKey{}) {
		d.kept.faces = runner.NewFacesKey()
		err = file.keep(d.kept.faces)
	}
	d.seesFaces()
	return err
}

// lostFace is what the people at the table are told of a card that cannot be turned.
const lostFace = "the hole card's key is not here, so it cannot be turned: stop the round, and void it"

// seesFaces holds a table at whose start a card lies face down of which nobody has the key, as after a restore from a
// backup: they are told before somebody looks at it, or turns it.
func (d *Daemon) seesFaces() {
	why := runner.Turns(d.kept.restored.Table, d.kept.faces, d.kept.journal.ID())
	if why == nil {
		return
	}
	d.log.Error("THE CARD THAT LIES FACE DOWN CANNOT BE TURNED: a supervisor must stop the round, and void it",
		"err", why)
	d.kept.unusable = append(d.kept.unusable, lostFace)
}
