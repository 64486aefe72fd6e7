package display

import "strings"

// HouseName writes the name of a house's profile as people read it: st-moritz is St. Moritz.
func HouseName(profile string) string {
	parts := strings.Split(profile, "-")
	for i, part := range parts {
		switch {
		case part == "st":
			parts[i] = "St."
		case part != "":
			first, rest := []rune(part)[0], []rune(part)[1:]
			parts[i] = strings.ToUpper(string(first)) + string(rest)
		}
	}
	return strings.Join(parts, " ")
}
