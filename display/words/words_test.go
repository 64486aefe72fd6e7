package words_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

func TestParse(t *testing.T) {
	const good = "call.card = Karte\ncall.rest = Rest\n"
	for _, c := range []struct{ name, data, want string }{
		{"as it is", good, ""},
		{"byte order mark", "\ufeff" + good, ""},
		{"carriage returns", strings.ReplaceAll(good, "\n", "\r\n"), ""},
		{"tabs and spaces", "\tcall.card\t=\tKarte  \n  call.rest=Rest", ""},
		{"remarks and English", "# A remark\n#\n\n# en: Card\n" + good, ""},
		{"Latin-1", "call.card = K\xe4rtchen\n", "de:1:14: byte 0xe4 is not UTF-8 text; save the file as UTF-8"},
		{"Latin-1 in a remark", "# K\xe4rtchen\n", "de:1:4: byte 0xe4 is not UTF-8 text; save the file as UTF-8"},
		{
			"a space that looks like another", "call.card = K\u00a0K\n",
			`de:1:14: the character U+00A0 cannot be seen in an editor; write it as \u00a0, or remove it`,
		},
		{
			"carriage return alone", "call.card = K\rcall.rest = R\n",
			`de:1:14: the character U+000D cannot be seen in an editor; write it as \u000d, or remove it`,
		},
		{"replacement character", "call.card = \ufffd\n", ""},
		{"as large as may be", "#" + strings.Repeat("x", words.MaxSize-1), ""},
		{
			"too large", "#" + strings.Repeat("x", words.MaxSize),
			"de:1:1: the file has more than the 1048576 bytes that are read; check that this is the right file",
		},
		{
			"twice", good + "call.card = Karte\n",
			"de:3:1: call.card: stands here a second time; it is on line 1 already: remove one of them",
		},
	} {
		got := ""
		if err := words.Parse("de", []byte(c.data)).Faults.Err(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestEntries(t *testing.T) {
	const file = "# en: Round {n}\n  count.round = Coup \\u007bn}\n# en, kept: a\\u0020\nlist.or = \\u0020=\\\\\n# " +
		"en: lost\n\nlist.comma =\n# en: lost\n# remark\nü.x = 1\n"
	f := words.Parse("de", []byte(file))
	want := []words.Entry{
		{Key: "count.round", Text: "Coup {n}", Line: 2, Column: 3, At: 17, English: "Round {n}", Noted: true},
		{Key: "list.or", Text: ` =\`, Line: 4, Column: 1, At: 11, English: "a ", Noted: true, Kept: true},
		{Key: "list.comma", Line: 7, Column: 1, At: 13},
	}
	if !slices.Equal(f.Entries, want) {
		t.Errorf("got  %+v\nwant %+v", f.Entries, want)
	}
	if got := f.Faults.Error(); got != `de:10:1: "ü.x" is no key; write key = text; a key is of letters, digits, dots and hyphens` {
		t.Error(got)
	}
	if f.Text("list.or") != ` =\` || f.Text("nothing") != "" {
		t.Errorf("%q, %q", f.Text("list.or"), f.Text("nothing"))
	}
}

func TestRoom(t *testing.T) {
	room := words.Room()
	for _, e := range words.BuiltIn("en").Entries {
		kind, _, _ := strings.Cut(e.Key, ".")
		if room[kind] == 0 && kind != "lcd" {
			t.Errorf("room.properties does not say how long a text of the kind %s may be", kind)
		}
	}
	for key := range room {
		kind, _, single := strings.Cut(key, ".")
		if text := words.BuiltIn("en").Text(key); single && (text == "" || room[kind] == room[key]) {
			t.Errorf("room.properties has %s for nothing", key)
		}
	}
}

// FuzzParse: whatever is in a file, its lines are told right, and each key stands once.
func FuzzParse(f *testing.F) {
	for _, name := range words.Names() {
		text, err := words.Source(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("# en, kept: x\n a =\\u00e4 \\\\\na=\xff\n=")
	f.Fuzz(func(t *testing.T, text string) {
		file := words.Parse("de", []byte(text))
		lines := strings.Split(text, "\n")
		seen := map[string]bool{}
		for _, e := range file.Entries {
			if seen[e.Key] || !strings.Contains(lines[e.Line-1], e.Key) || e.At <= e.Column {
				t.Fatalf("%q gives %+v", text, e)
			}
			seen[e.Key] = true
		}
		for _, fault := range file.Faults {
			if fault.Line < 1 || fault.Line > len(lines) || fault.Column < 1 ||
				fault.Column > len(lines[fault.Line-1])+1 || fault.Hint == "" {
				t.Fatalf("%q gives %v", text, fault)
			}
		}
	})
}

// TestNames: every file of the folder is a language that comes with Sabot, as its files are, or says how much room
// texts have.
func TestNames(t *testing.T) {
	there, err := filepath.Glob("*.properties")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range there {
		if name := strings.TrimSuffix(file, ".properties"); name != "room" {
			want = append(want, name)
		}
	}
	if got := words.Names(); !slices.Equal(got, want) {
		t.Errorf("the languages are %q, and the files those of %q", got, want)
	}
}

// TestSelf: what a file says of itself is known without reading the rest.
func TestSelf(t *testing.T) {
	for _, name := range words.Names() {
		want := map[string]string{}
		for _, e := range words.BuiltIn(name).Entries {
			if strings.HasPrefix(e.Key, "language.") {
				want[e.Key] = e.Text
			}
		}
		if got := words.Self(name); len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s says of itself %q, its file %q", name, got, want)
		}
	}
}
