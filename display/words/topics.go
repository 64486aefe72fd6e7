package words

import (
	"bytes"
	"strings"
)

// Topic is what is said about one subject: a file with all languages beside each other, so that who adds one more thing
// of its kind has one place to say it. Its lines are key.LANGUAGE = text, English first.
type Topic string

// Conditions are what may be wrong with a table, and what to do about it.
const Conditions Topic = "conditions"

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
	var b bytes.Buffer
	b.Grow(len(file) * 5 / 4)
	for line := range bytes.Lines(file) {
		if topic, is := bytes.CutPrefix(line, []byte(topicMark)); is {
			line = []byte(Topic(bytes.TrimSpace(topic)).In(language))
		}
		b.Write(line)
	}
	return b.Bytes()
}
