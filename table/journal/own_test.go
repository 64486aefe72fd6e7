package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOwn: what is the journal's is listed, and nothing else, wherever the path of a journal leads by mistake.
func TestOwn(t *testing.T) {
	for _, c := range []struct{ name, there, want string }{
		{"a journal", "part-000001.jsonl part-000002.jsonl.zst", ". part-000001.jsonl part-000002.jsonl.zst"},
		{
			"with what was set aside", "part-000002.jsonl set-aside-x/part-000001.jsonl foreign-1-part-000001.jsonl",
			". set-aside-x set-aside-x/part-000001.jsonl part-000002.jsonl foreign-1-part-000001.jsonl",
		},
		{"with what somebody put there", "part-000001.jsonl letter.txt photos/cat.jpg", ". part-000001.jsonl"},
		{"set aside has other things only", "part-000001.jsonl set-aside-x/letter.txt", ". part-000001.jsonl"},
		{
			"a folder in the place of a part", "part-000001.jsonl part-000002.jsonl/letter",
			". part-000001.jsonl part-000002.jsonl",
		},
		{"an empty folder", "", "."},
		{"another folder", "letter.txt photos/part-000001.jsonl", ""},
		{"a file system of its own", "lost+found/1", "."},
	} {
		folder := filepath.Join(t.TempDir(), "journal")
		must(t, os.Mkdir(folder, 0o700))
		for _, name := range strings.Fields(c.there) {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
			must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
		}
		link := folder + ".link"
		must(t, os.Symlink(folder, link))
		for _, path := range []string{folder, link} {
			folders, files, err := Own(path)
			must(t, err)
			var got []string
			for _, one := range files {
				folders = append(folders, one.Path)
				if is, err := os.Lstat(one.Path); err != nil || !os.SameFile(is, one.FileInfo) {
					t.Errorf("%s: of %s another file was looked at: %v", c.name, one.Path, err)
				}
			}
			for _, one := range folders {
				name, err := filepath.Rel(folder, one)
				must(t, err)
				got = append(got, name)
			}
			want := strings.Fields(c.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", c.name, got, want)
			}
		}
	}
	text := filepath.Join(t.TempDir(), "text")
	must(t, os.WriteFile(text, nil, 0o600))
	for _, path := range []string{text, text + ".missing"} {
		if folders, files, err := Own(path); folders != nil || files != nil || err != nil {
			t.Errorf("%s: %q, %q, %v", path, folders, files, err)
		}
	}
}
