package strictyaml_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

// Whatever is written comes back, from where it was written.
func TestWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		site := rapid.StringMatching(`[ -~ä-ü]{0,50}`).Draw(t, "site")
		baud := rapid.Int().Draw(t, "baud")
		boxes := rapid.Uint8().Draw(t, "boxes")
		keys := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,8}`), 1, 5).Draw(t, "keys")
		var b strings.Builder
		fmt.Fprintf(&b, "site: %s\nboxes: %d\nkeys:\n", quoted(site), boxes)
		for _, k := range keys {
			fmt.Fprintf(&b, "  -   %s\n", quoted(k))
		}
		fmt.Fprintf(&b, "shoe:\n  name: x\n  baud: %d\n", baud)
		var v table
		doc := strictyaml.Decode("t.yaml", []byte(b.String()), &v)
		if err := doc.Err(); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if v.Site != site || v.Boxes != boxes || v.Shoe.Baud != baud || !slices.Equal(v.Keys, keys) {
			t.Fatalf("read %+v from\n%s", v, b.String())
		}
		for i := range keys {
			if line, column := doc.Position(fmt.Sprintf("keys[%d]", i)); line != 4+i || column != 7 {
				t.Fatalf("keys[%d] is reported at %d:%d in\n%s", i, line, column, b.String())
			}
		}
		if line, column := doc.Position("shoe.baud"); line != 6+len(keys) || column != 9 {
			t.Fatalf("shoe.baud is reported at %d:%d in\n%s", line, column, b.String())
		}
	})
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// A single typing error still finds the key that was meant.
func TestSlipIsRecognised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := []byte(rapid.SampledFrom([]string{"colour", "limit", "ports", "boxes"}).Draw(t, "key"))
		i := rapid.IntRange(0, len(key)-2).Draw(t, "at")
		slip := slices.Clone(key)
		switch rapid.SampledFrom([]string{"swap", "drop", "double", "replace"}).Draw(t, "slip") {
		case "swap":
			slip[i], slip[i+1] = slip[i+1], slip[i]
		case "drop":
			slip = slices.Delete(slip, i, i+1)
		case "double":
			slip = slices.Insert(slip, i, slip[i])
		case "replace":
			slip[i] = 'z'
		}
		var v table
		err := strictyaml.Decode("t.yaml", []byte("site: a\nshoe: {name: b}\n"+string(slip)+": 1\n"), &v).Err()
		want := fmt.Sprintf("t.yaml:3:1: %s: is not a known key; did you mean %q?", slip, key)
		if err == nil || err.Error() != want {
			t.Fatalf("got  %v\nwant %s", err, want)
		}
	})
}

// A syntax fault is found on its own line, however long the document is.
func TestSyntaxFaultIsFoundOnItsLine(t *testing.T) {
	good := []string{
		"a: 1", "b: tcp://host:1883", "c: [x,\n  y]", "d: 'it''s\n  long'", "e:\n  - f\n  - g: h",
		"# i: j: k", "l: |\n  m: n: o\n  \"p",
	}
	bad := map[string]int{"q: r: s": 4, " t: u": 2, "v: 'w' x": 8, "y: @z": 4, "- aa": 1, "bb: - cc": 5, "\tdd: ee": 1}
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.SampledFrom(good[:2]), 1, 20).Draw(t, "before")
		before = slices.Concat(rapid.SliceOfN(rapid.SampledFrom(good), 0, 20).Draw(t, "first"), before)
		after := rapid.SliceOfN(rapid.SampledFrom(good), 0, 20).Draw(t, "after")
		slip := rapid.SampledFrom(slices.Sorted(maps.Keys(bad))).Draw(t, "slip")
		text := strings.Join(before, "\n") + "\n" + slip + "\n" + strings.Join(after, "\n")
		var v table
		faults := strictyaml.Decode("t.yaml", []byte(text), &v).Faults()
		line := strings.Count(strings.Join(before, "\n"), "\n") + 2
		if len(faults) != 1 || faults[0].Line != line || faults[0].Column != bad[slip] {
			t.Fatalf("got %v\nwant one fault at %d:%d in\n%s", faults, line, bad[slip], text)
		}
	})
}
