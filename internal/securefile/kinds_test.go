//go:build unix

package securefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// TestEveryKindIsDescribed: each row says what such a file is, and who may read it.
func TestEveryKindIsDescribed(t *testing.T) {
	if len(kinds) != int(Database)+1 {
		t.Errorf("%d kinds", len(kinds))
	}
	for k := range kinds {
		if row := kinds[k]; Kind(k).String() == "" || row.lost != "" && row.reads == anybody || row.mends && !row.made {
			t.Errorf("row %d: %+v", k, row)
		}
	}
}

// open is a folder that other users can enter.
func open(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "modes-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chmod(dir, 0o755))
	return dir
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestJudge is what each kind of access lets through.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		mode fs.FileMode
		want string // of the fault, "" for none
	}{
		{JournalKey, 0o600, ""},
		{JournalKey, 0o400, ""},
		{JournalKey, 0o640, "other users can read"},
		{JournalKey, 0o604, "chmod 600 "},
		{JournalKey, 0o620, "other users can change"},
		{JournalKey, 0o666, "other users can read and change"},
		{Password, 0o640, ""},
		{Password, 0o644, "(mode 0644), and it is a password; chmod 640 "},
		{Password, 0o660, "chmod 640 "},
		{Password, 0o601, "chmod 600 "},
		{Configuration, 0o644, ""},
		{Configuration, 0o755, ""},
		{Configuration, 0o646, "chmod 644 "},
		{Guarded, 0o640, ""},
		{Guarded, 0o644, "and change what is secret in it"},
		{HouseFile, 0o444, ""},
		{HouseFile, 0o666, "other users can change"},
		{Kept, 0o640, "other users can read"},
	} {
		path := filepath.Join(open(t), "file")
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chmod(path, c.mode))
		f := Item{c.kind, path}.Judge(Own())
		if (f == nil) != (c.want == "") || f != nil && !strings.Contains(f.Error(), c.want) {
			t.Errorf("%v of mode %#o: %v, want %q", c.kind, c.mode, f, c.want)
		}
	}
}

// TestGroups: a file or a folder may be changed by the program's own group if nothing in it is secret.
func TestGroups(t *testing.T) {
	folder := open(t)
	path := filepath.Join(folder, "file")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Chmod(path, 0o660))
	other := User{Own().ID, Own().Group + 1}
	if f := (Item{HouseFile, path}).Judge(Own()); f != nil {
		t.Errorf("by the own group: %v", f)
	}
	if f := (Item{HouseFile, path}).Judge(other); (f == nil) != (Own().Group == root) {
		t.Errorf("by another group: %v", f)
	}
	if f := (Item{Password, path}).Judge(Own()); f == nil {
		t.Error("a group may change a password")
	}
	must(t, os.Chmod(path, 0o600))
	must(t, os.Chmod(folder, 0o775))
	if f := (Item{Password, path}).Judge(Own()); f != nil {
		t.Errorf("in a folder of the own group: %v", f)
	}
}

// TestManyFiles: each file is looked at once, and the folders around them once for all.
func TestManyFiles(t *testing.T) {
	for _, files := range []int{10, 3000} {
		folder := open(t)
		var items []Item
		for n := range files {
			items = append(items, Item{JournalFile, filepath.Join(folder, fmt.Sprint(n))})
			must(t, os.WriteFile(items[n].Path, nil, 0o640))
		}
		looks, arounds, j := 0, 0, newJudge(Own())
		j.look = func(path string) (fs.FileInfo, error) { looks++; return os.Lstat(path) }
		j.around = func(path string, by User) *Fault { arounds++; return around(path, by) }
		for _, i := range items {
			if f := j.item(i); f != nil {
				t.Fatal(f)
			}
		}
		if looks != files || arounds != 1 {
			t.Errorf("%d files: %d looks, and %d at the folders around", files, looks, arounds)
		}
	}
}

// TestLinksAmongFiles: a link leads elsewhere than the files beside it, and is judged by that; what is wrong with the
// folder is found at each of its files, and no more once that is mended.
func TestLinksAmongFiles(t *testing.T) {
	folder, elsewhere := open(t), open(t)
	for _, path := range []string{filepath.Join(folder, "1"), filepath.Join(elsewhere, "2")} {
		must(t, os.WriteFile(path, nil, 0o640))
	}
	must(t, os.Symlink(filepath.Join(elsewhere, "2"), filepath.Join(folder, "2")))
	must(t, os.Chmod(elsewhere, 0o777))
	j := newJudge(Own())
	if f := j.item(Item{JournalFile, filepath.Join(folder, "1")}); f != nil {
		t.Error(f)
	}
	if f := j.item(Item{JournalFile, filepath.Join(folder, "2")}); f == nil || f.folder != elsewhere {
		t.Errorf("a link to what others can replace: %v", f)
	}
	items := []Item{
		{JournalFile, filepath.Join(elsewhere, "2")},
		{JournalFolder, elsewhere},
		{JournalFile, filepath.Join(elsewhere, "2")},
	}
	if _, err := Mend(items[1:], Own()); err != nil {
		t.Errorf("a folder before what is in it: %v", err)
	}
	must(t, os.Chmod(elsewhere, 0o777))
	if _, err := Mend(items, Own()); err == nil {
		t.Error("a file in a folder that others can write to is taken")
	}
}

// TestFolders: a file is refused where other users can replace it, at whatever height, and nowhere else.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		top, middle, bottom fs.FileMode
		want                string
	}{
		{0o755, 0o755, 0o755, ""},
		{0o755, 0o755, 0o757, "bottom"},
		{0o755, 0o777, 0o755, "middle"},
		{0o757, 0o700, 0o700, "top"},
		{0o755, 0o700, 0o777, ""}, // out of reach
		{0o755, 0o711, 0o777, "bottom"},
		{fs.ModeSticky | 0o777, 0o755, 0o755, ""},
		{fs.ModeSticky | 0o777, 0o777, 0o755, "middle"},
	} {
		top := filepath.Join(open(t), "top")
		bottom := filepath.Join(top, "middle", "bottom")
		must(t, os.MkdirAll(bottom, 0o700))
		path := filepath.Join(bottom, "file")
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chmod(bottom, c.bottom))
		must(t, os.Chmod(filepath.Dir(bottom), c.middle))
		must(t, os.Chmod(top, c.top))
		link := filepath.Join(open(t), "link")
		must(t, os.Symlink(path, link))
		missing := filepath.Join(bottom, "missing")
		for _, i := range []Item{
			{Password, path},
			{Password, link},
			{JournalFolder, missing},
			{Database, missing},
			{PushKey, missing},
		} {
			f := i.Judge(Own())
			if (f == nil) != (c.want == "") || f != nil && !strings.Contains(f.What, "/"+c.want+" (mode ") {
				t.Errorf("%+v: %v: %v", c, i, f)
			}
		}
		if f := (Item{Password, missing}).Judge(Own()); f != nil {
			t.Errorf("one that is not there yet: %v", f)
		}
	}
}

// TestOwners: nobody but root and the user who runs the program may own a file, or a folder above it.
func TestOwners(t *testing.T) {
	path := filepath.Join(open(t), "file")
	must(t, os.WriteFile(path, nil, 0o600))
	other := User{Own().ID + 1000, Own().Group}
	f := Item{Password, path}.Judge(other)
	if Own().ID == root {
		if f != nil {
			t.Errorf("a file of root's: %v", f)
		}
		must(t, os.Chown(path, 65534, 65534))
		if f = (Item{Password, path}).Judge(Own()); f == nil || f.Mends {
			t.Errorf("a file of another's: %v", f)
		}
		must(t, os.Chown(path, 0, 0))
		must(t, os.Chown(filepath.Dir(path), 65534, 65534))
		f = Item{Password, path}.Judge(Own())
	}
	if f == nil || !strings.Contains(f.What, "belongs to the user") {
		t.Errorf("%v", f)
	}
	by, err := RunBy(filepath.Join(filepath.Dir(path), "journal", "not yet"))
	must(t, err)
	if want := 65534; Own().ID == root && by.ID != want || Own().ID != root && by != Own() {
		t.Errorf("whoever keeps its data runs it: %v", by)
	}
}

// TestNoWaiting: what is no file is refused, and nothing waits for the other end of a pipe.
func TestNoWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, dir, "/dev/null"} {
		if f, err := Open(path); err == nil {
			t.Errorf("%s is opened: %v", path, f.Close())
		}
		if _, err := (Item{Password, path}).Read(10); err == nil ||
			!strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s is read: %v", path, err)
		}
		if f := (Item{Password, path}).Judge(Own()); f == nil {
			t.Errorf("%s is good", path)
		}
	}
	if f := (Item{Archive, pipe}).Judge(Own()); f == nil || f.Mends {
		t.Errorf("a pipe as a folder: %v", f)
	}
	if f := (Item{JournalFolder, pipe}).Judge(Own()); f != nil {
		t.Errorf("whoever opens a journal says that there is a pipe: %v", f)
	}
	if _, err := Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestWhole: a file is read as a whole or not at all.
func TestWhole(t *testing.T) {
	path := filepath.Join(open(t), "file")
	must(t, os.WriteFile(path, []byte("0123456789"), 0o600))
	for name, read := range map[string]func(int64) ([]byte, error){
		"a file":  func(most int64) ([]byte, error) { return Read(path, most) },
		"an item": (Item{Password, path}).Read,
	} {
		if text, err := read(10); err != nil || len(text) != 10 {
			t.Errorf("%s of ten bytes: %d, %v", name, len(text), err)
		}
		if _, err := read(9); err == nil || !strings.Contains(err.Error(), "longer than 9 bytes") {
			t.Errorf("%s of more than nine bytes: %v", name, err)
		}
	}
}

// TestMend: for any mode, what is mended has nothing wrong with it any longer, and has lost no right of its owner's;
// one that the program needs it has again.
func TestMend(t *testing.T) {
	dir := open(t)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]Kind{JournalFolder, JournalFile, LockFile, Kept, OwnKey, Database}).Draw(t, "kind")
		mode := fs.FileMode(rapid.IntRange(0, 0o777).Draw(t, "mode"))
		own := kinds[kind].own
		if kind == Database {
			mode |= 0o400
		}
		path := filepath.Join(dir, "it")
		if kinds[kind].folder {
			must2(t, os.Mkdir(path, 0o700))
		} else {
			must2(t, os.WriteFile(path, nil, 0o600))
		}
		defer os.Remove(path)
		must2(t, os.Chmod(path, mode))
		items := []Item{{kind, path}}
		before := items[0].Judge(Own())
		mended, err := Mend(items, Own())
		must2(t, err)
		info, err := os.Stat(path)
		must2(t, err)
		now, lacked := info.Mode().Perm(), mode&own != own
		switch {
		case items[0].Judge(Own()) != nil:
			t.Fatalf("%#o became %#o: %v", mode, now, items[0].Judge(Own()))
		case now&^(mode|own) != 0 || now&0o700 != mode&0o700|own:
			t.Fatalf("%#o became %#o", mode, now)
		case (before == nil) != (len(mended) == 0), before == nil && now != mode:
			t.Fatalf("%#o became %#o, and %v is told", mode, now, mended)
		case before != nil && (mended[0].Was != mode || mended[0].Now != now || mended[0].Lacked != lacked):
			t.Fatalf("%#o became %#o, but %v is told", mode, now, mended)
		case before != nil && lacked != strings.Contains(mended[0].Found(), "could not be used") || before != nil &&
			kind == OwnKey && mended[0].Found() == "":
			t.Fatalf("%#o of %v: found is %q", mode, kind, mended[0].Found())
		}
	})
}

// TestPutAside: what is no file in the place of one that the program can do without is put aside, whatever it is, and
// stays.
func TestPutAside(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a folder":       func(path string) error { return os.Mkdir(path, 0o700) },
		"a full folder":  func(path string) error { return os.MkdirAll(filepath.Join(path, "letter"), 0o700) },
		"a pipe":         func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"a ring":         func(path string) error { return os.Symlink(path, path) },
		"a link nowhere": func(path string) error { return os.Symlink(path+".missing", path) },
		"a link": func(path string) error {
			return errors.Join(os.WriteFile(path+".other", nil, 0o600), os.Symlink(path+".other", path))
		},
	} {
		for _, kind := range []Kind{Kept, LockFile, OwnKey} {
			path := filepath.Join(open(t), "file")
			must(t, put(path))
			if mends, wrong := ToMend([]Item{{kind, path}}, Own()); len(mends) != 1 || wrong != nil {
				t.Errorf("%s as %v: %v, %v", name, kind, mends, wrong)
			}
			mended, err := Mend([]Item{{kind, path}}, Own())
			must(t, err)
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || len(mended) != 1 ||
				mended[0].Found() == "" {
				t.Fatalf("%s as %v: %v, %v", name, kind, mended, err)
			}
			if _, err := os.Lstat(mended[0].Aside); err != nil {
				t.Errorf("%s as %v is gone: %v", name, kind, err)
			}
		}
	}
}

func must2(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestMendRefuses what is wrong in another way.
func TestMendRefuses(t *testing.T) {
	dir := open(t)
	pipe := filepath.Join(dir, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o666))
	must(t, os.Chmod(pipe, 0o666))
	if mended, err := Mend([]Item{{Database, pipe}}, Own()); err == nil || mended != nil {
		t.Errorf("%v, %v", mended, err)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	_, wrong := ToMend([]Item{{Database, pipe}}, Own())
	if wrong == nil || wrong.Mends {
		t.Errorf("%v", wrong)
	}
}

// TestReplace: a file is replaced whole, a link is replaced and not followed, and what an interrupted start left is in
// nobody's way.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "file"), filepath.Join(dir, "victim")
	must(t, os.WriteFile(victim, []byte("dear"), 0o600))
	for name, prepare := range map[string]func() error{
		"nothing":           func() error { return nil },
		"an open file":      func() error { return os.WriteFile(path, []byte("old"), 0o666) },
		"a link":            func() error { return os.Symlink(victim, path) },
		"a link as draft":   func() error { return os.Symlink(victim, path+".new") },
		"a link to nothing": func() error { return os.Symlink(filepath.Join(dir, "missing"), path+".new") },
		"a draft":           func() error { return os.WriteFile(path+".new", []byte("half"), 0o666) },
		"a folder as draft": func() error { return os.MkdirAll(filepath.Join(path+".new", "letter"), 0o700) },
	} {
		must(t, prepare())
		must(t, Replace(path, []byte(name)))
		info, err := os.Lstat(path)
		must(t, err)
		text, err := os.ReadFile(path)
		must(t, err)
		if string(text) != name || info.Mode() != 0o600 {
			t.Errorf("%s: %q, %v", name, text, info.Mode())
		}
		must(t, os.Remove(path))
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, AsideEnd) })
		if err != nil || len(names) != 1 {
			t.Errorf("%s: there are %v, %v", name, names, err)
		}
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "dear" {
		t.Errorf("%q, %v", text, err)
	}
	must(t, New(path, []byte("mine")))
	if err := New(path, []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

// TestAsNobody runs the tests of this package as a user without rights, if it is root who tests.
func TestAsNobody(t *testing.T) {
	if os.Geteuid() != root {
		return // all tests of this package run as such a user anyway
	}
	dir := open(t)
	program, err := os.ReadFile(os.Args[0])
	must(t, err)
	binary := filepath.Join(dir, "modes.test")
	must(t, os.WriteFile(binary, program, 0o755))
	must(t, os.Chmod(binary, 0o755))
	own := filepath.Join(dir, "own")
	must(t, os.Mkdir(own, 0o755))
	must(t, os.Chown(own, 65534, 65534))
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Dir, cmd.Env = own, append(os.Environ(), "TMPDIR="+own, "HOME="+own)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}

// ExampleFault shows how a fault reads.
func ExampleFault() {
	fmt.Println(&Fault{
		What: "other users can read /etc/sabot/password (mode 0644), and it is a password",
		Hint: "chmod 640 /etc/sabot/password",
	})
	// Output: other users can read /etc/sabot/password (mode 0644), and it is a password; chmod 640 /etc/sabot/password
}

// TestNarrow: permissions that an item must not give are taken away, none is added, and what is not the user's own
// alone stays.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		kind      Kind
		mode, now fs.FileMode
	}{
		{JournalKey, 0o666, 0o600},
		{JournalKey, 0o600, 0o600},
		{ShoeKey, 0o644, 0o640},
		{ShoeKey, 0o404, 0o400},
		{Guarded, 0o666, 0o640},
		{HouseFile, 0o606, 0o604},
		{Certificate, 0o777, 0o775}, // of the own group
	} {
		path := filepath.Join(open(t), "file")
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chmod(path, c.mode))
		mended := Narrow([]Item{{c.kind, path}}, Own())
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != c.now || len(mended) == 1 != (c.mode != c.now) {
			t.Errorf("%v of %#o has become %#o: %+v", c.kind, c.mode, info.Mode().Perm(), mended)
		}
	}
	folder := open(t)
	must(t, os.Chmod(folder, 0o777|fs.ModeSetgid))
	other := User{Own().ID, Own().Group + 1}
	if other.ID == root {
		if mended := Narrow([]Item{{Folder, folder}}, other); mended != nil {
			t.Errorf("root's folder: %+v", mended)
		}
		other.ID = 65534
		must(t, os.Chown(folder, other.ID, other.Group))
		must(t, os.Chmod(folder, 0o777|fs.ModeSetgid))
	}
	Narrow([]Item{{Folder, folder}}, other)
	if info, err := os.Stat(folder); err != nil || info.Mode() != fs.ModeDir|fs.ModeSetgid|0o775 &&
		info.Mode() != fs.ModeDir|fs.ModeSetgid|0o755 {
		t.Errorf("a folder has become %v, %v", info.Mode(), err)
	}
	must(t, os.Chmod(folder, 0o777|fs.ModeSticky))
	if mended := Narrow([]Item{{Folder, folder}, {Password, folder}, {HouseFile, filepath.Join(folder, "none")}},
		other); mended != nil {
		t.Errorf("what is not to be touched: %+v", mended)
	}
	pipe := filepath.Join(folder, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o666))
	if mended := Narrow([]Item{{Password, pipe}}, Own()); mended != nil {
		t.Errorf("a pipe: %+v", mended)
	}
}
