package words

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
)

// Topic is what is said about one subject: a file with all languages beside each other, so that who adds one more thing
// of its kind has one place to say it. Its lines are key.LANGUAGE = text, English first.
type Topic string

// Conditions are what may be wrong with a table, and what to do about it.
const Conditions Topic = "conditions"

var (
	//go:embed topics/computers.properties
	computers string
	//go:embed topics/conditions.properties
	conditions string
	//go:embed topics/figures.properties
	figures string
	//go:embed topics/irregularities.properties
	irregularities string
	//go:embed topics/settings.properties
	settings string
	//go:embed topics/wagers.properties
	wagers string
)

var topics = map[Topic]string{
	"computers": computers, Conditions: conditions, "figures": figures, "irregularities": irregularities,
	"settings": settings, "wagers": wagers,
}

const (
	// topicMark stands in a language file where it has the texts of a topic.
	topicMark = "# topic: "
	// keptMark stands above the texts of a key, with the languages that say the same as English on purpose.
	keptMark = "# kept: "
)

// In is the topic's texts in a language.
func (t Topic) In(language string) File {
	return sound(string(t), t.lines(language), t.about(language))
}

// about is how many texts it has in a language.
func (t Topic) about(language string) int { return strings.Count(topics[t], "."+language+" = ") }

// lines writes the topic's texts as the file of a language has them.
func (t Topic) lines(language string) iter.Seq[string] {
	return func(yield func(string) bool) {
		file, is := topics[t]
		if !is {
			panic("no topic is called " + string(t))
		}
		english, kept := "", ""
		for line := range strings.Lines(file) {
			if those, is := strings.CutPrefix(line, keptMark); is || line == "\n" {
				kept = those
			}
			key, text, is := strings.Cut(line, " = ")
			at := strings.LastIndexByte(key, '.')
			if !is || line[0] == '#' || at < 0 {
				continue
			}
			if key[at+1:] == English {
				english = text
			}
			if key[at+1:] != language {
				continue
			}
			if remark := noted(language, english, kept); remark != "" && !yield(remark) {
				return
			}
			if !yield(key[:at] + " = " + text) {
				return
			}
		}
	}
}

// noted is the remark above a text of a language, "" above English. Kept are the languages that say the same.
func noted(language, english, kept string) string {
	switch {
	case language == English:
		return ""
	case slices.Contains(strings.Fields(kept), language):
		return "# en, kept: " + english
	}
	return "# en: " + english
}

// withTopics are the lines of a language's file, with the texts of topics in the place of their marks.
func withTopics(language string) iter.Seq[string] {
	file, is := files[language]
	if !is {
		panic("no language that comes with Sabot is called " + language)
	}
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			topic, is := strings.CutPrefix(line, topicMark)
			if !is {
				if !yield(line) {
					return
				}
				continue
			}
			for line := range Topic(strings.TrimSpace(topic)).lines(language) {
				if !yield(line) {
					return
				}
			}
		}
	}
}
