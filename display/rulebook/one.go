package rulebook

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
)

// One says one rule of a house, by its path in the profile: "" where the house does not have it, or it means nothing
// there.
func One(l display.Language, h *profile.House, path string) string {
	for at, value := range h.Values() {
		if at == path {
			return subjectOf(l, h, h.Rules, path, value).say()
		}
	}
	return ""
}

// SectionOf is the heading under which a rule of the main game stands.
func SectionOf(l display.Language, h *profile.House, path string) string {
	return subjectOf(l, h, h.Rules, path, "").title()
}
