package display

import (
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

// TestMenuReadsNoLanguage: what a menu says of each language is known without reading the file of any.
func TestMenuReadsNoLanguage(t *testing.T) {
	read := func() *said {
		t.Fatal("a language is read")
		return nil
	}
	en := &texts{code: "en", says: read, self: func() map[string]string { return words.Self("en") }}
	de := &texts{code: "de", says: read, self: func() map[string]string { return words.Self("de") }, under: en}
	library := newLibrary([]string{"en", "de"}, map[string]*texts{
		"en": en, "de": de, "en-CH": builtIn("en", "en-CH", en), "de-CH": builtIn("de", "de-CH", de),
	}, Houses{"baden": {"de": {words.House: "Box Feld"}}}, []string{"wiesbaden"})
	for _, l := range library.Languages(false) {
		l = l.In("baden").In("wiesbaden")
		if l.Tag() != l.Code() || l.Name() == "" || l.Swiss() {
			t.Errorf("%s is called %q, %q", l.Code(), l.Tag(), l.Name())
		}
	}
}
