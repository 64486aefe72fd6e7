package topic

import (
	"strings"
	"testing"
)

func TestNewTable(t *testing.T) {
	long := strings.Repeat("a", MaxName)
	for _, c := range []struct{ site, name, wrong string }{
		{"wiesbaden", "bj1", ""},
		{"hall-2_b", "7", ""},
		{long, long, ""},
		{"", "bj1", "the site has no name"},
		{"wiesbaden", "", "the table has no name"},
		{"Wiesbaden", "bj1", `site name "Wiesbaden" holds 'W' at byte 1`},
		{"z\u00fcrich", "bj1", `holds 'ü' at byte 2`},
		{"wiesbaden", "bj 1", `table name "bj 1" holds ' ' at byte 3`},
		{"wiesbaden", "bj/1", `holds '/' at byte 3`},
		{"wiesbaden", "#", `holds '#' at byte 1`},
		{"+", "bj1", `holds '+' at byte 1`},
		{"wiesbaden", "bj1\n", `holds '\n' at byte 4`},
		{"wiesbaden", "bj.1", `holds '.' at byte 3`},
		{"wiesbaden", long + "a", "has 33 characters"},
	} {
		table, err := NewTable(c.site, c.name)
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%q, %q: %v", c.site, c.name, err)
		case c.wrong == "" && (table.Site() != c.site || table.Name() != c.name):
			t.Errorf("%q, %q became %s", c.site, c.name, table)
		case c.wrong != "" && err == nil:
			t.Errorf("%q, %q was taken", c.site, c.name)
		case c.wrong != "" && (!strings.Contains(err.Error(), c.wrong) ||
			!strings.Contains(err.Error(), "use 1 to 32")):
			t.Errorf("%q, %q: the error %q does not say %q and the rule", c.site, c.name, err, c.wrong)
		}
	}
}

func TestTopicsThereAndBack(t *testing.T) {
	table, err := NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Topic(KindEvent); got != "sabot/v1/wiesbaden/bj1/event" {
		t.Errorf("topic %q", got)
	}
	if got := Filter(Any, Any, KindHealth); got != "sabot/v1/+/+/health" {
		t.Errorf("filter %q", got)
	}
	for _, kind := range Kinds() {
		topic := table.Topic(kind)
		if kind.Below() {
			topic += "/one"
		}
		gotTable, gotKind, err := Parse(topic)
		if err != nil || gotTable != table || gotKind != kind {
			t.Errorf("%s: %v %v %v", kind, gotTable, gotKind, err)
		}
		if kind.Retained() && kind.ByReaders() {
			t.Errorf("%s: what a reader asks for would be asked for again with every connection", kind)
		}
	}
	if got := table.Records("pit"); got != "sabot/v1/wiesbaden/bj1/records/pit" ||
		got != RecordsFilter("wiesbaden", "bj1", "pit") {
		t.Errorf("topic %q", got)
	}
	if got := Filter(Any, Any, KindRecords); got != "sabot/v1/+/+/records/+" {
		t.Errorf("filter %q", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, topic := range []string{
		"", "sabot/v1", "sabot/v1/a/b", "sabot/v1/a/b/c", "sabot/v1/a/b/event/x", "sabot/v1/a/b/records",
		"sabot/v1/a/b/alert",
		"sabot/v1/a/b/records/A", "sabot/v1/a/b/records/x/y", "sabot/v2/a/b/event",
		"sabot/v1/A/b/event", "sabot/v1/a//event", "sabot/v1/+/b/event", "a/b/event",
	} {
		if table, kind, err := Parse(topic); err == nil {
			t.Errorf("%q was taken as %s %s", topic, table, kind)
		}
	}
}
