package words_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

// TestTopics: each text of a topic is there in every language, English first, and stands in every language's file. What
// the character display says is left out in those that it cannot write.
func TestTopics(t *testing.T) {
	topics, err := os.ReadDir("topics")
	if err != nil || len(topics) == 0 {
		t.Fatal(err)
	}
	in, onCharacters := map[string]map[string]bool{}, []string{}
	for _, language := range words.Menu {
		in[language] = map[string]bool{}
		for _, e := range words.BuiltIn(language).Entries {
			in[language][e.Key] = e.Text != ""
			if strings.HasPrefix(e.Key, "lcd.") && !slices.Contains(onCharacters, language) {
				onCharacters = append(onCharacters, language)
			}
		}
	}
	for _, file := range topics {
		text, err := os.ReadFile("topics/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		said := map[string][]string{}
		for _, e := range words.Parse(file.Name(), text).Entries {
			at := strings.LastIndexByte(e.Key, '.')
			said[e.Key[:at]] = append(said[e.Key[:at]], e.Key[at+1:])
		}
		for key, languages := range said {
			if first := languages[0]; first != words.English {
				t.Errorf("%s: %s begins with %s", file.Name(), key, first)
			}
			want := words.Menu
			if strings.HasPrefix(key, "lcd.") {
				want = onCharacters
			}
			if len(languages) != len(want) {
				t.Errorf("%s: %s is there in %q, not in %q", file.Name(), key, languages, want)
			}
			for _, language := range want {
				if !in[language][key] {
					t.Errorf("%s does not say %s of %s", language, key, file.Name())
				}
			}
		}
		if err := words.Parse(file.Name(), text).Faults.Err(); err != nil || len(said) == 0 {
			t.Errorf("%s has %d texts, %v", file.Name(), len(said), err)
		}
	}
}
