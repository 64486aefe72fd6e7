package pit

import (
	"testing"

	"github.com/sabot-table/sabot/display"
)

// TestMenuHasWords: what people may do about themselves and others has a name.
func TestMenuHasWords(t *testing.T) {
	for _, link := range Menu() {
		if _, ok := display.English.Lookup(link.Key); !ok {
			t.Errorf("%s has no text", link.Key)
		}
	}
}
