package words

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Topic is what is said about one subject: a file with all languages beside each other, so that who adds one more thing
// of its kind has one place to say it. Its lines are key.LANGUAGE = text, English first.
type Topic string

// The topics.
const (
	// Conditions are what may be wrong with a table, and what to do about it.
	Conditions Topic = "conditions"
	// Settings are what a first start and the page of the settings ask.
	Settings Topic = "settings"
)

// topicMark stands in a language file where it has the texts of a topic.
const topicMark = "# topic: "

// In writes the topic's texts as the file of a language has them.
func (t Topic) In(language string) string {
	data, err := files.ReadFile("topics/" + string(t) + ".properties")
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	english := ""
	for line := range strings.Lines(string(data)) {
		key, text, is := strings.Cut(line, " = ")
		at := strings.LastIndexByte(key, '.')
		if !is || line[0] == '#' || at < 0 {
			continue
		}
		if key[at+1:] == English {
			english = text
		}
		switch {
		case key[at+1:] != language:
			continue
		case language != English && text == english:
			b.WriteString("# en, kept: " + english)
		case language != English:
			b.WriteString("# en: " + english)
		}
		b.WriteString(key[:at] + " = " + text)
	}
	return b.String()
}

// withTopics puts the texts of topics in the place of their marks.
func withTopics(language string, file []byte) []byte {
	if !slices.Contains(Menu, language) {
		return file
	}
	for _, t := range []Topic{Conditions, Settings} {
		mark := []byte(topicMark + string(t) + "\n")
		if !bytes.Contains(file, mark) {
			panic(fmt.Sprintf("the language %s has no place for the %s", language, t))
		}
		file = bytes.Replace(file, mark, []byte(t.In(language)), 1)
	}
	return file
}
