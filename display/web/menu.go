package web

// menuModel is what a screen may be told about itself: the table is the same on all of
// them, and nothing here changes it.
type menuModel struct {
	Title     string
	Languages []offered
	Groups    []settingModel
	// Past names the way to past rounds, "" where there is none.
	Past string
}

// settingModel is a setting of the screen. The page keeps it in the browser.
type settingModel struct {
	Name, Label string
	Choices     []choiceModel
}

type choiceModel struct{ Value, Label string }

// settings are the names of the screen's settings and of their choices, the usual one
// first.
var settings = []struct {
	name    string
	choices []string
}{
	{"light", []string{"dark", "bright"}},
	{"suits", []string{"two", "four"}},
	{"sound", []string{"off", "on"}},
	{"voice", []string{"off", "on"}},
}

func (r renderer) menu() menuModel {
	m := menuModel{Title: r.text("menu.title"), Languages: r.offers()}
	if r.recalls {
		m.Past = r.word("past")
	}
	for _, s := range settings {
		one := settingModel{Name: s.name, Label: r.text("menu." + s.name)}
		for _, c := range s.choices {
			one.Choices = append(one.Choices, choiceModel{Value: c, Label: r.text("menu." + s.name + "-" + c)})
		}
		m.Groups = append(m.Groups, one)
	}
	return m
}
