package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// encode writes inputs in the compact form.
func encode(inputs []vocab.Input) ([]byte, error) {
	var b bytes.Buffer
	e := transcript.NewEncoder(&b)
	for i := range inputs {
		if err := e.Encode(&inputs[i]); err != nil {
			return nil, err
		}
	}
	err := e.Close()
	return b.Bytes(), err
}

func compacted(t testing.TB, inputs []vocab.Input) []byte {
	t.Helper()
	b, err := encode(inputs)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readAll reads a transcript of either form, as far as it can be read.
func readAll(r io.Reader, p *transcript.Parser) ([]vocab.Input, error) {
	var inputs []vocab.Input
	reader := transcript.NewReader(r, p)
	for {
		var in vocab.Input
		switch err := reader.Read(&in); {
		case errors.Is(err, io.EOF):
			return inputs, nil
		case err != nil:
			return inputs, err
		}
		inputs = append(inputs, in)
	}
}

// numbered puts inputs on lines one after the other, now and then with some empty
// lines between.
func numbered(t *rapid.T, inputs []vocab.Input) {
	line := uint64(0)
	for i := range inputs {
		line++
		if rapid.IntRange(0, 9).Draw(t, "gap") == 0 {
			line += uint64(rapid.SampledFrom([]int{1, 2, 300, 65535, 65536, 200_000}).Draw(t, "empty lines"))
		}
		inputs[i].Line = line
	}
}

// spaced is the JSON form of inputs, each on its line.
func spaced(inputs []vocab.Input) string {
	var b []byte
	line := uint64(1)
	for i := range inputs {
		for ; line < inputs[i].Line; line++ {
			b = append(b, '\n')
		}
		b = append(transcript.AppendInput(b, &inputs[i]), '\n')
		line++
	}
	return string(b)
}

// TestCompactIsLossless: JSON to compact to JSON is the same, line for line, and the
// inputs in between are the same in every field.
func TestCompactIsLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := rapid.SliceOfN(rapid.Custom(anyInput), 0, 60).Draw(t, "inputs")
		numbered(t, inputs)
		lines := spaced(inputs)
		fromJSON, err := readAll(strings.NewReader(lines), transcript.NewParser(profile.Built()))
		if err != nil {
			t.Fatal(err)
		}
		compact, err := encode(fromJSON)
		if err != nil {
			t.Fatal(err)
		}
		back, err := readAll(bytes.NewReader(compact), transcript.NewParser(profile.Built()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, fromJSON) {
			t.Fatalf("got %+v\nwant %+v", back, fromJSON)
		}
		var converted, expanded bytes.Buffer
		if err := transcript.Compact(strings.NewReader(lines), &converted); err != nil || !bytes.Equal(converted.Bytes(), compact) {
			t.Fatalf("got %q, %v\nwant %q", converted.Bytes(), err, compact)
		}
		if err := transcript.Expand(&converted, &expanded); err != nil || expanded.String() != lines {
			t.Fatalf("got\n%s%v\nwant\n%s", expanded.String(), err, lines)
		}
	})
}

// TestConversionsThatFail: what came before is written, and nothing that looks whole.
func TestConversionsThatFail(t *testing.T) {
	const lines, bad = "{\"in\":\"open\"}\n", "{\"in\":\"deal\"}\n"
	var out bytes.Buffer
	var place *transcript.Error
	if err := transcript.Expand(strings.NewReader(lines+bad), &out); !errors.As(err, &place) || place.Line != 2 || out.String() != lines {
		t.Errorf("JSON to JSON: got %q, %v", out.String(), err)
	}
	out.Reset()
	if err := transcript.Compact(strings.NewReader(lines+bad), &out); !errors.As(err, &place) || place.Line != 2 {
		t.Errorf("JSON to compact: got %v", err)
	}
	var cut *transcript.CompactError
	if inputs, err := readAll(&out, transcript.NewParser(nil)); !errors.As(err, &cut) || len(inputs) > 1 {
		t.Errorf("what was written is taken: %v, %v", inputs, err)
	}
	broken := errors.New("the disk is gone")
	for name, convert := range map[string]func(io.Reader, io.Writer) error{"compact": transcript.Compact, "expand": transcript.Expand} {
		err := convert(bytes.NewReader(dealt(1, 100, 7)), full{broken})
		if !errors.Is(err, broken) || strings.Count(err.Error(), broken.Error()) != 1 {
			t.Errorf("%s to a full disk: got %v", name, err)
		}
	}
}

// TestCompactOfManyBlocks: what does not fit one block is on many.
func TestCompactOfManyBlocks(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 2)), 1000, 7)
	for i := range inputs {
		inputs[i].Time = 1769890500_000000000 + int64(i)*1_700_000_001
	}
	compact := compacted(t, inputs)
	if len(compact) < 4*(32<<10) {
		t.Fatalf("%d bytes are too few blocks to show anything", len(compact))
	}
	back, err := readAll(iotest.OneByteReader(bytes.NewReader(compact)), transcript.NewParser(profile.Built()))
	if err != nil || !reflect.DeepEqual(back, inputs) {
		t.Fatalf("got %d inputs, %v, want the same %d", len(back), err, len(inputs))
	}
	if json := len(text(inputs)); len(compact) > json/8 {
		t.Errorf("%d bytes of JSON are %d bytes", json, len(compact))
	}
}

// TestCompactOfFarLines: empty lines without number need blocks of their own.
func TestCompactOfFarLines(t *testing.T) {
	inputs := []vocab.Input{{Kind: vocab.InOpen, Line: 7}, {Kind: vocab.InClose, Line: 7 + math.MaxUint32}}
	back, err := readAll(bytes.NewReader(compacted(t, inputs)), transcript.NewParser(nil))
	if err != nil || !reflect.DeepEqual(back, inputs) {
		t.Errorf("got %+v, %v", back, err)
	}
}

// TestOneWordForManyThings: what a word means hangs on its field.
func TestOneWordForManyThings(t *testing.T) {
	const lines = `{"in":"stake","box":1,"bettor":"insurance","wager":"insurance"}
{"in":"call","call":"insurance","box":1,"bettor":"insurance"}
{"in":"stake","box":1,"bettor":"main","wager":"insurance"}
{"in":"resolve","with":"burn","by":"dealer","role":"dealer"}
{"in":"call","call":"card"}
{"in":"shoe","event":"alarm","code":"alarm"}
`
	var compact, again bytes.Buffer
	if err := transcript.Compact(strings.NewReader(lines), &compact); err != nil {
		t.Fatal(err)
	}
	if err := transcript.Expand(&compact, &again); err != nil || again.String() != lines {
		t.Errorf("got\n%s%v", again.String(), err)
	}
}

// TestEveryFieldIsCarried: each kind of input, and each field of Input, that the
// engine knows comes back out of the compact form. A new one that does not is a
// layout or a part that is missing in it.
func TestEveryFieldIsCarried(t *testing.T) {
	kinds, seen := map[vocab.InputKind]bool{}, map[string]bool{}
	player := tabletest.Player{Dice: rand.New(rand.NewPCG(1, 1))}
	p := transcript.NewParser(profile.Built())
	for line := range uint64(20_000) {
		in := player.Anything(new(table.Table))
		in.Line, in.Time = line+1, 1769890500_000000000
		back, err := readAll(bytes.NewReader(compacted(t, []vocab.Input{in})), p)
		if err != nil || len(back) != 1 || !reflect.DeepEqual(back[0], in) {
			t.Fatalf("%s came back as %+v, %v", transcript.AppendInput(nil, &in), back, err)
		}
		kinds[in.Kind] = true
		for i := range reflect.TypeFor[vocab.Input]().NumField() {
			if !reflect.ValueOf(in).Field(i).IsZero() {
				seen[reflect.TypeFor[vocab.Input]().Field(i).Name] = true
			}
		}
	}
	for kind := vocab.InSetup; !strings.HasPrefix(kind.String(), "unnamed"); kind++ {
		if !kinds[kind] {
			t.Errorf("no input was %s: let tabletest.Anything make some", kind)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[vocab.Input]()) {
		if !seen[f.Name] {
			t.Errorf("no input had %s: let tabletest.Anything make some", f.Name)
		}
	}
}

// TestEveryFieldOfASetupIsCarried: whatever a setup says, known houses or not.
func TestEveryFieldOfASetupIsCarried(t *testing.T) {
	setup := reflect.New(reflect.TypeFor[rules.Setup]())
	for i := range setup.Elem().NumField() {
		switch f := setup.Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(setup.Elem().Type().Field(i).Name)
		default:
			f.SetInt(int64(i + 1))
		}
	}
	in := vocab.Input{Kind: vocab.InSetup, Line: 1, Setup: setup.Interface().(*rules.Setup)}
	p := transcript.NewParser(nil)
	p.AnyHouse = true
	for _, form := range [][]byte{compacted(t, []vocab.Input{in}), text([]vocab.Input{in})} {
		back, err := readAll(bytes.NewReader(form), p)
		if err != nil || len(back) != 1 || !reflect.DeepEqual(back[0], in) {
			t.Errorf("%s came back as %+v, %v", transcript.AppendInput(nil, &in), back, err)
		}
	}
}

// TestReplayOfCompact: the compact form of a transcript gives the answers of its
// JSON form, byte for byte, in every house and whatever was put in.
func TestReplayOfCompact(t *testing.T) {
	transcripts := goldenInputs(t)
	for seed := range uint64(20) {
		transcripts = append(transcripts, string(text(anythingAt(seed))))
	}
	for i, lines := range transcripts {
		for _, house := range []string{"", "wiesbaden"} {
			p := transcript.NewParser(profile.Built())
			p.House = house
			inputs, err := readAll(strings.NewReader(lines), p)
			if err != nil {
				continue // the golden errors; TestCompactErrors has its own
			}
			want, got := replayed(p, lines), replayed(p, string(compacted(t, inputs)))
			if i := strings.Index(want, "error: line 1, column 1:"); i >= 0 {
				want = strings.Replace(want, "column 1:", "byte 24:", 1)
			}
			if got != want {
				t.Errorf("transcript %d by house %q: got\n%s\nwant\n%s", i, house, got, want)
			}
		}
	}
}

// anythingAt is what somebody puts in at a table who mostly plays and at times does
// anything.
func anythingAt(seed uint64) []vocab.Input {
	dice := rand.New(rand.NewPCG(seed, 9))
	houses := profile.Built().Names()
	inputs := []vocab.Input{*tabletest.SetUp(rules.Setup{House: houses[seed%uint64(len(houses))]})}
	var t table.Table
	t.Step(&inputs[0])
	player := tabletest.Player{Dice: dice, Boxes: 4, Freely: true}
	for range 600 {
		in := player.Next(&t)
		if dice.IntN(4) == 0 {
			in = player.Anything(&t)
		}
		inputs = append(inputs, in)
		t.Step(&in)
	}
	return inputs
}

// TestReadingAllocatesNothing: once it is under way, reading either form needs no
// new memory.
func TestReadingAllocatesNothing(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 1200, 7)
	for i := range inputs {
		inputs[i].Time = 1769890500_000000000 + int64(i)*1_700_000_001
		if inputs[i].Bettor != "" {
			inputs[i].Bettor = "Zoë " + inputs[i].Bettor
		}
	}
	for name, form := range map[string][]byte{"json": text(inputs), "compact": compacted(t, inputs)} {
		reader := transcript.NewReader(bytes.NewReader(form), transcript.NewParser(profile.Built()))
		var in vocab.Input
		read := func() {
			for range len(inputs) / 4 {
				if err := reader.Read(&in); err != nil {
					t.Fatal(err)
				}
			}
		}
		read()
		if got := testing.AllocsPerRun(1, read); got != 0 {
			t.Errorf("%s: 300 rounds allocate %v times, want never", name, got)
		}
	}
}
