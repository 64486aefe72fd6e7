package web

import (
	"bytes"
	"embed"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/history"
)

//go:embed templates/*.html
var templates embed.FS

var pages = site.ParseTemplates(templates, "templates/*")

// What is drawn: the pages, and the table in the page that shows it.
var (
	drawPage   = site.Compile[pageModel](pages, "page.html")
	drawEnter  = site.Compile[enterModel](pages, "enter.html")
	drawRecall = site.Compile[recallModel](pages, "recall.html")
	drawReplay = site.Compile[replayModel](pages, "replay.html")
	drawAdjust = site.Compile[adjustModel](pages, "adjust.html")
	drawSheet  = site.Compile[paperModel](pages, "sheet.html")
	drawSlip   = site.Compile[slipModel](pages, "slip.html")
	drawHelp   = site.Compile[helpModel](pages, "help.html")
	drawTable  = site.Compile[tableModel](pages, "table")
)

// renderer turns views into sections, in one language.
type renderer struct {
	language display.Language
	// menu are the languages that may be chosen, and at is where this one stands.
	menu site.Menu
	at   int
	// recalls says that there is a way to past rounds, and helps one to the help.
	recalls, helps bool
	// settles says that there is a way to the settings.
	settles bool
	// inspects says that there is a way to the devices and the log.
	inspects bool
	// root begins the addresses of past rounds.
	root string
	// hands says that the screen is for touching, not only for looking.
	hands bool
	// badges says that dealers are proven by the badges that a reader types.
	badges bool
	// made is what the models of one drawing are made of.
	made *made
}

// tableModel are the sections of the page, in the order in which they stand on it.
type tableModel struct {
	Drawn  string
	Prompt promptModel
	Status statusModel
	Held   bool
	Bank   bankModel
	Keys   keysModel
	Sheets []sheetModel
	// Which is the shoe that deals.
	Which whichModel
	Floor floorModel
	// Correct is the dialogue in which the round is corrected, nil at any other time.
	Correct *correctModel
	// Pay is the sheet on which bettors are paid one by one, nil outside the payment.
	Pay *payModel
	// Float is the sheet of the tray, nil while the table is held.
	Float  *floatModel
	People peopleModel
	Shift  shiftModel
	Bets   betsModel
	Boxes  []boxModel
	Count  int
}

func (r renderer) table(v display.View) *tableModel {
	var offered []touch.Key
	if r.hands {
		offered = touch.Keys(v)
	}
	floor := r.floor(v)
	m := &tableModel{
		Drawn: r.drawn(), Prompt: r.prompt(v), Status: r.status(v, floor), Held: v.Held != nil, Bank: r.bank(v),
		Keys: r.keys(v, offered), Sheets: r.sheets(v, offered), Which: r.which(v.Shoe), Floor: floor,
		Correct: r.correct(v), Pay: r.pay(v), Float: r.float(v), People: r.people(v), Shift: r.shift(v),
		Bets:  r.bets(v),
		Boxes: make([]boxModel, len(v.Boxes)), Count: len(v.Boxes),
	}
	for i := range v.Boxes {
		m.Boxes[i] = r.box(v, i)
	}
	return m
}

// sections draws the table and cuts it where its template says: every other piece is a
// section, and those between hold them together.
func (r renderer) sections(v display.View) [][]byte {
	r = r.in(v.House)
	return site.Sections(drawTable(make([]byte, 0, 16<<10), r.language, r.table(v)))
}

// page returns the whole document with a view's sections in it. The sections are the
// same for every screen; the document says what this one may do, so that style and
// script leave out the rest.
func (r renderer) page(v display.View, drawn [][]byte, role Role, at authority.Place) []byte {
	return drawPage(nil, r.language, &pageModel{
		Build: build, Role: role.String(), Drawn: r.drawn(), Lang: r.language.Tag(), Title: v.Table,
		Deck: deck, Signs: signShapes, Sections: site.MarkupText(bytes.Join(drawn, nil)),
		Languages: r.menu.Offers(r.at, nil), Recalls: r.recalls, Helps: r.helps,
		Settles: r.settles && role >= Supervisor && at == authority.Own, Inspects: r.inspects && role >= Supervisor,
		Badges: r.badges && role >= Dealer, Elsewhere: at != authority.Own,
	})
}

// in begins a drawing with the words of a house.
func (r renderer) in(house string) renderer {
	r.language, r.made = r.language.In(house), new(made)
	return r
}

// past is the renderer of what a table has recorded.
func (r renderer) past(t history.Table) renderer {
	r = r.in(t.House)
	r.language = r.language.At(t)
	return r
}

type pageModel struct {
	Build, Drawn, Lang, Title, Role string
	// Elsewhere says that the page is not at the table's own computer.
	Elsewhere bool
	Deck      []faceModel
	Signs     []shape
	Sections  site.MarkupText
	// Languages are in the menu of what a screen may be told about itself, Recalls says that
	// the way to past rounds is, and Helps that to the help.
	Languages      []site.Offer
	Recalls, Helps bool
	// Settles says that the way to the table's settings is there, too.
	Settles bool
	// Inspects says that the way to the devices and the log is there, too.
	Inspects bool
	// Badges says that what a reader types is a dealer's badge.
	Badges bool
}

// drawn names the build and the language. A page loads itself again when it is sent
// sections of another: its own words must be of the same language as theirs.
func (r renderer) drawn() string { return build + "-" + r.language.Tag() }
