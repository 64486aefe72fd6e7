package export

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// fake is a journal in memory. It fails after the record number fails, if that is not 0,
// and its records up to away were moved away.
type fake struct {
	records     []journal.Record
	fails, away uint64
}

var errDisk = errors.New("the disk does not read")

func (f *fake) Head() (seq uint64, hash [32]byte, err error) {
	return uint64(len(f.records)), hash, nil
}

func (f *fake) Records(from uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		if from <= f.away {
			yield(journal.Record{}, &journal.AwayError{Part: 1, Last: f.away, To: "the archive"})
			return
		}
		for _, r := range f.records[from-1:] {
			if !yield(r, nil) {
				return
			}
			if r.Seq == f.fails {
				yield(journal.Record{}, errDisk)
				return
			}
		}
	}
}

func (f *fake) FirstOf(round uint64) (uint64, error) {
	for _, r := range f.records {
		if r.Round >= round {
			return r.Seq, nil
		}
	}
	return 0, nil
}

func (f *fake) SetUp(seq uint64) ([]byte, error) { return f.records[seq-1].Input, nil }

// Rules has those of the houses that come with Sabot.
func (f *fake) Rules(fingerprint string) ([]byte, error) {
	for _, house := range profile.Built() {
		if house.Fingerprint == fingerprint {
			return house.Text(), nil
		}
	}
	return nil, nil
}

//go:embed testdata/evening.jsonl
var eveningLines string

// evening are the records of three starts of a table, a line each.
func evening(t *testing.T) *fake {
	t.Helper()
	f := &fake{}
	for line := range strings.Lines(eveningLines) {
		var r struct {
			Seq, Boot, Round, First, Setup uint64
			At                             int64
			Shoe                           [2]uint32
			Rules                          []byte
			Input, Outputs, Carry          string
		}
		must(t, json.Unmarshal([]byte(line), &r))
		f.records = append(f.records, journal.Record{Entry: journal.Entry{
			At: r.At, Round: r.Round, ShoeBoot: r.Shoe[0], ShoeSeq: r.Shoe[1], Rules: r.Rules,
			Input: []byte(r.Input), Outputs: []byte(r.Outputs), Carry: []byte(r.Carry),
		}, Seq: r.Seq, Boot: r.Boot, FirstEvent: r.First, Setup: r.Setup})
	}
	return f
}

// of makes a journal of single records, each a round's number, an input and outputs.
func of(rows ...string) *fake {
	f, event := &fake{}, uint64(1)
	for i, row := range rows {
		parts := strings.Split(row, "\n")
		r := journal.Record{Seq: uint64(i + 1), Boot: 1, FirstEvent: event}
		fmt.Sscan(parts[0], &r.Round)
		r.At, r.Input = int64(i)*1e9, []byte(parts[1])
		for _, line := range parts[2:] {
			r.Outputs = append(r.Outputs, line+"\n"...)
			event++
		}
		f.records = append(f.records, r)
	}
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// texts are tables as texts, with what is missing as "".
type texts map[string][][]string

func textOf(cells []any) []string {
	row := make([]string, len(cells))
	for i, cell := range cells {
		if cell != nil {
			row[i] = fmt.Sprint(cell)
		}
	}
	return row
}

// written exports a journal in a format, and reads what was written.
func written(t *testing.T, from Source, format string, o Options) (texts, Counts) {
	t.Helper()
	path := filepath.Join(tabletest.FastDir(t), "out")
	o.Format = format
	counts, err := Write(t.Context(), from, path, o)
	must(t, err)
	return map[string]func(*testing.T, string) texts{
		"csv": readCSV, "parquet": readParquet, "sqlite": readSQLite,
	}[format](t, path), counts
}

func readCSV(t *testing.T, folder string) texts {
	got := texts{}
	for _, table := range tables {
		file, err := os.Open(filepath.Join(folder, table.Name+".csv"))
		must(t, err)
		got[table.Name], err = csv.NewReader(file).ReadAll()
		must(t, errors.Join(err, file.Close()))
		var names []string
		for _, c := range table.Columns {
			names = append(names, c.Name)
		}
		if !slices.Equal(got[table.Name][0], names) {
			t.Errorf("%s begins with %v, not with %v", table.Name, got[table.Name][0], names)
		}
		got[table.Name] = got[table.Name][1:]
	}
	return got
}

func readParquet(t *testing.T, folder string) texts {
	return texts{
		"record":       parquetFile[recordRow](t, folder, "record"),
		"event":        parquetFile[eventRow](t, folder, "event"),
		"round":        parquetFile[roundRow](t, folder, "round"),
		"irregularity": parquetFile[irregularityRow](t, folder, "irregularity"),
		"tray":         parquetFile[trayRow](t, folder, "tray"),
	}
}

func parquetFile[T any](t *testing.T, folder, name string) [][]string {
	t.Helper()
	rows, err := parquet.ReadFile[T](filepath.Join(folder, name+".parquet"))
	must(t, err)
	var got [][]string
	for i := range rows {
		got = append(got, textOf(tableOf(rows[i]).Values(rows[i], nil)))
	}
	return got
}

func tableOf(row any) *Table {
	return &tables[slices.IndexFunc(tables, func(t Table) bool { return t.Has(row) })]
}

func readSQLite(t *testing.T, path string) texts {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	got := texts{}
	for i := range tables {
		got[tables[i].Name] = sqliteRows(t, db, &tables[i])
	}
	return got
}

func sqliteRows(t *testing.T, db *sql.DB, of *Table) (got [][]string) {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + of.Name + ` ORDER BY number`)
	must(t, err)
	defer rows.Close()
	columns := of.Columns
	for rows.Next() {
		cells, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		must(t, rows.Scan(to...))
		for i, c := range columns {
			if c.Kind.Kind() == reflect.Bool {
				cells[i] = cells[i] == int64(1)
			}
		}
		got = append(got, textOf(cells))
	}
	must(t, rows.Err())
	return got
}

// TestFormats: each format holds the same rows, which are those that are made of the
// journal.
func TestFormats(t *testing.T) {
	from := evening(t)
	want := texts{}
	m := maker{emit: func(row any) error {
		of := tableOf(row)
		want[of.Name] = append(want[of.Name], textOf(of.Values(row, nil)))
		return nil
	}}
	must(t, m.run(t.Context(), from, Options{}))
	for _, format := range Formats() {
		got, counts := written(t, from, format, Options{})
		if counts != (Counts{Records: 68, Events: 105, Rounds: 3, Irregularities: 3}) {
			t.Errorf("%s: %+v were written", format, counts)
		}
		for _, table := range tables {
			if len(got[table.Name])+len(want[table.Name]) > 0 && !reflect.DeepEqual(got[table.Name], want[table.Name]) {
				t.Errorf("%s holds as %s\n%q\nnot\n%q", format, table.Name, got[table.Name], want[table.Name])
			}
		}
	}
}

// TestTray: each format has what was done to the tray.
func TestTray(t *testing.T) {
	from := of(
		`0
{"in":"count","event":"opening","chips":["1000x20","10000x5"],"dealer":"d7","by":"anna"}
{"out":"count","event":"opening","chips":["1000x20","10000x5"],"amount":70000,"dealer":"d7","by":"anna"}`,
		`0
{"in":"fill","event":"asked","chips":["10000x2"],"by":"d7"}
{"out":"tray","in":"fill","event":"asked","slip":1,"chips":["10000x2"],"amount":20000,"tray":70000,"by":"d7"}`,
		`0
{"in":"count","event":"closing","chips":["10000x6"],"dealer":"d8","by":"anna"}
{"out":"count","event":"closing","chips":["10000x6"],"amount":60000,"tray":70000,"difference":-10000,"dealer":"d8",`+
			`"by":"anna","before":1,"rounds":9,"accepted":1,"dealers":["d7","d8"]}`,
	)
	want := [][]string{
		{"count", "opening", "1000x20 10000x5", "70000", "", "", "d7"},
		{"fill", "asked", "10000x2", "20000", "70000", "", ""},
		{"count", "closing", "10000x6", "60000", "70000", "-10000", "d8"},
	}
	of := tables[slices.IndexFunc(tables, func(t Table) bool { return t.Name == "tray" })]
	column := func(name string) int {
		return slices.IndexFunc(of.Columns, func(c Column) bool { return c.Name == name })
	}
	for _, format := range Formats() {
		all, _ := written(t, from, format, Options{})
		var got [][]string
		for _, row := range all["tray"] {
			var cells []string
			for _, name := range []string{"what", "event", "chips", "amount", "tray", "difference", "dealer"} {
				cells = append(cells, row[column(name)])
			}
			got = append(got, cells)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q", format, got)
		}
		if last := all["tray"][2]; last[column("dealers")] != "d7, d8" || last[column("count_before")] != "1" ||
			last[column("rounds")] != "9" || last[column("unknown")] != "" {
			t.Errorf("%s: %q", format, last)
		}
	}
}

// TestPython: somebody else's reader finds the same in the SQLite file.
func TestPython(t *testing.T) {
	if out, err := exec.Command("python3", "-c", "import sqlite3").CombinedOutput(); err != nil {
		t.Fatalf("this test needs Debian's package python3: %v: %s", err, out)
	}
	path := filepath.Join(tabletest.FastDir(t), "out")
	_, err := Write(t.Context(), evening(t), path, Options{Format: "sqlite"})
	must(t, err)
	const script = `import csv, sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT * FROM " + sys.argv[2] + " ORDER BY number"):
    csv.writer(sys.stdout).writerow(row)`
	want := readSQLite(t, path)
	for _, table := range []string{"record", "event", "irregularity"} {
		out, err := exec.Command("python3", "-c", script, path, table).Output()
		must(t, err)
		got, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
		must(t, err)
		if !reflect.DeepEqual(got, want[table]) {
			t.Errorf("python finds as %s\n%q\nnot\n%q", table, got, want[table])
		}
	}
}

// made are the rows that are made of a journal.
type made struct {
	records   []recordRow
	events    []eventRow
	rounds    []roundRow
	irregular []irregularityRow
}

func rowsOf(t *testing.T, from Source, o Options) *made {
	t.Helper()
	got := &made{}
	m := maker{emit: got.take}
	must(t, m.run(t.Context(), from, o))
	return got
}

func (m *made) take(row any) error {
	switch row := row.(type) {
	case recordRow:
		m.records = append(m.records, row)
	case eventRow:
		m.events = append(m.events, row)
	case roundRow:
		m.rounds = append(m.rounds, row)
	case irregularityRow:
		m.irregular = append(m.irregular, row)
	}
	return nil
}

// TestComplete: nothing of the journal is missing in the tables.
func TestComplete(t *testing.T) {
	from := evening(t)
	got := rowsOf(t, from, Options{})
	events := 0
	for i, r := range from.records {
		row := got.records[i]
		if row.Number != int64(r.Seq) || row.Boot != int64(r.Boot) || row.Round != int64(r.Round) ||
			row.FirstEvent != int64(r.FirstEvent) ||
			row.Time != Instant(r.At) || row.Input != string(r.Input) ||
			row.Hash != hex.EncodeToString(r.Hash[:]) ||
			*row.Rules != hex.EncodeToString(r.Rules) || (row.ShoeSeq == nil) != (r.ShoeSeq == 0) ||
			row.ShoeSeq != nil && *row.ShoeSeq != int64(r.ShoeSeq) {
			t.Errorf("record %d became %+v", r.Seq, row)
		}
		var lines []string
		for line := range r.Lines() {
			event := got.events[events]
			events++
			lines = append(lines, string(line))
			if event.Number != int64(events) || event.Record != int64(r.Seq) || event.Line != string(line) ||
				event.Round != int64(r.Round) {
				t.Errorf("event %d of record %d became %+v", events, r.Seq, event)
			}
		}
		if want := "[" + strings.Join(lines, ",") + "]"; row.Outputs != want {
			t.Errorf("record %d has the outputs %s, not %s", r.Seq, row.Outputs, want)
		}
	}
	if len(got.records) != len(from.records) || len(got.events) != events {
		t.Errorf("%d records and %d events were written", len(got.records), len(got.events))
	}
}

// TestRules: a journal may name rules only where they come into force.
func TestRules(t *testing.T) {
	from := evening(t)
	want := rowsOf(t, from, Options{From: 40})
	for i := len(from.records) - 1; i > 0; i-- {
		if slices.Equal(from.records[i].Rules, from.records[i-1].Rules) {
			from.records[i].Rules = nil
		}
	}
	if got := rowsOf(t, from, Options{From: 40}); !reflect.DeepEqual(got, want) {
		t.Errorf("the records are %+v\nnot %+v", got.records, want.records)
	}
}

// TestMoney: what was settled and not taken back adds up to the rounds' sums.
func TestMoney(t *testing.T) {
	got := rowsOf(t, evening(t), Options{})
	for _, round := range got.rounds[:2] {
		var staked, returned, won int64
		for _, e := range got.events {
			if e.Round != round.Number || e.TakenBack != nil || e.Won == nil || e.Bettor == nil {
				continue
			}
			won += *e.Won
			if *e.Out == "settled" {
				staked, returned = staked+*e.Stake, returned+*e.Returned
			}
		}
		if staked == 0 || staked != *round.Staked || returned != *round.Returned || won != *round.Won {
			t.Errorf("round %d: staked %d, returned %d, won %d, not %d, %d, %d", round.Number, staked, returned, won,
				*round.Staked, *round.Returned, *round.Won)
		}
	}
	if open := got.rounds[2]; open.Staked != nil || open.Bank != nil || open.Ended != 0 {
		t.Errorf("the open round is %+v", open)
	}
}

// TestShoes: a round has the shoe from which it began, also where the export begins after
// the shoe was named.
func TestShoes(t *testing.T) {
	from := of(
		`0
{"in":"setup","house":"wiesbaden"}`,
		`0
{"in":"shoe","event":"online","maker":"bee-tek"}
{"out":"shoe","maker":"bee-tek"}`,
		`1
{"in":"open"}
{"out":"opened","round":1}`,
		`1
{"in":"shoe","event":"online","maker":"sabot","serial":"SB-1","firmware":"1.0.2"}
{"out":"shoe","maker":"sabot","serial":"SB-1","firmware":"1.0.2","packs":"red 1-6","by":"d7"}`,
		`2
{"in":"open"}
{"out":"opened","round":2}`,
	)
	show := func(row roundRow) string {
		cells := textOf(tableOf(row).Values(row, nil))
		return strings.Join(cells[len(cells)-4:], "|")
	}
	for first := range 4 {
		rounds := rowsOf(t, from, Options{From: uint64(first)}).rounds
		if got := show(rounds[0]) + " " + show(rounds[1]); got != "bee-tek||| sabot|SB-1|1.0.2|red 1-6" {
			t.Errorf("from record %d the rounds have the shoes %s", first, got)
		}
	}
}

// TestPaid: a round has what was paid beside what was due, and so has each event that tells of it.
func TestPaid(t *testing.T) {
	got := rowsOf(t, of(
		`1
{"in":"open"}
{"out":"opened","round":1}`,
		`1
{"in":"card","card":"TD"}
{"out":"settled","box":1,"bettor":"a","wager":"main","hand":1,"outcome":"win","why":"higher-total","stake":2000,"returned":2000,"won":2000}
{"out":"round","round":1,"bank":["7D","TD"],"bank_total":17,"staked":2000,"returned":2000,"won":2000}`,
		`1
{"in":"paid","box":1,"amount":3000}
{"out":"irregular","code":"payout-mismatch","box":1,"due":2000,"paid":3000,"choices":["corrected","accept"]}`,
		`1
{"in":"resolve","with":"accept","by":"s1"}
{"out":"payout","box":1,"bettor":"a","wager":"main","hand":1,"why":"higher-total","due":2000,"paid":3000,"by":"s1"}
{"out":"finished","round":1,"due":2000,"paid":3000}`,
	), Options{})
	if r := got.rounds[0]; *r.Won != 2000 || *r.Paid != 3000 {
		t.Errorf("%d were won, and %d paid", *r.Won, *r.Paid)
	}
	told := 0
	for _, e := range got.events {
		switch *e.Out {
		case "irregular", "payout", "finished":
			if told++; *e.Due != 2000 || *e.Paid != 3000 {
				t.Errorf("%s says %d and %d", *e.Out, *e.Due, *e.Paid)
			}
		default:
			if e.Due != nil || e.Paid != nil {
				t.Errorf("%s says what was paid", *e.Out)
			}
		}
	}
	if told != 3 {
		t.Errorf("%d events tell what was paid", told)
	}
}

// TestColumns looks at rows of each kind.
func TestColumns(t *testing.T) {
	got := rowsOf(t, evening(t), Options{})
	show := func(row any) string { return strings.Join(textOf(tableOf(row).Values(row, nil)), "|") }
	for _, c := range []struct{ got, want string }{
		{
			show(got.rounds[1]),
			"2|2026-11-21T20:00:45.679011967Z|2026-11-21T20:02:12.839505569Z|false|schaffhausen|CHF|dora|late|9D 4S " +
				"KH|23|6000|6000|14250|14250|37|59||||",
		},
		{
			show(got.irregular[0]),
			"16|16|2026-11-21T20:00:19.753086256Z|1|dora|late|unread-card|??||||" +
				"2026-11-21T20:00:20.987654147Z|identify|s1|" +
				"gemischt, \"verklebt\": Karte 5; née ½\t日|",
		},
		{show(got.events[18]), `19|17|2026-11-21T20:00:20.987654147Z|1|1|due|1|1||||||||||||||||call||||` +
			`|{"out":"due","to":"call","box":1,"hand":1,"allowed":["card","rest","split"]}`},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	for _, e := range got.events {
		if *e.Out == "settled" && *e.Outcome == "surrender" && (e.TakenBack == nil || *e.TakenBack != 49) {
			t.Errorf("the surrender that was taken back is %s", show(e))
		}
	}
}

// TestSelection: who dealt, and at which house and in which currency, is known of what is not written, too.
func TestSelection(t *testing.T) {
	from := evening(t)
	for _, c := range []struct {
		o                               Options
		first, last, rounds, irregulars int
	}{
		{Options{From: 40}, 40, 68, 2, 2},
		{Options{Rounds: Rounds{2, 2}}, 37, 59, 1, 2},
		{Options{Rounds: Rounds{2, 9}}, 37, 68, 2, 2},
		{Options{From: 50, Rounds: Rounds{1, 2}}, 50, 59, 1, 2},
	} {
		got := rowsOf(t, from, c.o)
		first, last := got.records[0], got.records[len(got.records)-1]
		if first.Number != int64(c.first) || last.Number != int64(c.last) || len(got.rounds) != c.rounds ||
			len(got.irregular) != c.irregulars {
			t.Errorf("%+v: records %d to %d, %d rounds, %d irregularities", c.o, first.Number, last.Number,
				len(got.rounds), len(got.irregular))
		}
		if round := got.rounds[0]; *round.Dealer != "dora" || *round.House != "schaffhausen" ||
			*round.Currency != "CHF" {
			t.Errorf("%+v: %+v", c.o, round)
		}
	}
	for want, o := range map[string]Options{
		"there is no record 69: the last is 68":                 {From: 69},
		"the journal has none of the rounds 4 to 9":             {Rounds: Rounds{4, 9}},
		`"xml" is not a format: there are [csv parquet sqlite]`: {Format: "xml"},
	} {
		if o.Format == "" {
			o.Format = "csv"
		}
		path := filepath.Join(tabletest.FastDir(t), "out")
		if _, err := Write(t.Context(), from, path, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v\nshould say %s", o, err, want)
		}
	}
}

// TestAway: parts that were moved away are no hindrance to what comes after them.
func TestAway(t *testing.T) {
	from := evening(t)
	want := rowsOf(t, from, Options{From: 40})
	for i := 37; i < len(from.records); i++ {
		from.records[i].Rules = nil // as a log has it: no other rules came into force
	}
	from.away = 38
	for _, o := range []Options{{From: 40}, {From: 40, Rounds: Rounds{2, 3}}} {
		got := rowsOf(t, from, o)
		for i := range got.rounds {
			if house := got.rounds[i].House; house == nil || *house != "schaffhausen" || got.rounds[i].Dealer != nil ||
				*got.rounds[i].Currency != "CHF" {
				t.Errorf("%+v: %+v", o, got.rounds[i])
			}
		}
		if !reflect.DeepEqual(got.records, want.records) || !reflect.DeepEqual(got.events, want.events) {
			t.Errorf("%+v: the records are %+v\nnot %+v", o, got.records, want.records)
		}
	}
	for _, o := range []Options{{}, {From: 38}, {Rounds: Rounds{2, 2}}} {
		m := maker{emit: new(made).take}
		if err := m.run(t.Context(), from, o); err == nil ||
			!strings.Contains(err.Error(), "was moved to the archive") || !strings.Contains(err.Error(), "--from 39") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestAlarms: each is put right by what concerns it, also in a later round.
func TestAlarms(t *testing.T) {
	from := of(
		"0\n"+`{"in":"shoe","event":"alarm","code":"cover"}`+"\n"+
			`{"out":"irregular","code":"shoe-alarm","alarm":"cover","choices":["accept"]}`,
		"0\n"+`{"in":"shoe","event":"alarm","code":"door"}`+"\n"+
			`{"out":"irregular","code":"shoe-alarm","alarm":"door","choices":["accept"]}`,
		"1\n"+`{"in":"shoe","event":"alarm-cleared","code":"door"}`+"\n"+
			`{"out":"resolved","code":"shoe-alarm","with":"cleared","by":""}`,
		"1\n"+`{"in":"resolve","with":"accept","by":"s1"}`+"\n"+
			`{"out":"resolved","code":"shoe-alarm","with":"accept","by":"s1"}`,
	)
	got := rowsOf(t, from, Options{})
	if cover, door := got.irregular[0], got.irregular[1]; *cover.ResolvedWith != "accept" ||
		*cover.ResolvedBy != "s1" || *door.ResolvedWith != "cleared" || door.ResolvedBy != nil {
		t.Errorf("got %+v", got.irregular)
	}
}

// TestUnknownLines: what no version knows is written as it was recorded.
func TestUnknownLines(t *testing.T) {
	from := of("1\n"+`{"in":"wave"}`+"\n"+`{"out":"waved","box":"three"}`+"\n"+`no "json" {`, "1\nno json\n")
	from.records[1].Outputs = nil
	for _, format := range Formats() {
		got, _ := written(t, from, format, Options{})
		if events := got["event"]; events[0][5] != "waved" || events[1][5] != "" ||
			events[1][len(events[1])-1] != `no "json" {` {
			t.Errorf("%s: the events are %q", format, events)
		}
		if outputs := got["record"][0][9]; outputs != `[{"out":"waved","box":"three"},"no \"json\" {"]` {
			t.Errorf("%s: the outputs are %s", format, outputs)
		}
	}
}

// left lists what is in a folder.
func left(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, file := range files {
		names = append(names, file.Name())
	}
	return names
}

// TestNothingLeft: after an error there is nothing new, and what was there is.
func TestNothingLeft(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	broken := evening(t)
	broken.fails = 40
	for _, format := range Formats() {
		for _, c := range []struct {
			ctx  context.Context
			from Source
			want error
		}{{t.Context(), broken, errDisk}, {stopped, evening(t), context.Canceled}} {
			folder := tabletest.FastDir(t)
			_, err := Write(c.ctx, c.from, filepath.Join(folder, "out"), Options{Format: format})
			if !errors.Is(err, c.want) || len(left(t, folder)) != 0 {
				t.Errorf("%s: %v, and there is %v", format, err, left(t, folder))
			}
		}
	}
}

// TestThere: what is there is not touched, but for an earlier export with Force.
func TestThere(t *testing.T) {
	from := evening(t)
	for _, format := range Formats() {
		folder := tabletest.FastDir(t)
		path := filepath.Join(folder, "out")
		o := Options{Format: format}
		_, err := Write(t.Context(), from, path, o)
		must(t, err)
		if _, err := Write(t.Context(), from, path, o); err == nil ||
			!strings.Contains(err.Error(), "already exists and was not touched") {
			t.Errorf("%s, a second time: %v", format, err)
		}
		o.Force, o.From = true, 60
		counts, err := Write(t.Context(), from, path, o)
		if err != nil || counts.Records != 9 || !slices.Equal(left(t, folder), []string{"out"}) {
			t.Errorf("%s, by force: %+v, %v, and there is %v", format, counts, err, left(t, folder))
		}
		broken := evening(t)
		broken.fails = 65
		if _, err := Write(t.Context(), broken, path, o); !errors.Is(err, errDisk) ||
			!slices.Equal(left(t, folder), []string{"out"}) {
			t.Errorf("%s, by force and in vain: %v, and there is %v", format, err, left(t, folder))
		}
	}
}

// TestForceHasLimits: nothing is replaced that no export has written.
func TestForceHasLimits(t *testing.T) {
	folder := tabletest.FastDir(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	must(t, os.MkdirAll(at("photos"), 0o755))
	must(t, os.WriteFile(at("photos/cat.jpg"), nil, 0o600))
	must(t, os.WriteFile(at("file"), []byte("x"), 0o600))
	must(t, os.WriteFile(at("busy"), []byte("x"), 0o600))
	must(t, os.WriteFile(at("busy-wal"), []byte("x"), 0o600))
	for _, c := range []struct{ format, path, want string }{
		{"csv", "photos", "contains something that no export has written, cat.jpg"},
		{"parquet", "file", "is not a folder"},
		{"sqlite", "photos", "is not a file"},
		{"sqlite", "busy", "is in use"},
		{"sqlite", "missing/out", "no such file"},
	} {
		_, err := Write(t.Context(), evening(t), at(c.path), Options{Format: c.format, Force: true})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s to %s: %v\nshould say %q", c.format, c.path, err, c.want)
		}
	}
	if got := left(t, folder); !slices.Equal(got, []string{"busy", "busy-wal", "file", "photos"}) {
		t.Errorf("there is %v", got)
	}
}
