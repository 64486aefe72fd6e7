package backup

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestAnyHistory backs up, fails, loses power and starts over in any order: what was finished and is young enough is
// always there and whole, and nothing else stays.
func TestAnyHistory(t *testing.T) {
	c := newCard(t, "")
	checks(t, 20)
	rapid.Check(t, func(r *rapid.T) {
		d := disktest.New(rapid.Uint64().Draw(r, "disk"))
		keep := rapid.IntRange(1, 3).Draw(r, "keep")
		var finished []uint64
		for range rapid.IntRange(1, 5).Draw(r, "steps") {
			p := &Place{d, "disk"}
			o := c.options()
			o.Keep = keep
			switch rapid.SampledFrom([]string{"take", "fail", "cut"}).Draw(r, "step") {
			case "fail":
				d.Plan(disktest.Fault{
					Err: syscall.EIO, Skip: rapid.IntRange(0, 40).Draw(r, "skip"),
					Part: disktest.Half,
				})
			case "cut":
				d.CrashAt(d.Operations()+rapid.IntRange(1, 120).Draw(r, "crash"), disktest.Half)
			}
			taken, err := p.Take(t.Context(), c.source(), o)
			if err == nil {
				finished = append(finished, taken.Number)
			}
			d.Mend()
			d = d.PowerCut(rapid.Uint64().Draw(r, "dice"))
			p = &Place{d, "disk"}
			there := whole(t, p, c)
			for _, number := range finished[max(0, len(finished)-keep):] {
				// A failed backup may count after all, and then pushes out one that is older.
				if !slices.Contains(there, number) && (len(there) < keep || number > there[0]) {
					r.Fatalf("generation %d was finished and is gone: there are %v, after %v", number, there, err)
				}
			}
		}
		p := &Place{d, "disk"}
		o := c.options()
		o.Keep = keep
		take(t, p, c.source(), o)
		if there := whole(t, p, c); len(there) > keep {
			r.Fatalf("there are %v, and %d were to stay", there, keep)
		}
		clean(t, p)
	})
}

// checks has make test try a test's properties so often, since each try takes its time.
func checks(t *testing.T, often int) {
	t.Helper()
	usual := flag.Lookup("rapid.checks").Value
	if was := usual.String(); !tier.InSoak() && was == flag.Lookup("rapid.checks").DefValue {
		if err := usual.Set(strconv.Itoa(often)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = usual.Set(was) }) // it was taken before
	}
}

// FuzzGeneration: whatever a generation's file says, what is taken from it names files of a journal and roles alone,
// and is written again in the same way.
func FuzzGeneration(f *testing.F) {
	c := newCard(f, "")
	p := &Place{disktest.New(1), "disk"}
	taken, err := p.Take(f.Context(), c.source(), c.options())
	if err != nil {
		f.Fatal(err)
	}
	file, err := p.Open(fileOf(taken.Number))
	if err != nil {
		f.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		f.Fatal(err)
	}
	text := make([]byte, info.Size)
	if _, err := file.ReadAt(text, 0); err != nil {
		f.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	f.Add(text)
	f.Add([]byte(line + "\n"))
	for _, name := range []string{
		"../etc/passwd", "/etc/passwd", "part-000001.jsonl/x", "set-aside-1/../../x",
		"part-000001.jsonl\\u0000",
	} {
		f.Add([]byte(strings.Replace(line, `"name":"part-000001.jsonl"`, fmt.Sprintf(`"name":"%s"`, name), 1) + "\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := parse(text)
		if err != nil {
			return
		}
		for _, s := range g.Parts {
			if strings.Contains(s.Name, "..") && strings.Contains(s.Name, "/..") || strings.HasPrefix(s.Name, "/") ||
				strings.ContainsAny(s.Name, "\x00\\ \n") {
				t.Errorf("a part is called %q", s.Name)
			}
		}
		again, err := g.text(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parse(again); err != nil {
			t.Errorf("%s\nis taken, and as\n%s\nit is not: %v", text, again, err)
		}
	})
}

// TestNames: a generation names no file outside of the journal's folder.
func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"part-000001.jsonl": true, "part-000001.jsonl.zst": true, "foreign-000002-1": true,
		"set-aside-2026/part-000001.jsonl":          true,
		"set-aside-1/set-aside-2/part-000003.jsonl": true,
		"": false, ".": false, "..": false, "/part-000001.jsonl": false, "../part-000001.jsonl": false,
		"set-aside-1/../part-000001.jsonl": false,
		"part-1.jsonl":                     false, "part-000001.jsonl.new": false, "x": false,
		"x/part-000001.jsonl": false, "set-aside-1": false, "set-aside-1/": false,
		"foreign-\x1b": false, "set-aside-1/x": false,
	} {
		if partOfJournal(name) != ok {
			t.Errorf("%q: %v", name, !ok)
		}
	}
}

// TestRemoteNames: what is a folder of this machine, and what one of another.
func TestRemoteNames(t *testing.T) {
	for target, want := range map[string][2]string{
		"nas:tables": {"nas", "tables"}, "u@nas.example:/srv/x": {"u@nas.example", "/srv/x"},
		"u@10.0.0.7:2222:": {"u@10.0.0.7:2222", ""},
		"u@[fe80::1]:22:x": {"u@[fe80::1]:22", "x"},
		"/media/stick":     {}, "./nas:tables": {}, "-oProxyCommand=x:y": {}, "u@-x:y": {}, "-u@x:y": {}, "plain": {},
		"a b:c": {},
	} {
		host, folder, ok := splitRemote(target)
		if ok != (want != [2]string{}) || host != want[0] || folder != want[1] {
			t.Errorf("%s is %q, %q, %v", target, host, folder, ok)
		}
	}
}
