package journal_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/audittest"
	"github.com/sabot-table/sabot/table/journal"
)

// shoeParts makes a journal of one part for each list of positions, sealed by the key.
func shoeParts(t *testing.T, path string, parts ...[]journal.Position) {
	t.Helper()
	at := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	for _, positions := range parts {
		j, err := journal.Open(path, journal.Options{Program: "sabotd", Key: audittest.Key})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range positions {
			at = at.Add(time.Second)
			err := j.Append([]journal.Entry{{At: at.UnixNano(), Input: []byte(`{"in":"card","card":"TH"}`), ShoeBoot: p.Boot, ShoeSeq: p.Seq}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// asBefore makes a journal's headers those of format 1, which knew the last position alone.
func asBefore(t *testing.T, path string) {
	t.Helper()
	f := audittest.Open(t, path)
	f.Uncode()
	for _, p := range f.Parts {
		p.Edit = func(h *journal.Header) { h.Format, h.Shoes = 1, nil }
	}
	f.Rechain()
	f.Save(audittest.Sign)
	for _, end := range []string{journal.CodesEnd, journal.AuditKeyEnd} {
		if err := os.Remove(path + end); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPositionsOfAnEarlierFormat: headers of format 1 have only the last position. The first
// start after that finds those of all boots in the parts that are there, and the next starts
// have them from the header.
func TestPositionsOfAnEarlierFormat(t *testing.T) {
	type list = []journal.Position
	for name, tc := range map[string]struct {
		parts []list
		spoil func(t *testing.T, path string)
		want  list
	}{
		"one part":         {[]list{{{7, 1}, {8, 1}, {7, 2}}}, nil, list{{7, 2}, {8, 1}}},
		"a part for each":  {[]list{{{7, 1}}, {{8, 1}}, {{9, 1}}}, nil, list{{9, 1}, {8, 1}, {7, 1}}},
		"later ones count": {[]list{{{7, 5}, {8, 5}}, {{8, 6}, {7, 6}}, {{9, 1}}}, nil, list{{9, 1}, {7, 6}, {8, 6}}},
		"no shoe":          {[]list{{}, {}}, nil, nil},
		"a part that cannot be read": {
			[]list{{{7, 1}}, {{8, 1}}, {{9, 1}}, {{9, 2}}}, func(t *testing.T, path string) {
				name := filepath.Join(path, "part-000002.jsonl")
				if err := os.WriteFile(name, []byte("nothing of it is left\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}, list{{9, 2}, {8, 1}}, // the header of the third part has 8; how much of the first counts is in that of the second
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			shoeParts(t, path, tc.parts...)
			asBefore(t, path)
			if tc.spoil != nil {
				tc.spoil(t, path)
			}
			for start, searched := range []bool{len(tc.parts) > 1, false, false} {
				j, err := journal.Open(path, journal.Options{Key: audittest.Key})
				if err != nil {
					t.Fatal(err)
				}
				if got := j.Positions(); !slices.Equal(got, tc.want) || (j.Opening().Searched > 0) != searched {
					t.Errorf("start %d: the positions are %v, want %v; %d parts were read", start, got, tc.want, j.Opening().Searched)
				}
				if tc.spoil == nil {
					if err := j.Verify(t.Context(), nil); err != nil {
						t.Error(err)
					}
				}
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
