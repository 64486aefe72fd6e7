package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

// written is the profile of the answers, with room for where each comes from.
func (i *interview) written() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s. The comment behind a line is where its rule comes from.\n", i.house.Title)
	var last []string
	for key, value := range i.house.Values() {
		if key == "jackpot.envy" && i.house.Jackpot.Envy == 0 {
			continue // a profile leaves it out
		}
		steps := strings.Split(strings.ReplaceAll(key, "[", ".["), ".")
		same := 0
		for same < len(last) && same < len(steps)-1 && last[same] == steps[same] {
			same++
		}
		item := "" // what begins an item of a list stands on the line of its first key
		for depth := same; depth < len(steps); depth++ {
			step := steps[depth]
			if strings.HasPrefix(step, "[") {
				item = "- "
				continue
			}
			indent := strings.Repeat("  ", depth)
			fmt.Fprintf(&out, "%s%s%s:", indent[:len(indent)-len(item)], item, step)
			item = ""
			if depth == len(steps)-1 {
				fmt.Fprintf(&out, " %s%s", asWritten(key, value), i.comment(key))
			}
			out.WriteByte('\n')
		}
		last = steps
	}
	return []byte(out.String())
}

// asWritten is a value as a profile has it.
func asWritten(key, value string) string {
	switch {
	case key == "title":
		return strictyaml.Text(value)
	case strings.Contains(value, ":"): // which YAML may read as a number
		return strconv.Quote(value)
	}
	return value
}

// comment is where a rule comes from, or room for it.
func (i *interview) comment(key string) string {
	if key == "house" || key == "title" {
		return ""
	}
	for asked, source := range i.sources {
		switch {
		case !under(asked)(key):
		case source == "":
			return "  # the sheet:"
		default:
			return "  # " + source
		}
	}
	return "  # decision; the sheet is silent"
}
