package lcd

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/display"
)

// Misfit is a text that this display cannot show: its key in a language file, what is
// wrong, and what to do about it.
type Misfit struct{ Key, What, Hint string }

// Check returns what is wrong on this display with a language's texts, given by their keys
// in its file: characters that the display lacks, and texts that do not fit into its rows
// where a dealer has to read them.
func Check(l display.Language, own map[string]string) []Misfit {
	d := drawing{language: Speaking(l)}
	var wrong []Misfit
	for fileKey, text := range own {
		key, here := strings.CutPrefix(fileKey, "lcd.")
		if !here {
			continue
		}
		if shown := plain(text); strings.Contains(shown, "?") && !strings.Contains(text, "?") {
			wrong = append(wrong, Misfit{
				fileKey, fmt.Sprintf("would be shown as %q", shown),
				"write it in ASCII, ä, ö and ü",
			})
			continue
		}
		m, most := inPlace(strings.TrimSuffix(key, ".short"))
		if rows, whole := d.say(m, most); !whole {
			wrong = append(wrong, Misfit{fileKey, fmt.Sprintf("takes more room than %d × %d characters: %q", most,
				Columns, rows), "say it in fewer characters, or have the shorter form lcd.KEY.short"})
		}
	}
	return wrong
}

// inPlace returns the longest message with a text in it that a dealer may have to read, and
// how many rows that may take.
func inPlace(key string) (m display.Message, most int) {
	kind, _, _ := strings.Cut(key, ".")
	switch display.Kind(kind) {
	case display.LabelCall:
		return filled("prompt.call-hand", "calls", key, "call.card", "call.rest"), headlineMost
	case display.LabelHeld:
		return filled("held.stop", "what", key), stopMost
	case display.LabelChoice:
		return filled("held.supervisor", "supervisor", key, "choice.next-round", "choice.identify"), wayOutMost
	case display.LabelRejected:
		return filled("prompt.rejected", "why", key), noteMost
	case "prompt":
		return filled(key, "calls", "call.card", "call.rest"), headlineMost
	case "detail":
		return filled(key, "alarm", "alarm.jam"), detailMost
	case "held":
		return filled(key, "supervisor", "choice.next-round", "choice.identify"), wayOutMost
	}
	return filled(key, ""), 1
}

// filled fills in the names of a text at their longest, and one of them with the texts of
// some keys.
func filled(key, name string, keys ...string) display.Message {
	arg := func(name, text string) display.Arg { return display.Arg{Name: name, Text: text} }
	return display.Message{Key: key, Args: []display.Arg{
		{Name: name, Keys: keys},
		arg("box", "9"), arg("hand", "12"), arg("n", "312"), arg("amount", "1000.00"),
		{Name: "dealer", Keys: []string{"choice.accept"}},
		{Name: "what", Keys: []string{"irregularity.unread-card"}},
		{Name: "why", Keys: []string{"rejected.round-held"}},
		{Name: "currency", Keys: []string{"currency.CHF"}},
		{Name: "price", Price: &display.Price{Minor: 100000, Digits: 2, Currency: "CHF"}},
	}}
}
