package journal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// day starts a simulated table, has somebody accept what it tells, and returns that.
func day(t *testing.T, d *disktest.Disk, o Options, by string) (found []string) {
	t.Helper()
	j := openOn(t, d, o)
	must(t, j.Inspect(t.Context()))
	found = j.Found()
	if len(found) > 0 {
		e := cardEntry(1)
		e.AcceptedBy = by
		mustAppend(t, j, e)
	}
	mustAppend(t, j, carrying(cardEntry(99), "{}"))
	mustClose(t, j)
	return found
}

// TestAcceptedOnce: what a supervisor has accepted of the journal's files is not asked again by any start, however many
// parts were begun since, while the same is wrong with the same part; and is on record with the name. Where nobody is
// named, and where something else is wrong, the start asks.
func TestAcceptedOnce(t *testing.T) {
	for name, c := range tampering {
		if c.want == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d, o := tamperedWith(t, c.do)
			o.PartMost = 1
			wantAsked(t, "without a name", day(t, d, o, ""), c.want)
			wantAsked(t, "with a name", day(t, d, o, "anna"), c.want)
			for range 3 {
				wantAsked(t, "accepted", day(t, d, o, "anna"), "")
			}
			if by := strings.Join(acceptances(t, d), "; "); !strings.Contains(by, c.want) ||
				!strings.HasPrefix(by, "anna: ") {
				t.Errorf("on record: %q", by)
			}
			must(t, d.Hands().Delete(partName(4)))
			wantAsked(t, "something else", day(t, d, o, "ben"), "part 4 is missing")
			wantAsked(t, "both accepted", day(t, d, o, "ben"), "")
		})
	}
}

func wantAsked(t *testing.T, when string, found []string, want string) {
	t.Helper()
	all := strings.Join(found, "; ")
	if want == "" && len(found) > 0 || !strings.Contains(all, want) {
		t.Errorf("%s: found %q, want %q", when, found, want)
	}
}

// acceptances are those that a walk finds, and it finds nothing else about them.
func acceptances(t *testing.T, d *disktest.Disk) (by []string) {
	t.Helper()
	r := readOn(t, d)
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Accepted != nil {
			by = append(by, s.Accepted.By+": "+s.Accepted.Found)
		}
		return nil
	}))
	return by
}

// TestAcceptedContent: who accepts a part as somebody has changed it has not accepted another change of it.
func TestAcceptedContent(t *testing.T) {
	for _, c := range []struct {
		name  string
		again func(h disktest.Hands, last int) error
	}{
		{"another byte", func(h disktest.Hands, last int) error { return h.Rot(partName(2), 8*(last-60)) }},
		{"shorter", func(h disktest.Hands, last int) error { return h.Truncate(partName(2), last-20) }},
		{"longer", func(h disktest.Hands, _ int) error { return h.Append(partName(2), []byte("x")) }},
		{"gone", func(h disktest.Hands, _ int) error { return h.Delete(partName(2)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := 0
			d, o := tamperedWith(t, func(t *testing.T, d *disktest.Disk) {
				last = lastWrite(t, inFile(t, d, 2))
				must(t, d.Hands().Rot(partName(2), 8*(last-50)))
			})
			wantAsked(t, "changed", day(t, d, o, "anna"), "is not what was written")
			wantAsked(t, "accepted", day(t, d, o, "anna"), "")
			must(t, c.again(d.Hands(), last))
			wantAsked(t, "again", day(t, d, o, "anna"), "part")
			wantAsked(t, "accepted again", day(t, d, o, "anna"), "")
		})
	}
}

// TestManyFindings: what was done to many files is told as one, so that one word is enough; and that holds for each of
// them.
func TestManyFindings(t *testing.T) {
	d, o := disktest.New(1), Options{Key: testKey, PartMost: 1}
	for range 3 {
		day(t, d, o, "")
	}
	j := openOn(t, d, o)
	for n := range 3 * mostTold {
		mustAppend(t, j, carrying(cardEntry(n), "{}"))
	}
	mustClose(t, j)
	for n := range 2 * mostTold {
		must(t, d.Hands().Link(partName(uint64(n+1)), fmt.Sprint("second-", n)))
	}
	wantAsked(t, "many", day(t, d, o, "anna"), fmt.Sprintf("%d files are not as they should be", 2*mostTold))
	wantAsked(t, "accepted", day(t, d, o, "anna"), "")
	must(t, d.Hands().Link(partName(2*mostTold+1), "another"))
	wantAsked(t, "one more", day(t, d, o, "anna"), "has a second name")
	must(t, d.Hands().Link(partName(1), "third"))
	wantAsked(t, "a third name", day(t, d, o, "anna"), "has 3 names")
}

// TestSetAsideIsWatched: what was set aside is looked at as the parts are: who removes, replaces or changes it has the
// table told, once.
func TestSetAsideIsWatched(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(h disktest.Hands, folder string) error
		want string
	}{
		{"nothing", func(disktest.Hands, string) error { return nil }, ""},
		{
			"moved away", func(h disktest.Hands, folder string) error { return h.Move(folder, "somewhere") },
			"is not there: it was removed",
		},
		{
			"a part deleted", func(h disktest.Hands, folder string) error {
				return h.Delete(folder + "/" + partName(2))
			},
			"is not what was set aside",
		},
		{"a part replaced", func(h disktest.Hands, folder string) error {
			return h.Replace(folder+"/"+partName(2), []byte("another\n"))
		}, "is not what was set aside"},
		{"the head changed", func(h disktest.Hands, folder string) error {
			return h.Rot(folder+"/"+partName(6),
				8*700)
		}, "is not what was set aside"},
		{
			"a part added", func(h disktest.Hands, folder string) error {
				h.Put(folder+"/"+partName(9), nil)
				return nil
			},
			"is not what was set aside",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, o := tamperedWith(t, func(t *testing.T, d *disktest.Disk) {
				must(t, d.Hands().Truncate(partName(6), lastWrite(t, inFile(t, d, 6))))
			})
			j := openOn(t, d, o)
			former := j.Opening().Former
			if former == nil {
				t.Fatal("it was not set aside")
			}
			mustAppend(t, j, carrying(cardEntry(1), "{}"))
			must(t, j.Inspect(t.Context()))
			wantAsked(t, "at once", j.Found(), "")
			mustClose(t, j)
			wantAsked(t, "before", day(t, d, o, "anna"), "")
			must(t, c.do(d.Hands(), former.Folder))
			wantAsked(t, "after", day(t, d, o, "anna"), c.want)
			wantAsked(t, "accepted", day(t, d, o, "anna"), "")
			// The next journal names both.
			must(t, d.Hands().Replace(partName(9), nil))
			j = openOn(t, d, o)
			if aside := j.state().aside; len(aside) != 2 || aside[1].Folder != former.Folder ||
				j.Opening().Former == nil {
				t.Errorf("set aside: %+v", aside)
			}
			mustClose(t, j)
		})
	}
}

// TestTells: what the table tells itself is told by nobody else, and who accepts what was told has accepted it, too.
func TestTells(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	j.Tells("the rules were replaced")
	wantAsked(t, "at once", j.Found(), "")
	e := cardEntry(1)
	e.AcceptedBy = "anna"
	mustAppend(t, j, e)
	mustClose(t, j)
	if by := acceptances(t, d); !slices.Equal(by, []string{"anna: the rules were replaced"}) {
		t.Errorf("accepted are %q", by)
	}
}
