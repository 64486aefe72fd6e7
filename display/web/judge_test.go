package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	visible "github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// The page's templates are html/template's as well. These tests draw with both, and let
// html/template say for each place what has to be done to a value there.

// judge are the templates as html/template reads them, in a language.
func judge(l display.Language) *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"text": func(key string) string { return l.Say(display.Message{Key: key}) },
		"cut":  func() template.HTML { return template.HTML([]byte{site.Cut}) },
	}).ParseFS(templates, "templates/*"))
}

// judged draws a model as html/template does.
func judged(t testing.TB, by *template.Template, name string, model any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := by.ExecuteTemplate(&b, name, plain(reflect.ValueOf(model))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plain is a model of maps and lists, with html/template's type for markup and with all
// texts as they are shown.
func plain(v reflect.Value) any {
	if m, ok := v.Interface().(site.Markup); ok {
		return template.HTML(m.AppendMarkup(nil))
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.IsExported() {
				fields[f.Name] = plain(v.FieldByIndex(f.Index))
			}
		}
		return fields
	case reflect.String:
		return visible.Visible(v.String())
	case reflect.Slice:
		all := make([]any, v.Len())
		for i := range all {
			all[i] = plain(v.Index(i))
		}
		return all
	}
	return v.Interface()
}

// same fails where a model is drawn otherwise than html/template does.
func same[M any](t *testing.T, by *template.Template, l display.Language,
	draw func([]byte, display.Language, *M) []byte, name, what string, model *M,
) {
	t.Helper()
	displaytest.SameMarkup(t, name+" of "+what, draw(nil, l, model), judged(t, by, name, model))
}

// addresses are the fields that stand in addresses. They are numbers and names of the
// program's own, of which all characters may stand there; a guest's name is none of them.
var addresses = []string{
	".Adjust", ".Build", ".Home", ".Link", ".Number", ".Rank", ".Replay", ".Root", ".Sheet",
	".Sign", ".Slip", ".Suit", ".There", ".Where",
}

// TestPlaces asks html/template of each value in the templates what it has to be escaped
// for. It must be a text between tags or in a quoted attribute, since that is what markup
// escapes for, or one of the addresses; markup stands between tags alone.
func TestPlaces(t *testing.T) {
	by := judge(display.English)
	for name, model := range map[string]any{
		"page.html": &pageModel{}, "enter.html": &enterModel{}, "recall.html": &recallModel{},
		"replay.html": &replayModel{},
		"sheet.html":  &paperModel{}, "slip.html": &slipModel{}, "adjust.html": &adjustModel{},
		"help.html": &helpModel{}, "table": &tableModel{}, "felt": &feltModel{},
		"guest.html": &guestPage{}, "guest-table": &guestsModel{},
	} {
		judged(t, by, name, model) // which makes it work all that out
	}
	places := 0
	for _, one := range by.Templates() {
		if one.Tree == nil {
			continue
		}
		walk(one.Tree.Root, func(n *parse.ActionNode) {
			value, place := n.Pipe.Cmds[0].String(), ""
			for _, escapes := range n.Pipe.Cmds[1:] {
				place += strings.TrimPrefix(escapes.String(), "_html_template_") + " "
			}
			places++
			ok := false
			switch place {
			case "htmlescaper ":
				ok = true
			case "attrescaper ", "rcdataescaper ":
				ok = value != "cut" && !slices.Contains(markups(), value)
			case "urlescaper attrescaper ", "urlnormalizer attrescaper ", "urlfilter urlnormalizer attrescaper ":
				ok = slices.Contains(addresses, value)
			}
			if !ok {
				t.Errorf("%s: {{%s}} stands where it takes html/template's %s: write it elsewhere, or as an address "+
					"of the program's own", one.Name(), value, place)
			}
		})
	}
	if places < 250 {
		t.Errorf("only %d values were found in the templates", places)
	}
}

// markups are the fields that are markup.
func markups() (fields []string) {
	seen := map[reflect.Type]bool{}
	var look func(reflect.Type)
	look = func(of reflect.Type) {
		switch {
		case seen[of]:
		case of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice:
			look(of.Elem())
		case of.Kind() == reflect.Struct:
			seen[of] = true
			for _, f := range reflect.VisibleFields(of) {
				if f.Type.Implements(reflect.TypeFor[site.Markup]()) {
					fields = append(fields, "."+f.Name)
				} else {
					look(f.Type)
				}
			}
		}
	}
	look(reflect.TypeFor[tableModel]())
	look(reflect.TypeFor[pageModel]())
	look(reflect.TypeFor[recallModel]())
	look(reflect.TypeFor[replayModel]())
	look(reflect.TypeFor[paperModel]())
	look(reflect.TypeFor[helpModel]())
	return fields
}

// walk visits all values that a template writes.
func walk(n parse.Node, visit func(*parse.ActionNode)) {
	branch := func(b *parse.BranchNode) {
		walk(b.List, visit)
		walk(b.ElseList, visit)
	}
	switch n := n.(type) {
	case *parse.ActionNode:
		visit(n)
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				walk(one, visit)
			}
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	}
}

// TestRecordedViews draws samples of everything that a table shows, and what tables of
// every house show while all goes wrong that can, in every language; make test draws each of them in a few languages.
func TestRecordedViews(t *testing.T) {
	every := tier.Times(8, 1)
	views := slices.Concat(displaytest.Samples(), peopled(displaytest.Holds()), playedViews())
	for _, swiss := range []bool{false, true} {
		for nth, l := range display.BuiltIn().Languages(swiss) {
			by := judge(l)
			for i, s := range views {
				if i >= 100 && i%10 != nth || (i/10+nth)%every != 0 { // of what was played, one language each
					continue
				}
				r := renderer{language: l, recalls: i%2 == 0, hands: i%5 != nth}.in("")
				same(t, by, l, drawTable, "table", s.Name, r.table(s.View))
			}
			r := renderer{language: l, menu: site.NewMenu(l), recalls: true}
			page := pageModel{
				Build: build, Role: "dealer", Drawn: r.drawn(), Title: "<BJ & 1>", Deck: deck,
				Signs: signShapes, Sections: "<main></main>", Languages: r.menu.Offers(r.at, nil), Recalls: true,
			}
			same(t, by, l, drawPage, "page.html", "a page", &page)
			same(t, by, l, drawEnter, "enter.html", "a page", &enterModel{build, l.Tag()})
			rounds, err := displaytest.Rounds().Last(100)
			if err != nil {
				t.Fatal(err)
			}
			list := r.pastList(rounds)
			same(t, by, l, drawRecall, "recall.html", "a list", &list)
			for i, round := range rounds {
				if (i+nth)%every != 0 {
					continue
				}
				one := r.pastRound(round, 0, 22, "rules wiesbaden | box 1 <a> 20")
				same(t, by, l, drawRecall, "recall.html", fmt.Sprint("round ", round.Number), &one)
				sameReplay(t, by, r.in(round.Table.House), round)
			}
			for i, s := range views[:len(displaytest.Samples())] {
				if i%5 == nth { // one language each
					var m helpModel
					if err := r.in(s.View.House).help(&m, s.View, profile.Built()[s.View.House], ""); err != nil {
						t.Fatal(err)
					}
					same(t, by, r.in(s.View.House).language, drawHelp, "help.html", s.Name, &m)
				}
			}
		}
	}
}

// sameReplay draws a round card by card, and on paper.
func sameReplay(t *testing.T, by *template.Template, r renderer, round history.Round) {
	t.Helper()
	if round.Number < 20 {
		return
	}
	for at, step := range round.Steps {
		lay, err := displaytest.Rounds().Table(step.Seq)
		if err != nil {
			t.Fatal(err)
		}
		v := display.From(lay, "<BJ & 1>", step.Seq)
		m := replayModel{Asked: r.prompt(v), Felt: r.pastFelt(v)}
		r.replay(&m, round, at)
		same(t, by, r.language, drawReplay, "replay.html", fmt.Sprint("record ", step.Seq), &m)
	}
	proof, err := displaytest.Rounds().Proof(round)
	if err != nil {
		t.Fatal(err)
	}
	var paper paperModel
	r.paper(&paper, round, proof)
	same(t, by, r.language, drawSheet, "sheet.html", fmt.Sprint("round ", round.Number), &paper)
	same(t, by, r.language, drawSlip, "slip.html", fmt.Sprint("round ", round.Number),
		&slipModel{paper, []paperModel{paper, paper}})
	var adjust adjustModel
	who := authority.Status{
		Names:  []string{"anna", "b<e>rt"},
		Locked: []authority.Locked{{Name: "anna", Until: time.Unix(1e9, 0)}},
	}
	r.adjust(&adjust, &round, display.View{Supervisor: &who})
	same(t, by, r.language, drawAdjust, "adjust.html", fmt.Sprint("round ", round.Number), &adjust)
}

// peopled adds to samples that hold a round those with a supervisor in all states.
func peopled(holds []displaytest.Sample) []displaytest.Sample {
	all := holds
	for i, s := range holds {
		who := *s.View.Supervisor
		switch i % 3 {
		case 0:
			who.Needs, who.Locked = authority.PINOrKey, []authority.Locked{{Name: "anna", Until: time.Unix(1e9, 0)}}
		case 1:
			who.Needs, who.Present, who.Until = 0, "anna & co", time.Unix(1e9, 0)
		default:
			who.Needs = authority.Key
		}
		s.View.Supervisor = &who
		s.View.Shift.Dealer, s.View.Shift.Irregularities = "d<o>ra",
			map[irregularity.Code]int{irregularity.UnreadCard: 3, irregularity.ForeignCard: 1}
		s.View.Rejected, s.View.Pit = vocab.BelowMinimum, []string{display.PitUp, display.PitDown}[i%2]
		s.View.Missing = [][]string{nil, {"card", "supervisor", "box 3"}}[i/2%2]
		s.View.Away = [][]display.Away{nil, {{Lack: display.NoDisplay, Of: "/dev/<i2c>"}}}[i/4%2]
		all = append(all, s)
	}
	return all
}

// playedViews are those of rounds at every house in which everything goes wrong.
func playedViews() (views []displaytest.Sample) {
	for nth, house := range profile.Built().Names() {
		dice := rand.New(rand.NewPCG(uint64(nth), 12))
		player := &tabletest.Player{Dice: dice, Boxes: 1 + nth%4, Freely: true}
		var tab table.Table
		var memory display.Memory
		tab.Step(tabletest.SetUp(rules.Setup{House: house}))
		for i := range 40 {
			v := display.From(&tab, "bj-1", uint64(i))
			memory.Look(&v)
			v.Bets.Amounts = i%2 == 0
			v.Moment = display.Moment(&tab)
			views = append(views, displaytest.Sample{Name: fmt.Sprint(house, " ", i), View: v})
			next := player.Next(&tab)
			if dice.IntN(4) == 0 {
				next = player.Anything(&tab)
			}
			tab.Step(&next)
		}
	}
	return views
}

// FuzzText puts any text into every field of every model, in all combinations of what is
// there and what is not, and draws as html/template does.
func FuzzText(f *testing.F) {
	for i, text := range []string{
		"anna", "", `"><script>alert(1)</script>`, `' onclick='alert(1)`, "javascript:alert(1)", "a\x00b\x00",
		"a & b &amp; c",
		"\xff\xfe<b>", "a\n\ndata: x\r\nevent: beat", "</title></svg><!--", "{{.Name}} {n} +1", "王小明 \u2028 \U0001f0a1",
		"\\u003cb\\u003e`",
	} {
		f.Add(text, uint64(i))
	}
	by := judge(display.English)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		dice := rand.New(rand.NewPCG(seed, 1))
		fuzzed(t, by, dice, text, drawTable, "table")
		fuzzed(t, by, dice, text, drawPage, "page.html")
		fuzzed(t, by, dice, text, drawRecall, "recall.html")
		fuzzed(t, by, dice, text, drawEnter, "enter.html")
		fuzzed(t, by, dice, text, drawReplay, "replay.html")
		fuzzed(t, by, dice, text, drawSheet, "sheet.html")
		fuzzed(t, by, dice, text, drawSlip, "slip.html")
		fuzzed(t, by, dice, text, drawHelp, "help.html")
		fuzzed(t, by, dice, text, drawAdjust, "adjust.html")
	})
}

func fuzzed[M any](t *testing.T, by *template.Template, dice *rand.Rand, text string,
	draw func([]byte, display.Language, *M) []byte, name string,
) {
	model := new(M)
	fillWith(reflect.ValueOf(model).Elem(), dice, text)
	same(t, by, display.English, draw, name, fmt.Sprintf("%q", text), model)
}

func fillWith(v reflect.Value, dice *rand.Rand, text string) {
	switch _, isMarkup := v.Interface().(site.Markup); {
	case v.Kind() == reflect.Pointer && dice.IntN(4) > 0:
		v.Set(reflect.New(v.Type().Elem()))
		fillWith(v.Elem(), dice, text)
	case v.Kind() == reflect.Slice && isMarkup:
		v.Set(reflect.ValueOf(displaytest.Cards("AS ?? TD JOKER 2C")[:dice.IntN(6)]).Convert(v.Type()))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), dice.IntN(3), 3))
		for i := range v.Len() {
			fillWith(v.Index(i), dice, text)
		}
	case v.Kind() == reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			switch {
			case !f.IsExported():
			case slices.Contains(addresses, "."+f.Name) && f.Type.Kind() == reflect.String:
				v.FieldByIndex(f.Index).SetString([]string{"", "a1"}[dice.IntN(2)])
			default:
				fillWith(v.FieldByIndex(f.Index), dice, text)
			}
		}
	case v.Kind() == reflect.String && dice.IntN(4) > 0:
		v.SetString(cmp.Or(map[bool]string{true: "<i>markup</i>"}[isMarkup], text))
	case v.Kind() == reflect.Bool:
		v.SetBool(dice.IntN(2) == 0)
	case v.CanInt():
		v.SetInt(dice.Int64N(3) - 1)
	case v.CanUint():
		v.SetUint(dice.Uint64N(3))
	}
}
