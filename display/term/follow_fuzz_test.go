package term

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// Whatever a stream holds, reading it ends with an error that says why, and each
// view it delivers was a line of data, which a terminal draws without steering it.
func FuzzRead(f *testing.F) {
	f.Add("id: 7\ndata: {\"seq\":7}\n\n")
	f.Add("event: beat\ndata:\n\n")
	f.Add("data: {\"boxes\":[{\"hands\":[{\"cards\":[\"TH\",\"??\",\"JOKER\"]}]}]}\n\n")
	f.Add("data: {\"aside\":[\"1X\"]}\n\n")
	f.Add("data: \r\ndata\n:\n\n\x00")
	for _, s := range displaytest.Samples() {
		text, err := json.Marshal(s.View)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("data: " + string(text) + "\n")
	}
	f.Fuzz(func(t *testing.T, stream string) {
		views, lines := 0, 0
		err := read(strings.NewReader(stream), func(v display.View) {
			views++
			if drawn := (Screen{}).Text(v); strings.ContainsAny(drawn, "\x1b\r\u009b\u202e") {
				t.Errorf("%q", drawn)
			}
		}, func() { lines++ })
		if err == nil {
			t.Error("the stream ended without a reason")
		}
		if data := strings.Count("\n"+stream, "\ndata: "); views > data || views > lines {
			t.Errorf("%d views from %d lines of data", views, data)
		}
	})
}

// TestEveryViewIsRead: what a table shows is within what is read, and comes out as it is.
func TestEveryViewIsRead(t *testing.T) {
	longest := 0
	check := func(name string, v display.View) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, len(text))
		got, err := parseView(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		again, err := json.Marshal(got)
		if err != nil || !reflect.DeepEqual(again, text) {
			t.Errorf("%s: read as\n%s, %v\nnot\n%s", name, again, err, text)
		}
	}
	for _, s := range displaytest.Samples() {
		check(s.Name, s.View)
	}
	for _, s := range displaytest.Holds() {
		check(s.Name, s.View)
	}
	if longest*4 > mostLine {
		t.Errorf("a view has %d bytes: a line of %d leaves too little room", longest, mostLine)
	}
}

// TestNoView: what no table shows is refused before it costs memory.
func TestNoView(t *testing.T) {
	for text, want := range map[string]string{
		`{"boxes":[` + strings.Repeat(`{},`, mostValues) + `{}]}`:                             "more than 20000 values",
		`{"boxes":[{"hands":[{"cards":[` + strings.Repeat(`"TH",`, mostValues) + `"TH"]}]}]}`: "more than 20000 values",
		strings.Repeat(`{"boxes":[`,
			9): "nested more than 16 deep",
		`{"seq":1,"colour":"red"}`: `unknown field "colour"`,
		`{"seq":1} {"seq":2}`:      "something follows it",
		`{"digits":2000000000}`:    "a currency with 2000000000 decimals",
		`{"digits":-1}`:            "a currency with -1 decimals",
		`{"table":"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[","phase":"lunch"}`: "lunch",
		`{"boxes":{}}`:    "cannot unmarshal object",
		`{"round":1e999}`: "cannot unmarshal number",
	} {
		if _, err := parseView([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, not %q", text, err, want)
		}
	}
}
