package paneldriver

import (
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// remarkEvery is how often a contact that repeats the same fault is logged.
const remarkEvery = time.Minute

// remark is what can be wrong with a contact.
type remark struct {
	kind keys.Kind
	key  string
}

// remarks logs what is wrong with contacts: the first time at once, then as a count.
type remarks struct {
	log  *slog.Logger
	said map[remark]time.Time
	more map[remark]int
}

var remarkTexts = map[keys.Kind]string{
	keys.Held:     "keys: a key was found held down, and does nothing until it is released",
	keys.Stuck:    "keys: a key is stuck",
	keys.Unsteady: "keys: a contact does not rest, and does nothing until it does",
	keys.Again:    "keys: a key closed again sooner than a hand can press it: the contact is worn",
	keys.Brief:    "keys: a key was touched too briefly to count",
}

func (r *remarks) note(what remark, now time.Time) {
	if what.kind == keys.Cleared {
		r.log.Info("keys: a key works again", "key", what.key)
		return
	}
	if r.said == nil {
		r.said, r.more = make(map[remark]time.Time), make(map[remark]int)
	}
	r.more[what]++
	if last, once := r.said[what]; once && now.Sub(last) < remarkEvery {
		return
	}
	r.log.Warn(remarkTexts[what.kind], "key", what.key, "times", r.more[what])
	r.said[what], r.more[what] = now, 0
}
