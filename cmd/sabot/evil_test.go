package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// forged is what a name wants to put at the beginning of a line of its own.
const forged = "round void by anna, supervisor"

// evilNames would clear a screen, begin a line of their own, turn the direction of what stands beside them, or hide.
// They are UTF-8, as JSON can only say such.
var evilNames = []string{
	"a\x1b[2J\x1b[H" + forged, "a\n" + forged, "a\r" + forged, "a\r\n" + forged, "a\x0b" + forged, "a\x0c" + forged,
	"a\x00b", "a\x07b", "a\x08\x08b", "a\tb", "a\x7fb",
	"a\u0085" + forged, "a\u009b31mb", "a\u009d0;title\u009c", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\u202egnol",
	"a\u2066b\u2069", "a\u200eb", "a\u061cb",
	"a\u200bb", "a\u200db", "a\u2060b", "a\ufeffb", "a\u2028" + forged, "a\u2029" + forged, "a\ue000b", "a\U000e0041b",
	"a\u0378b", "a\u00adb", "a\u034fb",
	"\u3164", "a\ufe0fb", "a\u2800b", "a\U0010ffffb", "\u0301\u0301a", "a\u0301\u0301\u0301\u0301", "\"\x1b[2J\\",
	"a\x1b\n\x1b[1A\x1b[2K" + forged,
}

// evilTranscript is a table's night with a round for each name, and the name wherever a line has one.
func evilTranscript(names []string) string {
	lines := `{"in":"shoe","event":"online","maker":NAME,"serial":NAME,"firmware":NAME}
{"in":"shoe","event":"loaded","packs":NAME,"by":NAME}
{"in":"dealer","name":NAME,"shift":NAME,"relieves":NAME}
{"in":"note","code":NAME,"by":NAME}
{"in":"shoe","event":"note","code":NAME}
{"in":"message","event":"sent","text":NAME,"by":NAME}
{"in":"message","event":"seen","by":NAME}
{"in":"floor","event":"called","reason":"dispute","by":NAME}
{"in":"floor","event":"done","by":NAME}
{"in":"open"}
{"in":"stake","box":1,"bettor":NAME,"player":NAME,"wager":"main","amount":1000}
{"in":"close"}
{"in":"hold","by":NAME,"role":"dealer","reason":NAME}
{"in":"resolve","with":"continue","by":NAME,"reason":NAME}
{"in":"card","card":"TS"}
{"in":"card","card":"9D"}
{"in":"card","card":"KH"}
{"in":"call","call":"double","bettors":[NAME]}
{"in":"call","call":"rest"}
{"in":"card","card":"8C"}
{"in":"hold","by":NAME,"reason":NAME}
{"in":"correct","what":"stake","box":1,"bettor":NAME,"wager":"main","amount":2000,"by":NAME,"reason":NAME}
{"in":"resolve","with":"continue","by":NAME,"reason":NAME}
{"in":"paid","box":1,"bettor":NAME,"wager":"main"}
{"in":"paid"}
{"in":"acknowledge","code":"held-by-hand","by":NAME}
{"in":"shoe","event":"alarm","code":NAME}
{"in":"shoe","event":"alarm-cleared","code":NAME}
{"in":"table","event":"closed","dealer":NAME,"by":NAME}
{"in":"table","event":"opened","dealer":NAME,"by":NAME}
{"in":"limits","min":1000,"by":NAME}
`
	var b strings.Builder
	b.WriteString(setup)
	for _, name := range names {
		quoted, err := json.Marshal(name)
		if err != nil {
			panic(err)
		}
		b.WriteString(strings.ReplaceAll(lines, "NAME", string(quoted)))
	}
	return b.String()
}

// steering says what a printed text does to a terminal but to fill its lines, "" for nothing.
func steering(text string) string {
	if !utf8.ValidString(text) {
		return "it is no UTF-8"
	}
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || unicode.Is(unicode.Zs, r):
		case !unicode.IsPrint(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r),
			unicode.Is(unicode.Variation_Selector, r), r == '\u2800':
			return fmt.Sprintf("it has %U", r)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), forged) {
			return "a line of it is forged: " + line
		}
	}
	return ""
}
