package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

var update = flag.Bool("update", false, "make the dictionary anew: only together with a new dictionaryID")

// rounds are the frames of rounds at every house, by the rounds.
func rounds(t testing.TB, each int, seed uint64) (rounds [][][]byte) {
	t.Helper()
	for i, house := range profile.Built().Names() {
		folder := filepath.Join(t.TempDir(), "journal")
		n := journaltest.NewNight(t, folder, house, seed+uint64(i))
		n.Mistakes, n.Dealers = i%3, []string{"anna", "d7"}
		n.Rounds(each)
		r, err := journal.OpenReadOnly(folder)
		if err != nil {
			t.Fatal(err)
		}
		var number uint64
		for stretch, err := range stretches(r, 0) {
			if err != nil {
				t.Fatal(err)
			}
			for _, frame := range stretch.Frames {
				rec, err := journal.ParseRecord(frame)
				if err != nil {
					t.Fatal(err)
				}
				if rec.Round != number || len(rounds) == 0 {
					rounds, number = append(rounds, nil), rec.Round
				}
				last := &rounds[len(rounds)-1]
				*last = append(*last, frame)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return rounds
}

func shortened(frames [][]byte) (text []byte) {
	var chain chain
	for _, frame := range frames {
		text = chain.shorten(text, frame)
	}
	return text
}

// pack writes frames as they are kept.
func pack(frames [][]byte) []byte {
	var p packing
	for _, frame := range frames {
		p.add(frame)
	}
	return p.closed()
}

// TestDictionary: with -update it is made of rounds at every house.
func TestDictionary(t *testing.T) {
	if !*update {
		if id := dictionaryNumber(t); id != dictionaryID {
			t.Errorf("the dictionary has the number %d, not %d", id, dictionaryID)
		}
		return
	}
	var samples [][]byte
	for _, round := range rounds(t, 120, 1000) {
		samples = append(samples, shortened(round))
	}
	made, err := dict.BuildZstdDict(samples, dict.Options{
		MaxDictSize: 64 << 10, HashBytes: 8, ZstdDictID: dictionaryID,
		ZstdLevel: zstd.SpeedBestCompression,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("frames.dict", made, 0o644); err != nil {
		t.Fatal(err)
	}
}

func dictionaryNumber(t *testing.T) uint32 {
	d, err := zstd.InspectDictionary(dictionary)
	if err != nil {
		t.Fatal(err)
	}
	return d.ID()
}

// TestFrames: what is packed comes back byte for byte, and is small.
func TestFrames(t *testing.T) {
	all := rounds(t, tier.Times(20, 50), 1)
	plain, short, packed, alone := 0, 0, 0, 0
	bare, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, round := range all {
		kept := pack(round)
		back, err := unpack(kept)
		if err != nil || len(back) != len(round) {
			t.Fatalf("%d of %d frames come back, %v", len(back), len(round), err)
		}
		for i := range round {
			if !bytes.Equal(back[i], round[i]) {
				t.Fatalf("a frame comes back as\n%s\nand was\n%s", back[i], round[i])
			}
		}
		packed += len(kept)
		short += len(shortened(round))
		alone += len(bare.EncodeAll(bytes.Join(round, nil), nil))
		for _, frame := range round {
			plain += len(frame)
		}
	}
	n := len(all)
	text := fmt.Sprintf("%d rounds: %d bytes each in the journal, %d by zstd alone, %d without hashes that follow, "+
		"%d packed", n, plain/n, alone/n, short/n, packed/n)
	if t.Log(text); packed >= alone*11/20 {
		t.Error(text)
	}
}

// TestOpenStretch: a stretch that gets its frames one by one comes back byte for byte after each, and not much larger.
func TestOpenStretch(t *testing.T) {
	open, closed := 0, 0
	for _, round := range rounds(t, 3, 1) {
		var p packing
		for i, frame := range round {
			p.add(frame)
			back, err := unpack(p.open())
			if err != nil || !slices.EqualFunc(back, round[:i+1], bytes.Equal) {
				t.Fatalf("of %d frames %d come back, or others, %v", i+1, len(back), err)
			}
		}
		open += len(p.open())
		closed += len(p.closed())
	}
	if open > 3*closed {
		t.Errorf("open stretches have %d bytes, and %d once they are closed", open, closed)
	}
}

// openOf are frames as an open stretch has them to which they came one by one.
func openOf(frames [][]byte) (kept []byte) {
	var p packing
	for _, frame := range frames {
		p.add(frame)
		kept = p.open()
	}
	return kept
}

// TestDamagedFrames: what is damaged is an error, and never another record.
func TestDamagedFrames(t *testing.T) {
	round := rounds(t, 3, 2)[1]
	kept := pack(round)
	for i := range kept {
		bad := bytes.Clone(kept)
		bad[i] ^= 0x20
		frames, err := unpack(bad)
		if err == nil && !bytes.Equal(bytes.Join(frames, nil), bytes.Join(round, nil)) {
			t.Fatalf("with another byte %d another record comes back", i)
		}
		if frames, err := unpack(kept[:i]); err == nil && i > 0 {
			t.Fatalf("of %d bytes %d frames come back", i, len(frames))
		} else if ofTheLine(err) {
			t.Fatalf("of %d bytes the line to the database is to blame: %v", i, err)
		}
	}
	if _, err := unpack(packer().EncodeAll([]byte(`{"in":"open"}`+"\n"+`{"record":1,"hash":""}`+"\n"),
		nil)); err == nil {
		t.Error("a first frame without a hash is taken")
	}
}

// TestCutStretch: a stretch of which pieces are missing that were added last is an error, and whoever reads it comes to
// an end.
func TestCutStretch(t *testing.T) {
	s := openNew(t)
	round := rounds(t, 3, 1)[1]
	first, err := journal.ParseRecord(round[0])
	if err != nil {
		t.Fatal(err)
	}
	for left := range len(round) + 1 {
		j := &kept{id: int64(left), closed: first.Seq - 1, head: first.Seq - 1 + uint64(len(round))}
		kept := append([]byte{}, openOf(round[:left])...)
		if err := s.do(t.Context(), func(w *writer) error { return w.stretch(j, kept) }); err != nil {
			t.Fatal(err)
		}
		var read [][]byte
		var wrong error
		for rec, err := range s.records(t.Context(), &askedFew{s.read, 10}, j.id, 1) {
			if wrong = err; err == nil {
				read = append(read, rec.text)
			}
		}
		whole := left == len(round)
		if !slices.EqualFunc(read, round[:left], bytes.Equal) || whole != (wrong == nil) || !whole &&
			!strings.Contains(wrong.Error(), "does not end with record") {
			t.Errorf("of %d records that are left of %d, %d are read: %v", left, len(round), len(read), wrong)
		}
	}
}

// askedFew is a database that is asked so many times at most.
type askedFew struct {
	queryer
	left int
}

func (a *askedFew) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if a.left--; a.left < 0 {
		return nil, errors.New("it is asked for ever")
	}
	return a.queryer.QueryContext(ctx, query, args...)
}

// TestLongRecords: a table that says only long records, and never ends a round, does not have the pit hold and write
// all of them with each one.
func TestLongRecords(t *testing.T) {
	s := openNew(t)
	table := tableNamed(t, "bj-1")
	const long = 300 << 10
	for n := range uint64(20) {
		text := make([]byte, long/2)
		rand.NewChaCha8([32]byte{byte(n)}).Read(text)
		frame := fmt.Appendf(nil,
			"{\"in\":\"%x\"}\n{\"record\":%d,\"event\":0,\"at\":1,\"round\":1,\"hash\":\"%064x\"}\n",
			text, n+1, n)
		_, err := s.Append(t.Context(), &Batch{Table: table, Journal: "j", Stretch: journal.Stretch{
			After: n, Head: n + 1, Boot: 1, Frames: [][]byte{frame},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	var longest, records int
	err := s.read.QueryRowContext(t.Context(), `SELECT max(length(frames)), sum(last - first + 1) FROM stretch`).
		Scan(&longest, &records)
	if err != nil || longest > mostOpenText+long || records != 20 {
		t.Errorf("the longest stretch of %d records has %d bytes, %v", records, longest, err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack(rounds(f, 2, 3)[1]))
	f.Fuzz(func(t *testing.T, kept []byte) {
		if frames, err := unpack(kept); err == nil {
			if again, err := unpack(openOf(frames)); err == nil &&
				!bytes.Equal(bytes.Join(again, nil), bytes.Join(frames, nil)) {
				t.Error("what was read is not what is written of it")
			}
		}
	})
}
