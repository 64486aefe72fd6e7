package authority

import (
	"maps"
	"time"
)

// A guess meets three counts. That of its name at its screen locks the name out there; the two others keep guesses from
// multiplying with names and with screens. For these each pair of a name and a screen weighs at most Limits.Tries, so
// that one name, or one screen, never reaches them.
const (
	// namesAtScreen is how many names can be locked out at a screen before it pauses for all of them.
	namesAtScreen = 3
	// screensOfName is at how many screens of the network a name can be locked out before it is at all of them.
	screensOfName = 4
)

// Ledger counts wrong tries. The zero value has none.
type Ledger struct {
	// At are those of each name at each place.
	At map[Place]map[string]Tries `json:"at,omitempty"`
	// Screens are those at a place at which several names had been tried, and Names those of a name, at screens of the
	// network, that had been tried at several.
	Screens map[Place]Tries  `json:"screens,omitempty"`
	Names   map[string]Tries `json:"names,omitempty"`
}

func (g Ledger) clone() Ledger {
	at := map[Place]map[string]Tries{}
	for place, names := range g.At {
		at[place] = maps.Clone(names)
	}
	return Ledger{At: at, Screens: cloned(g.Screens), Names: cloned(g.Names)}
}

func cloned[K comparable](tries map[K]Tries) map[K]Tries {
	if tries == nil {
		return map[K]Tries{}
	}
	return maps.Clone(tries)
}

// noteWrong counts a wrong try in a clone.
func (g *Ledger) noteWrong(l Limits, at time.Time, place Place, name string) {
	g.forget(at)
	if g.At[place] == nil {
		g.At[place] = map[string]Tries{}
	}
	g.At[place][name] = l.afterWrong(g.At[place][name], at, 0)
	if g.manyNames(l, place) {
		g.Screens[place] = l.afterWrong(g.Screens[place], at, l.Tries-1)
	}
	if place != Own && g.manyScreens(l, name) {
		g.Names[name] = l.afterWrong(g.Names[name], at, l.Tries-1)
	}
}

// right takes a try back from a clone: before is how things stood before it was counted.
func (g *Ledger) right(l Limits, before Ledger, place Place, name string) {
	delete(g.At[place], name)
	putBack(g.Screens, before.Screens, place, g.manyNames(l, place))
	putBack(g.Names, before.Names, name, g.manyScreens(l, name))
}

// putBack makes one count what it was, or none where nothing is left to count.
func putBack[K comparable](now, before map[K]Tries, key K, counts bool) {
	delete(now, key)
	if t, was := before[key]; was && counts {
		now[key] = t
	}
}

// manyNames reports whether so many names were tried at a place that each try pauses it.
func (g *Ledger) manyNames(l Limits, place Place) bool {
	weight := 0
	for _, t := range g.At[place] {
		weight += min(t.Wrong, l.Tries)
	}
	return weight >= namesAtScreen*l.Tries
}

// manyScreens reports whether a name was tried at so many screens of the network that each try locks it out at all.
func (g *Ledger) manyScreens(l Limits, name string) bool {
	weight := 0
	for place, names := range g.At {
		if place != Own {
			weight += min(names[name].Wrong, l.Tries)
		}
	}
	return weight >= screensOfName*l.Tries
}

// triesKept is how long a wrong try counts.
const triesKept = 24 * time.Hour

// forget leaves out, of a clone, what counts no more: names and screens that are gone would stay for ever.
func (g *Ledger) forget(at time.Time) {
	over := func(t Tries) bool { return at.Sub(t.Last) >= triesKept }
	for place, names := range g.At {
		maps.DeleteFunc(names, func(_ string, t Tries) bool { return over(t) })
		if len(names) == 0 {
			delete(g.At, place)
		}
	}
	maps.DeleteFunc(g.Screens, func(_ Place, t Tries) bool { return over(t) })
	maps.DeleteFunc(g.Names, func(_ string, t Tries) bool { return over(t) })
}

// lock is what keeps a name from being tried at a place.
type lock struct {
	scope scope
	until time.Time
}

// scope is what is locked.
type scope uint8

const (
	// oneName is a name at one place, allNames all names there, allScreens a name at every screen of the network.
	oneName scope = iota
	allNames
	allScreens
)

// locked returns what keeps a name from being tried at a place for longest; until is past if nothing does.
func (g *Ledger) locked(place Place, name string) lock {
	longest := lock{oneName, g.At[place][name].Until}
	also := func(s scope, until time.Time) {
		if until.After(longest.until) {
			longest = lock{s, until}
		}
	}
	also(allNames, g.Screens[place].Until)
	if place != Own {
		also(allScreens, g.Names[name].Until)
	}
	return longest
}

// untils yields the end of every lock.
func (g *Ledger) untils(yield func(time.Time)) {
	for _, names := range g.At {
		for _, t := range names {
			yield(t.Until)
		}
	}
	for _, t := range g.Screens {
		yield(t.Until)
	}
	for _, t := range g.Names {
		yield(t.Until)
	}
}
