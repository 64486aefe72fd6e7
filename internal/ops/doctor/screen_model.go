package doctor

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/authority"
)

// screenModel is what the page's template draws.
type screenModel struct {
	Lang, Build, Boot string
	// Proven says that a supervisor is; else Names are whose PINs are taken, TakesPIN says whether one is, and Key what
	// is to be done with the key, "" for nothing. Once somebody is proven, they are for a restart.
	Proven, TakesPIN bool
	Names            []choice
	Key              string
	// Wrong is what is wrong, and then Advice what should be done before something is; Right are the areas in which
	// nothing is, and Unseen is what could not be seen, and why.
	Wrong  []wrong
	Advice []wrong
	Right  string
	Unseen []string
	States []state
	// Plugged are the lines in which sabot devices says all that is plugged in.
	Plugged []string
	Levels  []choice
	// Kept says how many lines of the log are kept.
	Kept  string
	Files []download
	// Digits, but for 0 and ⌫, and Keyboard are the keys that type: the table's own screen has no others.
	Digits   []string
	Keyboard [][]string
	Tabs     []tab
}

// choice is one of several of which one is chosen.
type choice struct {
	Name   string
	Chosen bool
}

func choices(names []string, chosen string) (all []choice) {
	for _, name := range names {
		all = append(all, choice{name, name == chosen})
	}
	return all
}

// tab is one of the page's parts.
type tab struct{ Name, Title string }

// wrong is one thing that is wrong.
type wrong struct {
	Class, Code, Meaning, Do, What, Since string
	Stops                                 bool
}

// state is how a part of the table does.
type state struct{ Class, Name, Word, About string }

// download is a copy that can be taken.
type download struct{ What, Name, Says string }

// letters are the keys that type what is looked for, besides the figures.
var letters = [][]string{
	strings.Split("qwertyuiop", ""), strings.Split("asdfghjkl-", ""),
	strings.Split("zxcvbnm.:/", ""),
}

// base is what the page has before anything is examined.
func (p *screen) base(language display.Language, say func(string) string, s authority.Status) screenModel {
	m := screenModel{
		Lang: language.Tag(), Build: web.Build(), Boot: strconv.FormatUint(p.Boot, 10), Proven: isProven(s),
		Digits: web.Digits(), Keyboard: letters, Levels: choices(levels, "INFO"),
	}
	m.Kept = language.Say(display.Message{
		Key:  "devices.lines",
		Args: []display.Arg{{Name: "n", Text: strconv.Itoa(mostLines)}},
	})
	m.TakesPIN = s.Asks.UsesPIN()
	if len(s.Names) > 0 {
		m.Names = choices(s.Names, s.Names[0])
	}
	m.Key = keyed(say, s.Asks)
	if m.Proven {
		m.Tabs = []tab{
			{"wrong", say("devices.wrong")},
			{"devices", say("devices.state")},
			{"log", say("devices.log")},
			{"more", say("devices.more")},
		}
		return m
	}
	m.TakesPIN, m.Key = s.Needs.UsesPIN(), keyed(say, s.Needs)
	return m
}

// keyed says what is to be done with the key, "" for nothing.
func keyed(say func(string) string, needs authority.Proof) string {
	switch needs {
	case authority.PINOrKey:
		return say("pin.or-key")
	case authority.PINAndKey, authority.Key:
		return say("pin.turn-key")
	}
	return ""
}

// examined completes a model by what is wrong with the table, and how its devices do. No secret is in it.
func (p *screen) examined(ctx context.Context, say func(string) string, m *screenModel) {
	s := p.Source()
	clean := s.Cleaner()
	shown := func(text string) string { return clean(terminal.Visible(text)) }
	found := Examine(ctx, s.Ask)
	for _, w := range found.Wrong {
		m.Wrong = append(m.Wrong, said(w, say, shown))
	}
	for _, w := range found.Advice {
		m.Advice = append(m.Advice, said(w, say, shown))
	}
	var right []string
	for _, a := range found.Right {
		right = append(right, say("area."+string(a)))
	}
	m.Right = strings.Join(right, ", ")
	for _, u := range found.Unseen {
		m.Unseen = append(m.Unseen, say("area."+string(u.Area))+": "+shown(u.What+": "+u.Why))
	}
	for _, one := range p.States() {
		m.States = append(m.States, state{
			string(one.Works), say("devices." + string(one.Name)),
			say("devices." + string(one.Works)), shown(one.About),
		})
	}
	var plugged strings.Builder
	to := terminal.NewWriter(&plugged)
	if err := errors.Join(s.Devices(to), to.Flush()); err != nil {
		plugged.WriteString(terminal.Visible(err.Error()))
	}
	m.Plugged = strings.Split(strings.TrimSuffix(clean(plugged.String()), "\n"), "\n")
	for _, f := range copies {
		one := download{What: f.what, Name: say(f.word)}
		if f.says != "" {
			one.Says = say(f.says)
		}
		m.Files = append(m.Files, one)
	}
}

// said is what is wrong in the page's language. What was found, and what is to be done about just that, is as the
// daemon and the system say it.
func said(w Wrong, say, shown func(string) string) wrong {
	one := wrong{
		Class: string(w.Severity), Stops: w.Severity == health.Stops, Code: string(w.Code), Meaning: w.Meaning,
		Do: shown(w.Do), What: shown(w.What),
	}
	if row := health.Of(w.Code); row != nil {
		one.Meaning = say("reason." + one.Code)
		if w.Do == row.Do() {
			one.Do = say("remedy." + one.Code)
		}
	}
	if w.What == health.NoBackup {
		one.What = say("devices.no-backup")
	}
	if w.Since != nil {
		one.Since = w.Since.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return one
}
