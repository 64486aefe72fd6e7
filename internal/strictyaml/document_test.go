package strictyaml_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

func TestBytes(t *testing.T) {
	const good = "site: north\nshoe: {name: a}\n"
	for _, c := range []struct{ name, data, want string }{
		{"byte order mark", "\ufeff" + good, ""},
		{"carriage returns", strings.ReplaceAll(good, "\n", "\r\n"), ""},
		{
			"carriage return alone", "site: north\rshoe: {name: a}\n",
			"t.yaml:1:12: character U+000D cannot be seen in an editor; save the file as UTF-8 text, and retype the " +
				"line if it looks right",
		},
		{"tab at the start", "\tsite: north\n", "t.yaml:1:1: the line is indented with a tab; indent with spaces"},
		{
			"Latin-1", "site: Z\xfcrich\n",
			"t.yaml:1:8: byte 0xfc is not UTF-8 text; save the file as UTF-8 text, and retype the line if it " +
				"looks right",
		},
		{
			"column in characters", "site: Zürich\x00\n",
			"t.yaml:1:13: character U+0000 cannot be seen in an editor; save the file as UTF-8 text, and retype the " +
				"line if it looks right",
		},
		{
			"UTF-16", "\xff\xfes\x00",
			"t.yaml:1:1: byte 0xff is not UTF-8 text; save the file as UTF-8 text, and retype the line if it " +
				"looks right",
		},
		{
			"line separator", good + "# \u2028\n",
			"t.yaml:3:3: character U+2028 cannot be seen in an editor; save the file as UTF-8 text, and retype the " +
				"line if it looks right",
		},
		{"as large as may be", good + "#" + strings.Repeat("x", strictyaml.MaxSize-len(good)-1), ""},
		{
			"too large", good + "#" + strings.Repeat("x", strictyaml.MaxSize-len(good)),
			"t.yaml:1:1: the file has 1048577 bytes, more than the 1048576 that are read; check that this is the " +
				"right file",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v table
			got := ""
			if err := strictyaml.Decode("t.yaml", []byte(c.data), &v).Err(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

const placed = `site: north
shoe:
  name: ttyS0
  baud: fast
keys: [card,
       rest]
ports:
  - name: a
    wait: 2s
pays:
  two pairs: 11
`

func TestPosition(t *testing.T) {
	var v table
	doc := strictyaml.Decode("t.yaml", []byte(placed), &v)
	for _, c := range []struct {
		path         string
		line, column int
		has          bool
	}{
		{"", 1, 1, true},
		{"site", 1, 7, true},
		{"shoe", 2, 1, true},
		{"shoe.name", 3, 9, true},
		{"shoe.wait", 2, 1, false},
		{"shoe.name.first", 3, 9, false},
		{"keys", 5, 7, true},
		{"keys[1]", 6, 8, true},
		{"keys[2]", 5, 7, false},
		{"ports[0]", 8, 5, true},
		{"ports[0].wait", 9, 11, true},
		{"ports[0].baud", 8, 5, false},
		{`pays."two pairs"`, 11, 14, true},
		{"spare.name", 1, 1, false},
	} {
		line, column := doc.Position(c.path)
		if line != c.line || column != c.column || doc.Has(c.path) != c.has {
			t.Errorf("%s: got %d:%d, has %v; want %d:%d, has %v", c.path, line, column, doc.Has(c.path), c.line,
				c.column, c.has)
		}
	}
}

const commented = `# The head of the file.
site: north  # clause 1
shoe:  # clause 2
  name: "tty # S0"  # clause 3; # twice
  # A line of its own.
  baud: 300
keys: [card,
       rest]  # clause 4
ports:
  - name: a  # clause 5
    wait: 2s
  - {name: b, wait: 3s}  ## clause 6
pays: {}
`

func TestComment(t *testing.T) {
	var v table
	doc := strictyaml.Decode("t.yaml", []byte(commented), &v)
	if err := doc.Err(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":              "",
		"site":          "clause 1",
		"shoe":          "clause 2",
		"shoe.name":     "clause 3; # twice",
		"shoe.baud":     "clause 2",
		"shoe.wait":     "",
		"keys":          "clause 4",
		"keys[0]":       "clause 4",
		"ports":         "",
		"ports[0].name": "clause 5",
		"ports[0].wait": "",
		"ports[1].name": "clause 6",
		"ports[1].wait": "clause 6",
		"pays":          "",
		"spare":         "",
	} {
		if got := doc.Comment(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := strictyaml.Decode("t.yaml", []byte("site: [\n"), &v).Comment("site"); got != "" {
		t.Errorf("a file that cannot be read has the comment %q", got)
	}
}

func TestRefuse(t *testing.T) {
	var v table
	doc := strictyaml.Decode("t.yaml", []byte(placed), &v)
	for path, sound := range map[string]bool{
		"site": true, "shoe.baud": false, "shoe": false, "shoe.name": true,
		"": false, "shoe.baud.x": false, "shoe.baudrate": true,
	} {
		if doc.Sound(path) != sound {
			t.Errorf("Sound(%q) = %v, want %v", path, !sound, sound)
		}
	}
	doc.Refuse("pays", "pays too little", "")
	doc.Refuse("shoe.baud", "is below 300", "this must not appear")
	doc.Refuse("shoe.wait", "is below 1s", "wait longer")
	doc.Refuse("site", "is a direction", "write a place")
	const want = `t.yaml:1:7: site: is a direction; write a place
t.yaml:2:1: shoe.wait: is below 1s; wait longer
t.yaml:4:9: shoe.baud: is text; write a whole number such as 9600
t.yaml:10:1: pays: pays too little`
	if got := doc.Err().Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The values of a document that cannot be read at all are not judged.
func TestRefuseAfterSyntaxFault(t *testing.T) {
	var v table
	doc := strictyaml.Decode("t.yaml", []byte("site: [\n"), &v)
	doc.Refuse("site", "is empty", "")
	if n := len(doc.Faults()); n != 1 {
		t.Errorf("got %d faults, want 1:\n%v", n, doc.Err())
	}
}

// Defaults that are shared through a pointer do not change.
func TestSharedDefaultStays(t *testing.T) {
	v := defaults()
	spare, limit := v.Spare, v.Limit
	if err := strictyaml.OverlayIn("", "t.yaml", []byte("spare: {baud: 1}\nlimit: 9\n"), &v).Err(); err != nil {
		t.Fatal(err)
	}
	if v.Spare.Baud != 1 || *v.Limit != 9 || spare.Baud != 300 || *limit != 5 {
		t.Errorf("read %d and %d, defaults %d and %d; want 1, 9, 300, 5", v.Spare.Baud, *v.Limit, spare.Baud, *limit)
	}
}

func TestStructsThatCannotBeFilled(t *testing.T) {
	for name, v := range map[string]any{
		"no pointer": table{},
		"no struct":  new(int),
		"no tag":     &struct{ A string }{},
		"option": &struct {
			A string `yaml:"a,omitempty"`
		}{},
		"float": &struct {
			A float64 `yaml:"a"`
		}{},
		"map key": &struct {
			A map[int]string `yaml:"a"`
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("Decode did not panic")
				}
			}()
			data := []byte("a: 1.5\n")
			if strings.Contains(name, "map") {
				data = []byte("a: {x: y}\n")
			}
			strictyaml.Decode("t.yaml", data, v)
		})
	}
}

// FuzzDecode checks for any input: a fault points into the file, and a document without faults has its required values.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		placed, "", "\ufeffsite: a\r\nshoe: {name: b}\r\n", "a: b: c", "- a\nb: c", "site: \"x\n\nboxes: 7\n",
		"? [a]\n: b\n", "a: &x 1\nb: *x\n<<: *x\n",
		"a: *x\n", "\ta: 1\n", "a: |\n\tx\n", "a: 1\n---\nb: 1\n", "a: 1\n...\nb: 2\n", "%TAG ! x\n---\na: !b c\n",
		"[[[[{", "a: >9x\n", "site: \xff", "{,}", "a:\n - b\n  - c: d\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v table
		doc := strictyaml.Decode("t.yaml", data, &v)
		lines := bytes.Split(data, []byte("\n"))
		for _, fault := range doc.Faults() {
			if fault.File != "t.yaml" || fault.What == "" {
				t.Errorf("incomplete fault: %+v", fault)
			}
			if fault.Line < 1 || fault.Line > len(lines) || fault.Column < 1 ||
				fault.Column > len(lines[fault.Line-1])+1 {
				t.Errorf("fault outside of the file: %v", fault)
			}
		}
		if doc.Err() == nil && (!doc.Has("site") || !doc.Has("shoe.name")) {
			t.Errorf("no fault, although required keys are missing: %q", data)
		}
	})
}

// spans are the times of two things, by their names.
type spans map[string]time.Duration

func (spans) Keys() []string { return []string{"long", "short"} }

type keyed struct {
	Name  string `yaml:"name"`
	Spans spans  `yaml:"*"`
}

// The keys of a Keyed map are next to the fields', and are read like them; shared defaults do not change.
func TestKeyed(t *testing.T) {
	usual := spans{"long": time.Minute}
	for _, c := range []struct{ data, want string }{
		{"{}", "{ map[long:1m0s]}"},
		{"short: 1s\nname: a\n", "{a map[long:1m0s short:1s]}"},
		{"long: 2s\n", "{ map[long:2s]}"},
		{
			"long: 2\n",
			`t.yaml:1:7: long: "2" is not a duration; write a number with its unit, such as 500ms, 2s or 1m30s`,
		},
		{"wide: 2s\n", "t.yaml:1:1: wide: is not a known key; known here: name, long, short"},
		{"shrot: 2s\n", `t.yaml:1:1: shrot: is not a known key; did you mean "short"?`},
		{"long: 2s\nlong: 3s\n", "t.yaml:2:1: long: is written twice, first on line 1; keep one of the two"},
	} {
		v := keyed{Spans: usual}
		got := ""
		if err := strictyaml.OverlayIn("", "t.yaml", []byte(c.data), &v).Err(); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(v)
		}
		if got != c.want || fmt.Sprint(usual) != "map[long:1m0s]" {
			t.Errorf("%q: %s, want %s; the defaults are %v", c.data, got, c.want, usual)
		}
	}
}
