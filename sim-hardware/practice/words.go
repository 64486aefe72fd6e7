package practice

import (
	"embed"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/display/words"
)

//go:embed words/*.properties
var texts embed.FS

// Words are what practice says in one language. The zero Words are English.
type Words struct{ says map[string]string }

var english, spoken = sync.OnceValue(func() Words { return readWords(words.English) }),
	sync.OnceValue(func() map[string]Words {
		all := map[string]Words{}
		for _, code := range words.Menu {
			all[code] = readWords(code)
		}
		return all
	})

// Speak returns the words of a language, by its code: those of English for one that is not known.
func Speak(code string) Words {
	if w, ok := spoken()[code]; ok {
		return w
	}
	return english()
}

// Swiss are the words as Switzerland writes them: German without ß.
func (w Words) Swiss() Words {
	says := make(map[string]string, len(w.says))
	for key, text := range w.says {
		says[key] = strings.ReplaceAll(text, "ß", "ss")
	}
	return Words{says}
}

// readWords reads a language file. One that cannot be read is a fault of the build.
func readWords(code string) Words {
	f := wordFile(code)
	if err := f.Faults.Err(); err != nil {
		panic(err)
	}
	w := Words{says: map[string]string{}}
	for _, e := range f.Entries {
		w.says[e.Key] = e.Text
	}
	return w
}

func wordFile(code string) words.File {
	data, err := texts.ReadFile("words/" + code + ".properties")
	if err != nil {
		panic(err)
	}
	return words.Parse(code+".properties", data)
}

// KeyOf is the key of what is said of a topic: "why" it is so, or its name as a "topic".
func KeyOf(what, topic string) string { return what + "." + strings.ReplaceAll(topic, "/", ".") }

// Has says whether there is a text of that key.
func (w Words) Has(key string) bool {
	_, ok := english().says[key]
	return ok
}

// Say says a text. Pairs are the {names} in it and what they are filled with. A key that no language knows is said as
// it is.
func (w Words) Say(key string, pairs ...string) string {
	text, ok := w.says[key]
	if !ok {
		text, ok = english().says[key]
	}
	if !ok {
		return key
	}
	if len(pairs) == 0 {
		return text
	}
	var fill []string
	for i := 0; i+1 < len(pairs); i += 2 {
		fill = append(fill, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(fill...).Replace(text)
}
