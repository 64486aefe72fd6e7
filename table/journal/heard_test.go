package journal

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestHeardOfTooMuch: numbers that no table reaches count for nothing, whoever says that the pit had heard of them: the
// start tells of it, and that one and all later ones go on.
func TestHeardOfTooMuch(t *testing.T) {
	for _, number := range []uint64{mostHeard + 1, 1<<62 - 2, 1 << 62, 1 << 63, math.MaxUint64 - 1, math.MaxUint64} {
		for name, begun := range map[string]bool{"a journal": true, "no journal": false} {
			t.Run(fmt.Sprintf("%s, %d", name, number), func(t *testing.T) {
				d, id := disktest.New(1), strings.Repeat("ab", 16)
				if begun {
					d = twoStarts(t, Options{Key: testKey})
					id = readOn(t, d).ID()
				}
				for range 3 {
					j := openOn(t, d, Options{Key: testKey, Heard: Heard{ID: id, Record: number, Event: number}})
					if found := j.Found(); len(found) != 1 || !strings.Contains(found[0], "counts for nothing") {
						t.Errorf("found %q", found)
					}
					mustAppend(t, j, cardEntry(1))
					if next, _ := j.Next(); next > 1000 {
						t.Errorf("the next record is %d", next)
					}
					mustClose(t, j)
				}
			})
		}
	}
}

// TestWrittenTooHigh: somebody writes a record with such a number, and the journal is set aside: the next one goes on
// with the numbers of what the table wrote.
func TestWrittenTooHigh(t *testing.T) {
	d := twoStarts(t, Options{Key: testKey})
	text := inFile(t, d, 2)
	high := bytes.Replace(text, []byte(`{"record":9,"event":27`),
		[]byte(`{"record":4611686018427387904,"event":4611686018427387904`), 1)
	must(t, d.Hands().Replace(partName(2), high))
	for range 3 {
		j := openOn(t, d, Options{Key: testKey})
		if next, _ := j.Next(); next > 1000 {
			t.Errorf("the next record is %d", next)
		}
		mustAppend(t, j, cardEntry(1))
		mustClose(t, j)
	}
}
