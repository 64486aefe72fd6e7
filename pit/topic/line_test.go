package topic

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

func TestParseHead(t *testing.T) {
	for _, c := range []struct {
		line     string
		out      string
		round    uint64
		hasRound bool
		wrong    string
	}{
		{line: `{"out":"closed-bets"}`, out: "closed-bets"},
		{line: `{"out":"opened","round":17}`, out: "opened", round: 17, hasRound: true},
		{line: `{"round":0,"out":"finished"}`, out: "finished", hasRound: true},
		{
			line: `{"out":"round","round":17,"bank":["9H","8D"],"bank_total":17}`, out: "round", round: 17,
			hasRound: true,
		},
		{line: ` {"out":"opened"}`, wrong: "one JSON object"},
		{line: "{ \"out\" : \"due\" ,\t\"round\" : 4 }", out: "due", round: 4, hasRound: true},
		{
			line: `{"t":"2026-01-02T03:04:05.678Z","out":"dealt","x":{"out":"inner","round":9},"y":[{"round":1}]}`,
			out:  "dealt",
		},
		{line: `{"by":"a\"}","out":"resolved"}`, out: "resolved"},
		{line: `{"by":"\\","out":"resolved","n":-1.5e3,"ok":true,"no":null}`, out: "resolved"},
		{line: `{"out":"round","round":9223372036854775807}`, out: "round", round: 1<<63 - 1, hasRound: true},
		{line: ``, wrong: "one JSON object"},
		{line: `{`, wrong: "one JSON object"},
		{line: `{}`, wrong: `no "out"`},
		{line: `[]`, wrong: "one JSON object"},
		{line: "{\"out\":\"due\"}\n", wrong: "one JSON object"},
		{line: `{"out":"due"}{}`, wrong: "not valid JSON"},
		{line: `{"out":"due"`, wrong: "one JSON object"},
		{line: `{"out":"due"]}`, wrong: "not valid JSON"},
		{line: `{"round":1}`, wrong: `no "out"`},
		{line: `{"x":{"out":"due"}}`, wrong: `no "out"`},
		{line: `{"out":7}`, wrong: `"out" is 7`},
		{line: `{"out":null}`, wrong: `"out" is null`},
		{line: `{"out":""}`, wrong: `"out" is ""`},
		{line: `{"out":"Due"}`, wrong: `"out" is "Due"`},
		{line: `{"out":"d\u0075e"}`, wrong: `"out" is`},
		{line: `{"out":"` + strings.Repeat("a", 65) + `"}`, wrong: `"out" is`},
		{line: `{"out":"due","out":"due"}`, wrong: `two "out"`},
		{line: `{"out":"due","\u006fut":"done"}`, wrong: "escape"},
		{line: `{"out":"due","round":1,"round":1}`, wrong: `two "round"`},
		{line: `{"out":"due","round":-1}`, wrong: `"round" is -1`},
		{line: `{"out":"due","round":1.0}`, wrong: `"round" is 1.0`},
		{line: `{"out":"due","round":"1"}`, wrong: `"round" is "1"`},
		{line: `{"out":"due","round":9223372036854775808}`, wrong: `"round" is`},
		{line: "{\"out\":\"due\",\"by\":\"\xff\"}", wrong: "UTF-8"},
	} {
		h, err := parseHead([]byte(c.line))
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: error %v, wanted %q", c.line, err, c.wrong)
			}
		case err != nil:
			t.Errorf("%s: %v", c.line, err)
		case string(h.out) != c.out || h.round != c.round || h.hasRound != c.hasRound:
			t.Errorf("%s: got %q round %d %v", c.line, h.out, h.round, h.hasRound)
		}
	}
}

// FuzzParseHead compares with the standard library's reading: what is taken is a
// JSON object that says the same there, and nothing makes the scanner fall over.
func FuzzParseHead(f *testing.F) {
	f.Add([]byte(`{"out":"opened","round":17}`))
	f.Add([]byte(`{"out":"due","to":"call","allowed":["card","rest"],"x":{"a":[1,{"b":"\"}"}]}}`))
	f.Add([]byte(`{ "round" : 3 , "out" : "round" }`))
	f.Fuzz(func(t *testing.T, line []byte) {
		h, err := parseHead(line)
		if err != nil {
			return
		}
		var fields map[string]any
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&fields); err != nil {
			t.Fatalf("%q was taken, but: %v", line, err)
		}
		if fields["out"] != string(h.out) {
			t.Fatalf("%q: out %q", line, h.out)
		}
		if _, there := fields["round"]; there != h.hasRound {
			t.Fatalf("%q: round %v", line, h.hasRound)
		}
		if h.hasRound && fields["round"] != json.Number(strconv.FormatUint(h.round, 10)) {
			t.Fatalf("%q: round %d", line, h.round)
		}
	})
}
