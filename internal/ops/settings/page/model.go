package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// model is what the page's template draws.
type model struct {
	Lang, Speaks, Title, Build, Why string
	First                           bool
	Questions                       []question
	// People are those who may be removed, and Last says that there is only one.
	People []string
	Last   bool
	// Names are those who may be proven, the first of them chosen.
	Names []choice
	Rows  [][]string
	// Digits are the keys of the pad, but for the point, 0 and ⌫.
	Digits []string
}

type question struct {
	Name, Title string
	// Now is what was answered, on one line, and Hint what to know before answering; "" for nothing.
	Now, Hint string
	Fields    []field
	// Keys, Limits and Shoe say that it is the question of these, which have more than fields.
	Keys, Limits, Shoe bool
}

type field struct {
	Key, Label, Now                          string
	Choices                                  []choice
	Small, Person, Digits, Secret, Authority bool
	// Given are the lines of what was answered by people.
	Given []string
	// Ports says that the ports that are there are shown beside it.
	Ports bool
}

type choice struct {
	Value, Name, Lang string
	Chosen            bool
	// Limits are those of a house, and Unused the panel's keys that mean nothing there, apart by spaces.
	Limits, Unused string
}

// keyboards are the letters of the languages that have their own places for them, and other their usual places.
var (
	keyboards = map[string][]string{
		"de": {"qwertzuiopü", "asdfghjklöä", "yxcvbnm-_:/@"},
		"fr": {"azertyuiopé", "qsdfghjklmè", "wxcvbnç-_:/@"},
		"it": {"qwertyuiopè", "asdfghjklòà", "zxcvbnmù-_:/@"},
	}
	other = []string{"qwertyuiop", "asdfghjkl-_", "zxcvbnm:/@"}
)

// rows are the keys of the keyboard of a language.
func rows(language display.Language) (all [][]string) {
	letters, own := keyboards[language.Tag()[:2]]
	if !own {
		letters = other
	}
	for _, row := range append([]string{"1234567890."}, letters...) {
		all = append(all, strings.Split(row, ""))
	}
	return all
}

// unused are the panel's keys that mean nothing by the rules of a house, as the file calls them.
func unused(r *rules.Rules) string {
	var names []string
	for key := range panel.EveryKey {
		if !key.Used(r) {
			names = append(names, strings.ReplaceAll(key.String(), "-", "_"))
		}
	}
	return strings.Join(names, " ")
}

// label is what people call a key of the file.
func label(language display.Language, key string) string {
	if name, isKey := strings.CutPrefix(key, "keys."); isKey {
		return keyName(language, strings.ReplaceAll(name, "_", "-"))
	}
	f, err := settings.FieldOf(key)
	if err != nil {
		return key
	}
	return strings.Trim(saying(language)(f.Label), "?？ \u00a0\u202f")
}

func (p *page) model(language display.Language, c config.Config, said func(string) string) model {
	m := model{
		Lang: language.Tag(), Speaks: language.Code(), Title: said("first.title"), Build: build, Why: p.Why,
		First: p.First, Rows: rows(language), Digits: web.Digits(),
	}
	if !p.First {
		m.Title = said("first.settings")
		for i, name := range p.Names() {
			m.Names = append(m.Names, choice{Name: name, Chosen: i == 0})
		}
	}
	for _, one := range c.Supervisors.Names {
		m.People = append(m.People, one.Name)
	}
	m.Last = len(m.People) == 1
	for _, q := range settings.Questions() {
		one := question{
			Name: q.Name, Title: said("first." + q.Name), Hint: p.hint(q.Name, c, language),
			Keys: q.Name == "keys", Limits: q.Name == "limits", Shoe: q.Name == "shoe",
		}
		var now []string
		for _, f := range q.Fields {
			if p.First && f.Key == "supervisors.pin_digits" { // a first start asks for what a table cannot be without
				continue
			}
			drawn := p.field(f, c, language)
			one.Fields = append(one.Fields, drawn)
			if drawn.Now != "" && !f.Kind.Apart() {
				now = append(now, strings.ReplaceAll(drawn.Now, "\n", ", "))
			}
		}
		one.Now = strings.Join(now, " · ")
		m.Questions = append(m.Questions, one)
	}
	return m
}

// hint is what to know before a question is answered, "" for nothing.
func (p *page) hint(question string, c config.Config, language display.Language) string {
	said := saying(language)
	switch {
	case question == "table":
		return said("first.table-hint")
	case question == "supervisor":
		digits := display.Arg{Name: "n", Text: strconv.Itoa(c.Supervisors.PINDigits)}
		return language.Say(display.Message{Key: "first.pin-hint", Args: []display.Arg{digits}})
	case question == "pit" && !p.First:
		return said("first.password-anew")
	}
	return ""
}

func (p *page) field(f settings.Field, c config.Config, language display.Language) field {
	one := field{
		Key: f.Key, Now: f.Is(c), Small: f.Key == "shoe.driver", Person: f.Kind == settings.Person,
		Digits: f.Kind == settings.Amount,
		Secret: f.Kind == settings.Secret, Authority: f.Kind == settings.Authority, Ports: f.Key == "shoe.port",
	}
	if f.Kind != settings.Choice || one.Small {
		one.Label = label(language, f.Key)
	}
	if f.Kind.Apart() {
		one.Now = ""
	}
	if f.Kind == settings.Choice {
		one.Choices = p.choices(f, one.Now, language)
	}
	if p.First && f.Kind != settings.Choice && f.Key != "keys" {
		one.Now = ""
	}
	if one.Person && one.Now != "" {
		one.Given = strings.Split(one.Now, "\n")
	}
	return one
}

// keyName is what the dealer calls a key.
func keyName(language display.Language, name string) string {
	for _, group := range []string{"first.key-", "call.", "key."} {
		if text, known := language.Lookup(group + name); known {
			return text
		}
	}
	return name
}

// choices are those of a field, by the names that people know; the language is chosen in its own words.
func (p *page) choices(f settings.Field, now string, language display.Language) (all []choice) {
	for _, value := range f.Choices() {
		one := choice{Value: value, Name: value, Chosen: value == now}
		switch f.Key {
		case "language":
			if p.First && strings.HasSuffix(value, words.Swiss) &&
				!slices.Contains([]string{"de-CH", "fr-CH", "it-CH"}, value) {
				continue
			}
			l, _ := display.Speak(value)
			one.Name, one.Lang = l.Name(), l.Tag()
			if l.Swiss() {
				one.Name += " (CH)"
			}
			if p.First {
				one.Chosen = value == language.Code()
			}
		case "house":
			if h, known := profile.Built()[value]; known {
				one.Name, one.Unused = h.Title, unused(h.Rules)
				one.Limits = language.Limits(h.Table.Min, h.Table.BoxMax, h.Digits(), h.Table.Currency)
			}
		}
		all = append(all, one)
	}
	return all
}
