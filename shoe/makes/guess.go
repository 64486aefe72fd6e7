package makes

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/shoe"
)

// guess says what bytes look like in which the driver of a make finds no message at a speed, and what to do about it;
// "" if they look like nothing known.
func (m Make) guess(s *shoe.Sample, baud int) string {
	var others []string
	for _, other := range All {
		if other.Name == m.Name {
			continue
		}
		if other.Speaks(s.Bytes) {
			return "this looks like another make of shoe: set shoe.driver: " + other.Name
		}
		others = append(others, fmt.Sprintf("%s (%d baud)", other.Name, other.Baud))
	}
	if wrongSpeed(s, baud) {
		return "this looks like the wrong speed: set shoe.baud, or the converter's speed, or shoe.driver if it is " +
			"another make: " + strings.Join(others, ", ")
	}
	return ""
}
