package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// names lists the parts on a disk.
func names(d *disktest.Disk) string { return strings.Join(d.Hands().Names(), " ") }

// TestTidyKeeps: what a restart needs, what was not sent, and everything where there is no
// archive stays in the folder.
func TestTidyKeeps(t *testing.T) {
	const archived = "/the/archive"
	for _, c := range []struct {
		name  string
		keep  Keep
		sent  uint64
		moved bool
		some  bool // only a part of them
		want  error
	}{
		{"no archive", Keep{NoPublisher: true, KeepDays: 1}, 0, false, false, nil},
		{"no archive, no space", Keep{NoPublisher: true, FreeMin: 1 << 40}, 0, false, false, ErrShort},
		{"old", Keep{NoPublisher: true, KeepDays: 1, Archive: archived}, 0, true, false, nil},
		{"not old", Keep{NoPublisher: true, KeepDays: 20, Archive: archived}, 0, false, false, nil},
		{"however old", Keep{NoPublisher: true, Archive: archived}, 0, false, false, nil},
		{"no space", Keep{NoPublisher: true, FreeMin: 1 << 40, Archive: archived}, 0, true, false, ErrShort},
		{"enough space", Keep{NoPublisher: true, FreeMin: 10, Archive: archived}, 0, false, false, nil},
		// The first part, of the set-up, has no events.
		{"not sent", Keep{Publishers: []string{"mqtt"}, KeepDays: 1, Archive: archived}, 0, true, true, nil},
		{"half sent", Keep{Publishers: []string{"mqtt"}, KeepDays: 1, Archive: archived}, 120, true, true, nil},
		{
			"one has not sent",
			Keep{Publishers: []string{"mqtt", "other"}, KeepDays: 1, Archive: archived},
			120, true,
			true, nil,
		},
		{"nobody said", Keep{KeepDays: 1, Archive: archived}, 0, false, false, errNoReader},
		{
			"both said",
			Keep{NoPublisher: true, Publishers: []string{"mqtt"}, KeepDays: 1, Archive: archived},
			0, false,
			false, errNoReader,
		},
	} {
		for _, packed := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				d, archive := disktest.New(1), disktest.New(2)
				d.SetSpace(1 << 20)
				j := aNight(t, d, 100, Options{})
				must(t, j.SetCursor("mqtt", c.sent))
				must(t, j.FlushCursors())
				d.Clock().Advance(10 * 24 * time.Hour)
				before := records(t, j.Reader, 1)
				k := c.keep
				k.On = archive
				if packed {
					k.PackDays = 1
				}
				if err := j.Tidy(t.Context(), k); !errors.Is(err, c.want) || c.want == nil && err != nil {
					t.Errorf("error is %v, want %v", err, c.want)
				}
				if moved := len(archive.Hands().Names()); (moved > 0) != c.moved || moved > 0 && c.some != (moved < 8) {
					t.Errorf("%d parts were moved: %s; %s stays", moved, names(archive), names(d))
				}
				if begins, err := j.Begins(); err != nil || (begins > 0) != c.moved {
					t.Errorf("the folder begins after record %d, %v", begins, err)
				}
				mustAppend(t, j, cardEntry(101))
				wantFound(t, j, "")
				must(t, j.SetCursor("mqtt", 10))
				if c.sent > 0 {
					if events, err := j.Events(c.sent, 1); err != nil || events[0].Number != c.sent+1 {
						t.Errorf("what is to be sent cannot be read: %v", err)
					}
				}
				j = openOn(t, d.PowerCut(3), Options{})
				if seq, carry, setup, err := j.Checkpoint(); seq != 100 || len(carry) == 0 || len(setup) == 0 ||
					err != nil {
					t.Errorf("a restart finds the checkpoint %d, %v", seq, err)
				}
				fetchBack(t, archive, j.disk.(*disktest.Disk))
				must(t, j.Verify(t.Context(), nil))
				if got := records(t, j.Reader, 1); len(got) != len(before)+1 {
					t.Errorf("%d records, want %d", len(got), len(before)+1)
				}
				mustAppend(t, j, cardEntry(102))
				wantFound(t, j, "")
			})
		}
	}
}

// fetchBack copies all parts from an archive.
func fetchBack(t testing.TB, archive, to *disktest.Disk) {
	t.Helper()
	for _, name := range archive.Hands().Names() {
		text, err := archive.Hands().Read(name)
		must(t, err)
		if !strings.HasSuffix(name, draftEnd) {
			to.Hands().Put(name, text)
		}
	}
}

// TestTidyCrash ends the process, or cuts the power, at each operation on either disk: every
// record is whole in the folder or in the archive, the journal goes on, and the next Tidy
// finishes.
func TestTidyCrash(t *testing.T) {
	made := disktest.New(1)
	aNight(t, made, 60, Options{})
	made = made.Kill()
	for _, inArchive := range []bool{false, true} {
		for at, done := 1, false; !done; at += tier.Times(4, 1) {
			d, archive := made.Kill(), disktest.New(2)
			j := openOn(t, d, Options{})
			d.Clock().Advance(10 * 24 * time.Hour)
			crashing := d
			if inArchive {
				crashing = archive
			}
			crashing.CrashAt(crashing.Operations()+at, disktest.Part(at%3))
			k := Keep{PackDays: 1, NoPublisher: true, KeepDays: 1, Archive: "/archive", On: archive}
			done = j.Tidy(t.Context(), k) == nil
			d, archive = d.PowerCut(uint64(at)), archive.PowerCut(uint64(at))
			both := d.PowerCut(1)
			for _, name := range archive.Hands().Names() {
				if _, err := both.Hands().Read(name); err != nil {
					text, err := archive.Hands().Read(name)
					must(t, err)
					both.Hands().Put(name, text)
				}
			}
			r := readOn(t, both)
			if err := r.Verify(t.Context(), nil); err != nil || len(records(t, r, 1)) != 60 {
				t.Fatalf("ended at %d: %v", at, err)
			}
			j = openOn(t, d, Options{})
			if seq, _ := j.Next(); seq != 61 || j.Opening().Former != nil {
				t.Fatalf("ended at %d, the next start goes on with %d: %+v", at, seq, j.Opening())
			}
			k.On = archive
			must(t, j.Tidy(t.Context(), k))
			mustAppend(t, j, cardEntry(61))
			wantFound(t, j, "")
		}
	}
}

// TestTidyFails: where the archive is not as it should be nothing is removed.
func TestTidyFails(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(d, archive *disktest.Disk)
		want  string
	}{
		"another file there": {
			func(_, a *disktest.Disk) { a.Hands().Put(partName(1), []byte("other")) },
			"has a different content",
		},
		"full": {func(_, a *disktest.Disk) { a.SetSpace(100) }, "no space"},
		"not durable": {
			func(_, a *disktest.Disk) { a.Plan(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO}) },
			"input/output",
		},
		"a lying disk": {func(_, a *disktest.Disk) { a.SetThinSpace(100) }, "moving"},
		"cannot be read": {func(d, _ *disktest.Disk) {
			d.Plan(disktest.Fault{
				Op: disktest.ReadAt, Err: syscall.EIO,
				Times: -1,
			})
		}, "input/output"},
		"nor be written": {func(d, _ *disktest.Disk) {
			d.Plan(disktest.Fault{Op: disktest.Append, Err: syscall.EIO, Times: -1})
		}, "input/output"},
	} {
		d, archive := disktest.New(1), disktest.New(2)
		j := aNight(t, d, 60, Options{})
		d.Clock().Advance(10 * 24 * time.Hour)
		before := names(d)
		c.spoil(d, archive)
		err := j.Tidy(t.Context(), Keep{NoPublisher: true, KeepDays: 1, Archive: "/archive", On: archive})
		wantError(t, err, nil, c.want)
		if got := names(d); got != before {
			t.Errorf("%s: the files are %s, were %s", name, got, before)
		}
		d.Mend()
		mustAppend(t, j, cardEntry(61))
		must(t, j.Verify(t.Context(), nil))
	}
}

// TestTidyStops when it is told to, and when the journal is closed.
func TestTidyStops(t *testing.T) {
	d := disktest.New(1)
	j := aNight(t, d, 60, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, j.Tidy(ctx, Keep{PackDays: 1, NoPublisher: true}), context.Canceled, "tidy up")
	mustClose(t, j)
	wantError(t, j.Tidy(t.Context(), Keep{PackDays: 1, NoPublisher: true}), ErrClosed, "tidy up")
}

// TestArchiveFolder moves parts of a real folder into another one, which must be there.
func TestArchiveFolder(t *testing.T) {
	path, archive := newPath(t), filepath.Join(t.TempDir(), "archive")
	now := time.Now()
	j, err := Open(path, Options{PartMost: 1, Now: func() time.Time { return now }})
	must(t, err)
	defer mustClose(t, j)
	for n := range 6 {
		mustAppend(t, j, carrying(cardEntry(n), "{}"))
	}
	now = now.Add(48 * time.Hour)
	k := Keep{PackDays: 1, NoPublisher: true, KeepDays: 1, Archive: archive}
	wantError(t, j.Tidy(t.Context(), k), os.ErrNotExist, archive)
	must(t, os.Mkdir(archive, 0o755))
	must(t, j.Tidy(t.Context(), k))
	home := filepath.Join(archive, j.ID())
	if len(folder(t, home, "")) != 4 {
		t.Errorf("the archive has %v", folder(t, home, ""))
	}
	away, ok := errors.AsType[*AwayError](j.Verify(t.Context(), nil))
	if !ok || away.To != home {
		t.Errorf("what is said of it is %+v", away)
	}
	must(t, os.CopyFS(path, os.DirFS(home)))
	must(t, j.Verify(t.Context(), nil))
	mustAppend(t, j, cardEntry(7))
	wantFound(t, j, "")
}
