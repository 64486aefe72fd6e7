package topic

import (
	"fmt"
	"slices"
	"strings"
)

// Prefix starts every topic. The number changes when a reader of the old messages
// would misread the new ones, not when fields are added.
const Prefix = "sabot/v1"

// MaxName is the longest name of a site or a table, in characters: topics and the
// client identifiers made of them stay short enough for every broker.
const MaxName = 32

// Any stands for every site or every table in [Filter].
const Any = "+"

// Kind is one of a table's topics.
type Kind string

// The topics of a table.
const (
	// KindStatus is retained: whether the table is connected.
	KindStatus Kind = "status"
	// KindState is retained: the whole table as the dealer sees it.
	KindState Kind = "state"
	// KindEvent is not retained: each output of the engine, once and in order.
	KindEvent Kind = "event"
	// KindHealth is retained: how the table's computer does.
	KindHealth Kind = "health"
	// KindAlert is retained, and has a topic for each irregularity below its own: see
	// [Table.Alert].
	KindAlert Kind = "alert"
	// KindRequest is for readers, and not retained: they request events again that they
	// lack.
	KindRequest Kind = "request"
	// KindFetch is for readers, and not retained: they fetch records of the table's journal.
	KindFetch Kind = "fetch"
	// KindTotals is retained: what the table has come to.
	KindTotals Kind = "totals"
	// KindRecords is not retained, and has a topic for each reader below its own: see
	// [Table.Records].
	KindRecords Kind = "records"
	// KindCommand is for readers, and not retained: signed commands, as pit/command has them. A
	// table reads them only if its configuration says so.
	KindCommand Kind = "command"
	// KindAnswer is not retained, and has a topic for each pit below its own: what became of its
	// commands. See [Table.Answer].
	KindAnswer Kind = "answer"
	// KindJackpot is for the pit, and not retained: what is in the jackpot that several tables play for, and how much
	// of it the winners of a round get, signed, as pit/jackpot has it.
	KindJackpot Kind = "jackpot"
)

// kinds are a table's topics, in the order of pit/README.md.
var kinds = []struct {
	kind Kind
	// about says what a message is.
	about string
	// retained says that a broker keeps the last message, and readers that readers write it and
	// the table reads it: all others are for the table alone to write to.
	retained, readers bool
	// below is what a topic below the kind's own is called by, "" for a kind without such topics.
	below string
	// answers is the kind whose messages it answers, "" for none.
	answers Kind
	// content is the media type of a message, "" for JSON.
	content string
}{
	{kind: KindStatus, about: "Whether the table is connected.", retained: true},
	{kind: KindState, about: "The table as its dealer sees it.", retained: true},
	{kind: KindEvent, about: "An output of the engine, in order."},
	{kind: KindHealth, about: "How the table's computer, its shoe and its journal do.", retained: true},
	{
		kind:     KindAlert,
		about:    "An irregularity that is not put right or not acknowledged; an empty message takes it off.",
		retained: true, below: "code",
	},
	{
		kind:     KindTotals,
		about:    "What the table has come to since its gaming day began, and in the present dealer's shift.",
		retained: true,
	},
	{kind: KindRequest, about: "A reader has events sent again.", readers: true},
	{kind: KindFetch, about: "A reader asks for records of the journal.", readers: true},
	{kind: KindRecords, about: "Records of the journal, in answer to a reader.", below: "reader", answers: KindFetch},
	{
		kind: KindCommand,
		about: "The pit tells the table to do something: a signature, and what is signed, as pit/command/README.md " +
			"specifies them.", readers: true, content: "text/plain; charset=utf-8",
	},
	{kind: KindAnswer, about: "What became of a command.", below: "pit", answers: KindCommand},
	{
		kind: KindJackpot,
		about: "The pit says what is in the jackpot that several tables play for: a signature, and what is signed, " +
			"as docs/jackpot.md specifies them.", readers: true, content: "text/plain; charset=utf-8",
	},
}

// Kinds lists the topics of a table.
func Kinds() (list []Kind) {
	for i := range kinds {
		list = append(list, kinds[i].kind)
	}
	return list
}

// Retained says whether a broker keeps the last message of the kind for readers
// that come later.
func (k Kind) Retained() bool { i := k.index(); return i >= 0 && kinds[i].retained }

// ByReaders says whether readers write messages of the kind, which the table reads.
func (k Kind) ByReaders() bool { i := k.index(); return i >= 0 && kinds[i].readers }

// Below says whether the kind has topics of one more name below its own: an irregularity's
// code, a reader, or a pit.
func (k Kind) Below() bool { i := k.index(); return i >= 0 && kinds[i].below != "" }

// index is the kind's place in kinds, -1 for none.
func (k Kind) index() int { return slices.Index(Kinds(), k) }

// Table is a table's place in the topic tree. The zero value is not a table; NewTable
// makes one.
type Table struct {
	site, name string
}

// NewTable names a table. Site and name are 1 to 32 characters of a-z, 0-9, "_" and
// "-", which every broker takes as they are; anything else is an error that says
// which character is wrong.
func NewTable(site, name string) (Table, error) {
	if err := validName("site", site); err != nil {
		return Table{}, err
	}
	if err := validName("table", name); err != nil {
		return Table{}, err
	}
	return Table{site: site, name: name}, nil
}

// Site is the name of the house or hall.
func (t Table) Site() string { return t.site }

// Name is the table's name, unique within its site.
func (t Table) Name() string { return t.name }

// String returns "site/table".
func (t Table) String() string { return t.site + "/" + t.name }

// Topic returns the full topic of the kind.
func (t Table) Topic(kind Kind) string {
	return Prefix + "/" + t.site + "/" + t.name + "/" + string(kind)
}

// Alert returns the full topic of the alert with an irregularity's code.
func (t Table) Alert(code string) string { return t.Topic(KindAlert) + "/" + code }

// Answer returns the full topic of the answers to a pit's commands.
func (t Table) Answer(pit string) string { return t.Topic(KindAnswer) + "/" + pit }

// AnswerFilter returns the subscription for the answers to a pit's commands.
func AnswerFilter(site, table, pit string) string {
	return Prefix + "/" + site + "/" + table + "/" + string(KindAnswer) + "/" + pit
}

// Records returns the full topic of the answers to a reader.
func (t Table) Records(reader string) string { return t.Topic(KindRecords) + "/" + reader }

// Filter returns the subscription for one kind of the named site and table, either
// of which may be [Any]. Of a kind that has topics below its own it is all of them.
func Filter(site, table string, kind Kind) string {
	filter := Prefix + "/" + site + "/" + table + "/" + string(kind)
	if kind.Below() {
		filter += "/" + Any
	}
	return filter
}

// RecordsFilter returns the subscription for the answers to a reader.
func RecordsFilter(site, table, reader string) string {
	return Prefix + "/" + site + "/" + table + "/" + string(KindRecords) + "/" + reader
}

// Parse takes a topic apart. Topics that are not a table's are an error. The code of
// an alert is in its message.
func Parse(topic string) (Table, Kind, error) {
	rest, ok := strings.CutPrefix(topic, Prefix+"/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) < 3 {
		return Table{}, "", fmt.Errorf("topic %q is not %s/<site>/<table>/<kind>", topic, Prefix)
	}
	table, err := NewTable(parts[0], parts[1])
	if err != nil {
		return Table{}, "", fmt.Errorf("topic %q: %w", topic, err)
	}
	kind, below := Kind(parts[2]), parts[3:]
	switch {
	case kind.index() < 0:
		return Table{}, "", fmt.Errorf("topic %q: %q is not one of %s", topic, parts[2], listed(Kinds()))
	case kind.Below() && len(below) != 1 || !kind.Below() && len(below) != 0:
		return Table{}, "", fmt.Errorf("topic %q does not have as many parts as topics of the kind %s", topic, kind)
	case kind.Below():
		err = validName(string(kind), below[0])
	}
	if err != nil {
		return Table{}, "", fmt.Errorf("topic %q: %w", topic, err)
	}
	return table, kind, nil
}

// listed writes kinds as a sentence has them.
func listed(kinds []Kind) string {
	text := string(kinds[0])
	for i, kind := range kinds[1:] {
		if i == len(kinds)-2 {
			text += " and " + string(kind)
		} else {
			text += ", " + string(kind)
		}
	}
	return text
}

// validName says what is wrong with a name in a topic.
func validName(what, name string) error {
	const rule = `use 1 to 32 characters of a-z, 0-9, "_" and "-"`
	if name == "" {
		return fmt.Errorf("the %s has no name: %s", what, rule)
	}
	for i, r := range name {
		if !nameRune(r) {
			return fmt.Errorf("%s name %q holds %q at byte %d: %s", what, name, r, i+1, rule)
		}
	}
	if len(name) > MaxName {
		return fmt.Errorf("%s name %q has %d characters: %s", what, name, len(name), rule)
	}
	return nil
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}
