package host

import (
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/facedown"
)

// openFaces reads the key of the cards that lie face down, or makes one. It is kept before the first card is sealed: a
// hole card outlives a power cut. It is made at every table, so that another house needs no other start.
func (d *Daemon) openFaces() error {
	file := keptFile[facedown.Key]{
		path:   d.config.Journal.Path + config.FacesEnd,
		unread: ", which keeps the key of the cards that lie face down, cannot be read",
		without: "a card that lies face down cannot be turned any more: if there is one, hold the round and " +
			"void it",
	}
	key, err := file.restore(d)
	if err != nil || key != (facedown.Key{}) {
		d.kept.faces = key
		return err
	}
	d.kept.faces = facedown.NewKey()
	return file.keep(d.kept.faces)
}
