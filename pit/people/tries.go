package people

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/sabot-table/sabot/internal/web/ratelimit"
)

// pace is how many wrong tries are free, and how long the pauses are that follow: each is
// twice as long as the one before.
type pace struct {
	free        int
	first, most time.Duration
}

// The paces. A guesser meets all three; the two that also meet other people end after a
// minute at most, so that nobody can be kept out for longer by the tries of another.
// From a browser with which the person has entered before, only its own tries count.
var (
	// pairPace is for one name from one place, and for one known browser.
	pairPace = pace{free: 5, first: 5 * time.Second, most: 15 * time.Minute}
	// placePace is for all names from one place.
	placePace = pace{free: 20, first: time.Second, most: time.Minute}
	// namePace is for one name from all places.
	namePace = pace{free: 30, first: time.Second, most: time.Minute}
)

// triesKept is how long a wrong try counts.
const triesKept = 24 * time.Hour

// mostWrong is where counting ends; by then a pause has long reached its limit.
const mostWrong = 1 << 20

// counter is where a try is counted.
type counter struct {
	key  string
	pace pace
}

// counters are those that a try meets.
func counters(name, from string, known bool, browser ID) []counter {
	if known {
		return []counter{{"browser " + hex.EncodeToString(browser[:]), pairPace}}
	}
	place := placeOf(from)
	all := []counter{{pairKey(name) + place, pairPace}, {"place " + place, placePace}}
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
	switch place := ratelimit.PlaceOf(address); {
	case !place.IsValid():
		return "elsewhere"
	case place.IsSingleIP():
		return place.Addr().String()
	default:
		return place.String()
	}
}

// pause is how long the pause is after so many wrong tries; 0 for none.
func (p pace) pause(wrong int) time.Duration {
	if wrong < p.free {
		return 0
	}
	d := p.first
	for i := p.free; i < wrong && d < p.most; i++ {
		d *= 2
	}
	return min(d, p.most)
}

// afterWrong returns the tries after one more.
func (p pace) afterWrong(t Tries, at time.Time) Tries {
	t = t.at(at)
	t = Tries{Wrong: min(t.Wrong+1, mostWrong), Last: at.Round(0)}
	if d := p.pause(t.Wrong); d > 0 {
		t.Until = t.Last.Add(d)
	}
	return t
}

// takenBack returns the tries without the last, which was right after all.
func (p pace) takenBack(t Tries) Tries {
	t.Wrong--
	if t.Wrong < 1 {
		return Tries{}
	}
	if p.pause(t.Wrong) == 0 {
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
