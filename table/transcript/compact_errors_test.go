package transcript_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// block is a block of the compact form as docs/compact.md describes it.
func block(before uint64, records string) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(records)))
	b = binary.LittleEndian.AppendUint64(b, before)
	sum := crc32.Checksum(append(bytes.Clone(b), records...), crc32.MakeTable(crc32.Castagnoli))
	return string(binary.LittleEndian.AppendUint32(b, sum)) + records
}

const head = "\x89SABOT\n\x01"

// whole is a compact transcript of one block of so many lines.
func whole(records string, lines uint64) string {
	return head + block(0, records) + block(lines, "")
}

// TestCompactErrors: what cannot be read is refused with its place, and what came
// before it has been read.
func TestCompactErrors(t *testing.T) {
	const (
		open   = "\x03"
		closes = "\x05"
		first  = int64(len(head) + 16) // the first block's first record
	)
	for _, c := range []struct {
		name, file string
		line       uint64
		at         int64
		what       string
		read       int
	}{
		{"another magic", "\x89PNG\r\n\x1a\n", 1, 0, "no compact transcript", 0},
		{"line endings changed", "\x89SABOT\r\n\x01", 1, 0, "its line endings were changed", 0},
		{"another version", "\x89SABOT\n\x02", 1, 7, "version 2 of the compact form, and only version 1 is known", 0},
		{"nothing but the first byte", "\x89", 1, 1, "the file ends in its first bytes", 0},
		{"no block", head, 1, 8, "without its end mark", 0},
		{"no end mark", head + block(0, open), 2, first + 1, "without its end mark: it was cut off", 1},
		{"half a frame", head + block(0, open) + "\x00\x00", 2, first + 3, "without its end mark", 1},
		{"half a block", head + block(0, open+closes)[:17], 1, first + 1, "in the middle of a block", 0},
		{"a block too long", head + "\x01\x00\x02\x00" + strings.Repeat("\x00", 12), 1, 8, "a block of 131073 bytes begins here, and none has more than 131072", 0},
		{"a wrong checksum", head + strings.Replace(block(0, open), open, closes, 1), 1, 8, "its checksum is wrong", 0},
		{"a block missing", head + block(0, open) + block(5, closes), 2, first + 1, "follows line 5: blocks are missing", 1},
		{"lines cut off before the end", head + block(0, open) + block(5, ""), 2, first + 1, "follows line 5", 1},
		{"two transcripts", whole(open, 1) + whole(open, 1), 2, first + 17, "something follows the end", 1},

		{"an unknown kind", whole(open+"\x3f", 2), 2, first + 1, "there is no input of kind 63; a newer version", 1},
		{"unknown fields", whole("\x83\x01", 1), 1, first + 1, "fields that are not known; a newer version", 0},
		{"unknown fields far off", whole("\x83\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1), 1, first + 1, "fields that are not known", 0},
		{"an unknown name", whole("\x07\x00\x03hit", 1), 1, first + 6, `"hit" is no call; a newer version`, 0},
		{"the shoe's own choice", whole("\x09\x00\x06online", 1), 1, first + 9, `"online" is no with`, 0},
		{"a field of another call", whole("\x87\x01\x00\x04rest\x01", 1), 1, first, `call inputs have no field "box"; they have in, t, call`, 0},
		{"a call without its bettor", whole("\x87\x01\x00\x09insurance\x01", 1), 1, first, `call inputs need the field "bettor"`, 0},
		{"no card", whole("\x06\x0e", 1), 1, first + 1, "0xe is no card", 0},
		{"the zero card", whole("\x06\x00", 1), 1, first + 1, "0x0 is no card", 0},
		{"an amount too large", whole("\x8a\x02"+string(binary.AppendVarint(nil, 100_000_000_001)), 1), 1, first + 2, "no number from -100000000000 to 100000000000", 0},
		{"a box too large", whole("\x8a\x01\x80\x80\x80\x80\x08", 1), 1, first + 2, "no number from 0 to 2147483647", 0},
		{"a number without end", whole("\x8a\x01"+strings.Repeat("\xff", 20), 1), 1, first + 2, "no number", 0},
		{"neither true nor false", whole("\x84\x02\x01\x00\x01a\x00\x04main\x02", 1), 1, first + 12, "no number from 0 to 1", 0},
		{"before 1970", whole("\x43\x01", 1), 1, first + 1, "no number", 0},
		{"after 2200", whole("\x43"+string(binary.AppendVarint(nil, math.MaxInt64)), 1), 1, first + 1, "no number", 0},
		{"an empty bettor", whole("\x04\x01\x00\x00", 1), 1, first + 4, "bettor is empty", 0},
		{"a text that is no UTF-8", whole("\x04\x01\x00\x01\xff", 1), 1, first + 4, "a text is no UTF-8", 0},
		{"a text too long", whole("\x04\x01\x00\x63"+strings.Repeat("a", 99), 1), 1, first + 4, "longer than 100 bytes", 0},
		{"a text too long when it is quoted", whole("\x04\x01\x00\x20"+strings.Repeat("\x01", 32), 1), 1, first + 4, "longer than 100 bytes", 0},
		{"a text that does not stand before", whole("\x04\x01\x01", 1), 1, first + 2, "no number from 0 to 0", 0},
		{"a text over the end of its block", whole("\x04\x01\x00\x05main", 1), 1, first + 4, "a text goes on after the end", 0},
		{"an input over the end of its block", whole("\x06", 1), 1, first + 1, "the input goes on after the end", 0},
		{"very many empty lines", whole("\x00\x80\x80\x04", 65536), 1, first + 1, "no number from 0 to 65535", 0},
		{"a house that is not known", whole("\x01\x00\x05vegas", 1), 1, first, `house "vegas" is not known; known are`, 0},
		{"a setup without boxes", whole("\x81\x20\x00\x05baden\x00", 1), 1, 0, "", 1},
		{"a minimum of 0", whole("\x81\x02\x00\x05baden\x00", 1), 1, first + 9, "no number from 1", 0},
		{"too many names for a line", whole("\x87\x08\x00\x05split"+"\x88\x27"+"\x00\x0ba long name"+strings.Repeat("\x02", 4999), 1), 1, first, "longer than 65536 bytes", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			inputs, err := readAll(strings.NewReader(c.file), transcript.NewParser(profile.Built()))
			if len(inputs) != c.read {
				t.Errorf("%d inputs were read, want %d", len(inputs), c.read)
			}
			if c.what == "" {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			var e *transcript.CompactError
			if !errors.As(err, &e) || !strings.Contains(e.What, c.what) || e.Line != c.line || e.Byte != c.at {
				t.Errorf("got %v\nwant line %d, byte %d: %s", err, c.line, c.at, c.what)
			}
		})
	}
}

// TestEveryDamageIsSeen: a compact transcript that is cut anywhere, or has any bit
// changed, is refused, and only what was put in is read before.
func TestEveryDamageIsSeen(t *testing.T) {
	p := transcript.NewParser(profile.Built())
	inputs, err := readAll(strings.NewReader(goldenInputs(t)[1]), p)
	if err != nil || len(inputs) < 5 {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	file := compacted(t, inputs)
	refused := func(what string, at int, file []byte) {
		t.Helper()
		got, err := readAll(bytes.NewReader(file), p)
		if err == nil || len(got) > len(inputs) || len(got) > 0 && !reflect.DeepEqual(got, inputs[:len(got)]) {
			t.Errorf("%s at byte %d: %d inputs are read, %v", what, at, len(got), err)
		}
	}
	for at := range file {
		if at > 0 { // an empty file is a transcript without lines
			refused("cut", at, file[:at])
		}
		for bit := range 8 {
			file[at] ^= 1 << bit
			refused("a bit changed", at, file)
			file[at] ^= 1 << bit
		}
	}
}

// TestCompactOfABrokenFile: what the file system says is passed on.
func TestCompactOfABrokenFile(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, part := range []string{"\x89SA", head, head + block(0, "\x03"), head + block(0, "\x03")[:17], whole("\x03", 1)} {
		_, err := readAll(io.MultiReader(strings.NewReader(part), iotest.ErrReader(broken)), transcript.NewParser(profile.Built()))
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "reading the transcript at line ") {
			t.Errorf("%q: got %v", part, err)
		}
	}
}

// TestEncoderRefuses what no line of a transcript could say, and everything after it.
func TestEncoderRefuses(t *testing.T) {
	stake := vocab.Input{Kind: vocab.InStake, Line: 1, Box: 1, Bettor: "a", Wager: vocab.WagerMain}
	with := func(change func(*vocab.Input)) vocab.Input {
		in := stake
		change(&in)
		return in
	}
	for name, in := range map[string]vocab.Input{
		"no kind":              {Line: 1},
		"no line":              {Kind: vocab.InOpen},
		"no setup":             {Kind: vocab.InSetup, Line: 1},
		"a negative limit":     {Kind: vocab.InSetup, Line: 1, Setup: &rules.Setup{House: "a", Min: -1}},
		"no card":              {Kind: vocab.InCard, Line: 1},
		"a card there is not":  {Kind: vocab.InCard, Line: 1, Card: card.Card(255)},
		"no call":              {Kind: vocab.InCall, Line: 1},
		"the shoe's choice":    {Kind: vocab.InResolve, Line: 1, With: irregularity.Online},
		"before 1970":          {Kind: vocab.InOpen, Line: 1, Time: -1},
		"after 2200":           {Kind: vocab.InOpen, Line: 1, Time: math.MaxInt64},
		"a list without end":   {Kind: vocab.InCall, Line: 1, Call: vocab.CallSplit, Bettors: make([]string, 30_000)},
		"far away":             with(func(in *vocab.Input) { in.Line = math.MaxUint64 }),
		"a negative box":       with(func(in *vocab.Input) { in.Box = -1 }),
		"nobody":               with(func(in *vocab.Input) { in.Bettor = "" }),
		"too long a name":      with(func(in *vocab.Input) { in.Bettor = strings.Repeat("a", 99) }),
		"a name of no letters": with(func(in *vocab.Input) { in.Bettor = "\xff" }),
		"a wager there is not": with(func(in *vocab.Input) { in.Wager = 200 }),
		"more than there is":   with(func(in *vocab.Input) { in.Stated, in.Amount = true, math.MaxInt64 }),
	} {
		e := transcript.NewEncoder(io.Discard)
		err := e.Encode(&in)
		if err == nil || !strings.Contains(err.Error(), "cannot be written in the compact form: ") {
			t.Errorf("%s: got %v", name, err)
		}
		if again := e.Encode(&stake); !errors.Is(again, err) {
			t.Errorf("%s: then got %v", name, again)
		}
		if end := e.Close(); !errors.Is(end, err) {
			t.Errorf("%s: at the end got %v", name, end)
		}
	}
	e := transcript.NewEncoder(io.Discard)
	if first, second := e.Encode(&stake), e.Encode(&stake); first != nil || second == nil {
		t.Errorf("the same line twice: got %v, %v", first, second)
	}
	broken := errors.New("the disk is gone")
	if err := transcript.NewEncoder(full{broken}).Close(); !errors.Is(err, broken) {
		t.Errorf("on a full disk: got %v", err)
	}
}

// FuzzCompact: no file makes the decoder do worse than refuse it.
func FuzzCompact(f *testing.F) {
	for _, lines := range goldenInputs(f) {
		inputs, err := readAll(strings.NewReader(lines), transcript.NewParser(profile.Built()))
		if err == nil {
			f.Add(compacted(f, inputs))
		}
	}
	f.Add([]byte(head))
	f.Fuzz(func(t *testing.T, file []byte) { sound(t, file) })
}

// FuzzCompactRecords: the same for records in a block whose checksum is right.
func FuzzCompactRecords(f *testing.F) {
	for _, lines := range goldenInputs(f) {
		inputs, err := readAll(strings.NewReader(lines), transcript.NewParser(profile.Built()))
		if file := string(compacted(f, inputs)); err == nil && len(file) > len(whole("", 0)) {
			f.Add(file[len(head)+16 : len(file)-16])
		}
	}
	f.Fuzz(func(t *testing.T, records string) { sound(t, []byte(whole(records, 0))) })
}

// sound: whatever a file is, its inputs up to the first that cannot be read can be
// written in both forms, and are the same when they are read again.
func sound(t *testing.T, file []byte) {
	p := transcript.NewParser(profile.Built())
	p.AnyHouse = true
	if len(file) == 0 || file[0] != head[0] {
		return
	}
	inputs, err := readAll(bytes.NewReader(file), p)
	var e *transcript.CompactError
	if err != nil && (!errors.As(err, &e) || e.Byte < 0 || e.Byte > int64(len(file))) {
		t.Fatalf("%q: %#v", file, err)
	}
	if len(inputs) == 0 {
		return
	}
	compact, err := encode(inputs)
	if err != nil {
		t.Fatalf("%+v were read, and then: %v", inputs, err)
	}
	forms := [][]byte{compact}
	if inputs[len(inputs)-1].Line < 1<<12 {
		forms = append(forms, []byte(spaced(inputs)))
	}
	for _, form := range forms {
		if again, err := readAll(bytes.NewReader(form), p); err != nil || !reflect.DeepEqual(again, inputs) {
			t.Fatalf("%+v were read, and then %+v, %v", inputs, again, err)
		}
	}
}
