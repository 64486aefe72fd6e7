package people

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// How many wrong tries are free, and how long the pauses are that follow: as for wrong PINs at a table, each is twice
// as long as the one before. A guesser meets all three; the two that also meet other people end after a minute at most,
// so that nobody can be kept out for longer by the tries of another. From a browser with which the person has entered
// before, only its own tries count.
var (
	// pairPace is for one name from one place, and for one known browser, unless Options say another.
	pairPace = authority.Limits{Tries: 5, LockOut: 5 * time.Second, LockOutMost: 15 * time.Minute}
	// placePace is for all names from one place.
	placePace = authority.Limits{Tries: 20, LockOut: time.Second, LockOutMost: time.Minute}
	// namePace is for one name from all places.
	namePace = authority.Limits{Tries: 30, LockOut: time.Second, LockOutMost: time.Minute}
)

// triesKept is how long a wrong try counts.
const triesKept = 24 * time.Hour

// counter is where a try is counted.
type counter struct {
	key  string
	pace authority.Limits
}

// counters are those that a try meets.
func (p *People) counters(name, from string, known bool, browser ID) []counter {
	if known {
		return []counter{{"browser " + hex.EncodeToString(browser[:]), p.o.Pace}}
	}
	place := placeOf(from)
	all := []counter{{pairKey(name) + place, p.o.Pace}, {"place " + place, placePace}}
	if ownPlaces[place] {
		return all // whatever happens on the network, who is at the pit's own computer is not kept waiting by it
	}
	return append(all, counter{nameKey(name), namePace})
}

// ownPlaces are the pit's own computer, as it asks itself.
var ownPlaces = map[string]bool{placeOf("127.0.0.1"): true, placeOf("::1"): true}

// pairKey begins the keys of a name from each place.
func pairKey(name string) string { return "pair " + folded(name) + " " }

func nameKey(name string) string { return "name " + folded(name) }

// folded stands for a name that was typed, which may be a password in the wrong field: too
// little of its hash to find that from it.
func folded(name string) string {
	const bytes = 4
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:bytes])
}

// placeOf names the place of a network address, as it is kept.
func placeOf(address string) string {
	switch place := site.PlaceOf(address); {
	case !place.IsValid():
		return "elsewhere"
	case place.IsSingleIP():
		return place.Addr().String()
	default:
		return place.String()
	}
}

// afterWrong returns the tries after one more.
func (c counter) afterWrong(t Tries, at time.Time) Tries {
	const most = 1 << 20 // by then a pause has long reached its limit
	t = Tries{Wrong: min(t.at(at).Wrong+1, most), Last: at.Round(0)}
	if d := c.pace.Pause(t.Wrong); d > 0 {
		t.Until = t.Last.Add(d)
	}
	return t
}

// takenBack returns the tries without the last, which was right after all.
func (c counter) takenBack(t Tries) Tries {
	t.Wrong--
	if t.Wrong < 1 {
		return Tries{}
	}
	if c.pace.Pause(t.Wrong) == 0 {
		t.Until = time.Time{}
	}
	return t
}

// at returns the tries that still count. A clock that was set back makes no pause longer.
func (t Tries) at(now time.Time) Tries {
	if t.Wrong == 0 || now.Sub(t.Last) >= triesKept {
		return Tries{}
	}
	if t.Last.After(now) {
		t.Until, t.Last = now.Add(t.Until.Sub(t.Last)), now
	}
	return t
}
