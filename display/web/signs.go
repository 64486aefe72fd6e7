package web

import (
	"maps"
	"slices"
)

// signs are what keys show beside their words, as pen strokes in a field 24 by 24: a
// sign is known before a word is read, and in every language.
var signs = map[string]string{
	"card":      "M5 3H19V21H5ZM12 8V16M8 12H16",
	"rest":      "M4 9H20M4 15H20",
	"double":    "M3 9 10 16M10 9 3 16M14 9.5C14 5.5 21 5.5 21 9.5 21 13 14 14.5 14 18.5H21.5",
	"split":     "M12 21V13L5 5M12 13 19 5M5 11V5H11M13 5H19V11",
	"surrender": "M6 3V21M6 4H19L16 8.5 19 13H6",
	"higher":    "M12 21V5M5 11.5 12 4 19 11.5",
	"lower":     "M12 3V19M5 12.5 12 20 19 12.5",
	"open": "M21 12A9 9 0 1 1 3 12 9 9 0 1 1 21 12M16 12A4 4 0 1 1 8 12 4 4 0 1 1 16 12M12 3V8M12 " +
		"16V21M3 12H8M16 12H21",
	"close":            "M21 12A9 9 0 1 1 3 12 9 9 0 1 1 21 12M7 12H17",
	"insurance-closed": "M21 12A9 9 0 1 1 3 12 9 9 0 1 1 21 12M7 12H17",
	"loaded":           "M3 8H15L21 16V20H3ZM15 8V16H21",
	"paid":             "M4 13 9.5 18.5 20 6",
	"undo":             "M9 4 4 9 9 14M4 9H14A5.5 5.5 0 0 1 14 20H9",
	"floor": "M7 13V6A1.5 1.5 0 0 1 10 6V11M10 11V4A1.5 1.5 0 0 1 13 4V11M13 11V5A1.5 1.5 0 0 1 16 " +
		"5V12M16 12V8A1.5 1.5 0 0 1 19 8V14.5C19 19.5 16.5 22 12.8 22 9.6 22 8 20.6 6.4 18L3.8 13.6C3 12.2 4.7 11 " +
		"5.8 12.1L7 13.4",
	"help": "M7.5 8.5C7.5 3.5 16.5 3.5 16.5 8.5 16.5 12 12 11.5 12 15.5M12 19.5V20",
	"menu": "M4 6H20M4 12H20M4 18H20",
	"past": "M4 4V10H10M4.5 10A8.5 8.5 0 1 1 4 14M12 8V13L16 15",
}

// shape is a path that has a name.
type shape struct{ Name, Path string }

// signShapes are the shapes of all signs, to stand once in a page.
var signShapes = func() (all []shape) {
	for _, name := range slices.Sorted(maps.Keys(signs)) {
		all = append(all, shape{name, signs[name]})
	}
	return all
}()

// sign is a key's sign, "" where it has none.
func sign(name string) string {
	if _, drawn := signs[name]; drawn {
		return name
	}
	return ""
}
