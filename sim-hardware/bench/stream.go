package bench

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

const (
	// heartbeat is how often a page is sent a sign of life, and what is not announced, such as the frames on the wire.
	heartbeat = 500 * time.Millisecond
	// least is the time between two pictures: a simulated dealer may be faster than eyes.
	least = 40 * time.Millisecond
	// patience is how long a page may take for one message.
	patience = 5 * time.Second
)

// events keeps one page up to date until it leaves or stops taking messages, like the dealer's page.
func (b *Bench) events(w http.ResponseWriter, r *http.Request) {
	to := site.NewStream(w, patience)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		_, view := b.o.Table.Look()
		_, panel := b.o.Panel.Look()
		own := b.look()
		if err := b.show(to); err != nil {
			b.o.Log.Debug("bench: a page left", "client", r.RemoteAddr, "err", err)
			return
		}
		select {
		case <-view:
		case <-panel:
		case <-own:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
		select {
		case <-time.After(least):
		case <-r.Context().Done():
			return
		}
	}
}

// show sends the parts that the page lacks or, if none, a sign of life.
func (b *Bench) show(to *site.Stream) error {
	parts, err := b.draw()
	if err != nil {
		return err
	}
	var sections [][]byte
	for _, p := range parts {
		sections = append(sections, nil, []byte(p.html))
	}
	lacks, err := to.Show("", sections)
	if err != nil || lacks {
		return err
	}
	return to.Beat("", build)
}
