package web

import (
	"net/http"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// helpModel is what the table's dealer may look up: the house's rules and paytables, who holds
// a box, and what keys and STOPs mean.
type helpModel struct {
	meanwhile
	Title, House string
	Tabs         []pastTab
	Sections     []helpSection
	// Signs are the shapes of the keys' signs.
	Signs []shape
	// Error says why there is nothing.
	Error string
}

// helpSection is one subject. Of Boxes it has who plays on which now.
type helpSection struct {
	Title string
	// Said are rules in words, Pays the lines of a paytable, Keys what keys do, and Stops what
	// each STOP means.
	Said, Pays []helpRule
	Keys       []helpKey
	Stops      []helpStop
	Boxes      []helpBox
	// Now heads the boxes.
	Now string
}

// helpRule is one rule, with its source and an example.
type helpRule struct {
	Pays, Text, Source string
	Example            *helpExample
}

// helpExample is a stake that was played: the cards, what came of it, and in which chips.
type helpExample struct {
	BoxCards, BankCards row
	Text                string
	Stacks              []stackModel
	Rest                string
}

type helpKey struct{ Sign, Label, Text string }

// helpStop is an irregularity, and each way to put it right with who may take it.
type helpStop struct {
	Title, Source string
	Ways          []helpWay
	Wait          string
}

type helpWay struct{ Choice, Effect string }

// helpBox is who plays on a box.
type helpBox struct {
	Number  int
	Holder  string
	Players string
}

// help shows all of it, or with ?of= one subject.
func (s *Server) help(w http.ResponseWriter, r *http.Request) {
	now, _ := s.now()
	v := now.view
	var m helpModel
	render := s.speaking(r)
	m.meanwhile, render = s.meanwhile(render)
	m.Signs = signShapes
	if h := s.options.Houses[v.House]; h != nil {
		if wrong := render.help(&m, v, h, r.URL.Query().Get("of")); wrong != nil {
			s.options.Logger.Error("display: the rules of the table cannot be said: help has none; report this with "+
				"the house's file",
				"house", v.House, "err", wrong)
			m.Error = wrong.Error()
		}
	} else {
		m.Error = render.say("help.none")
	}
	site.Send(w, http.StatusOK, site.HTML, drawHelp(nil, render.language, &m))
}

// help fills in the subjects: of all, or of the one whose tab is asked for.
func (r renderer) help(m *helpModel, v display.View, h *profile.House, of string) error {
	set, wrong := h.With(rules.Setup{
		Currency: v.Currency, Min: v.Min, BoxMax: v.BoxMax, Unit: v.Unit, Boxes: len(v.Boxes), Jackpot: v.Jackpot,
		Profile: h.Fingerprint, // the table plays already, with whatever number of boxes
	})
	if len(wrong) > 0 {
		return wrong[0]
	}
	m.Title, m.House = r.say("help.title"), h.Title
	m.Tabs = append(m.Tabs, pastTab{Where: "/help", Name: r.say("help.all"), Chosen: of == ""})
	add := func(name, label string, sections ...helpSection) {
		m.Tabs = append(m.Tabs, pastTab{Where: "/help?of=" + name, Name: label, Chosen: of == name})
		if of == "" || of == name {
			m.Sections = append(m.Sections, sections...)
		}
	}
	var main, others, holders []helpSection
	said := rulebook.Of(r.language, h, set)
	for _, section := range said {
		switch {
		case section.Bet != "":
		case section.Name == "pays":
			main = append(main, r.helpSection(v, section))
		case section.Name == "holder":
			holders = append(holders, r.helpSection(v, section))
		case section.Name != "irregularities":
			others = append(others, r.helpSection(v, section))
		}
	}
	add("pays", r.say("help.main"), main...)
	for _, section := range said {
		if section.Bet != "" {
			add(section.Bet.String(), r.language.Label(display.LabelWager, section.Bet.String()),
				r.helpSection(v, section))
		}
	}
	add("rules", r.say("help.rules"), others...)
	add("boxes", r.say("help.boxes"), append([]helpSection{r.helpBoxes(v, h)}, holders...)...)
	add("keys", r.say("help.keys"), r.helpKeys(v, h))
	add("stops", r.say("help.stops"), r.helpStops(v, h))
	return nil
}

func (r renderer) helpSection(v display.View, section rulebook.Section) helpSection {
	m := helpSection{Title: section.Title}
	for _, s := range section.Statements {
		rule := helpRule{Pays: s.Pays, Text: s.Text, Source: s.Source, Example: r.helpExample(v, s.Example)}
		if s.Pays != "" {
			m.Pays = append(m.Pays, rule)
		} else {
			m.Said = append(m.Said, rule)
		}
	}
	return m
}

func (r renderer) helpExample(v display.View, e *rulebook.Example) *helpExample {
	if e == nil {
		return nil
	}
	m := &helpExample{BoxCards: e.Box, BankCards: e.Bank}
	stake := r.money(v, e.Stake)
	gets := e.Won
	if gets > 0 {
		m.Text = r.say("help.example", "stake", stake, "won", r.money(v, e.Won))
	} else {
		gets = e.Returned
		m.Text = r.say("help.example-back", "stake", stake, "returned", r.money(v, e.Returned))
	}
	if v.Bets == nil {
		return m
	}
	stacks, rest := display.InChips(gets, v.Bets.Chips)
	m.Stacks = r.stacks(v, stacks)
	if rest > 0 {
		m.Rest = r.language.Money(rest, v.Digits)
	}
	return m
}

// helpBoxes say who holds a box and what that means, and who holds which now.
func (r renderer) helpBoxes(v display.View, h *profile.House) helpSection {
	m := helpSection{Title: r.say("help.title-boxes"), Now: r.say("help.now")}
	say := func(name, source string) {
		m.Said = append(m.Said, helpRule{Text: r.say("help." + name), Source: source})
	}
	common := func(n string) string { return r.say("help.common", "n", n) }
	say("box-holder", "")
	say("box-follows", common("11"))
	if h.Double.Allowed || h.Split.Max != 0 {
		say("box-joins", common("14"))
	}
	if h.Insurance.Offered || h.Insurance.EvenMoney {
		say("box-alone", common("16, 17"))
	}
	if h.Surrender && !h.LateSurrender() {
		say("box-leaves", h.Origin("surrender").Text)
	}
	say("box-withdraws", "")
	for _, b := range v.Boxes {
		if len(b.Bettors) == 0 {
			continue
		}
		box := helpBox{Number: b.Number, Holder: b.Bettors[0].Name}
		for i, one := range b.Bettors[1:] {
			if i > 0 {
				box.Players += r.say("list.comma")
			}
			box.Players += one.Name
		}
		m.Boxes = append(m.Boxes, box)
	}
	if len(m.Boxes) == 0 {
		m.Now = r.say("help.nobody")
	}
	return m
}

// keyRow is a key of which the help speaks: its label's text, and in which houses it is there.
type keyRow struct {
	name, label string
	there       func(*rules.Rules) bool
}

var helpedKeys = []keyRow{
	{"open", "key.open", always},
	{"same", "key.same", always},
	{"close", "key.close", always},
	{"card", "call.card", inBlackJack},
	{"higher", "call.higher", func(r *rules.Rules) bool { return !inBlackJack(r) }},
	{"lower", "call.lower", func(r *rules.Rules) bool { return !inBlackJack(r) }},
	{"rest", "call.rest", always},
	{"double", "call.double", func(r *rules.Rules) bool { return r.Double.Allowed }},
	{"split", "call.split", func(r *rules.Rules) bool { return r.Split.Max != 0 }},
	{"surrender", "call.surrender", func(r *rules.Rules) bool { return r.Surrender }},
	{"insurance", "call.insurance", func(r *rules.Rules) bool { return r.Insurance.Offered }},
	{"even-money", "call.even-money", func(r *rules.Rules) bool { return r.Insurance.EvenMoney }},
	{"insurance-closed", "key.insurance-closed", func(r *rules.Rules) bool {
		return r.Insurance.Offered || r.Insurance.EvenMoney
	}},
	{"offer-closed", "key.offer-closed", (*rules.Rules).SurrendersFirst},
	{"paid", "key.paid", always},
	{"undo", "key.undo", always},
}

func always(*rules.Rules) bool        { return true }
func inBlackJack(r *rules.Rules) bool { return r.Game == rules.BlackJack }

func (r renderer) helpKeys(_ display.View, h *profile.House) helpSection {
	m := helpSection{Title: r.say("help.title-keys")}
	for _, k := range helpedKeys {
		if k.there(h.Rules) {
			m.Keys = append(m.Keys, helpKey{
				Sign: sign(k.name), Label: r.say(k.label, "what", "…"),
				Text: r.say("help.key-" + k.name),
			})
		}
	}
	return m
}

// helpStops say what each STOP means, and each way to put it right that the house has.
func (r renderer) helpStops(v display.View, h *profile.House) helpSection {
	m := helpSection{Title: r.say("help.title-stops")}
	for code := range irregularity.EveryCode {
		if !code.Word() {
			m.Stops = append(m.Stops, r.helpStop(v, h, code))
		}
	}
	return m
}

func (r renderer) helpStop(v display.View, h *profile.House, code irregularity.Code) helpStop {
	m := helpStop{
		Title:  r.say("held.stop", "what", r.language.Named(display.LabelHeld, code)),
		Source: h.Origin("irregularities." + code.String()).Text,
	}
	// What a choice does is said as in mid-round; how much the bank then keeps depends on its cards.
	v.Phase, v.Due, v.Held = 0, display.Due{}, &display.Held{Code: code}
	if code == irregularity.BankOverdraw {
		v.Held.Code = 0
	}
	ways := h.Ways(code)
	for c := range ways.Choices.All {
		who := "help.supervisor"
		if ways.Dealer(c) {
			who = "rule.dealer"
		}
		m.Ways = append(m.Ways, helpWay{
			Choice: r.say(who, "choice", r.language.Named(display.LabelChoice, c)),
			Effect: r.language.Say(display.Effect(v, c)),
		})
	}
	if len(m.Ways) == 0 {
		m.Wait = r.say("help.wait")
		if text, own := r.language.Lookup("held.wait." + code.String()); own {
			m.Wait = text
		}
	}
	return m
}
