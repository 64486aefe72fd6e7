package web

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// elsewhere is how a page, a style or a script names what is not its own.
var elsewhere = regexp.MustCompile(
	`(?i)\b(?:https?|wss?|ftp|data|blob|javascript):[^ ]|["'(=\s]//[a-z0-9]|@import|\burl\(`)

// TestNothingFromElsewhere: no page asks for anything outside its own origin, and none
// has script or style in its markup. The policy forbids it; a page must not try.
func TestNothingFromElsewhere(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script(?:>|\s+[^>]*>\s*[^<\s])|<script [^s]`)
	for _, files := range []embed.FS{assets, templates} {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := files.ReadFile(path)
			text := strings.ReplaceAll(string(b), `xmlns="http://www.w3.org/2000/svg"`, "")
			if found := elsewhere.FindString(text); found != "" {
				t.Errorf("%s names what is elsewhere: %q", path, found)
			}
			if found := inline.FindString(text); found != "" && strings.HasSuffix(path, ".html") {
				t.Errorf("%s has script or style in its markup: %q", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{
		`<img src="//cdn.example/x.png">`, `fetch('https://evil.example')`, `@import "x.css";`,
		`background: url(x.png)`, `src=//cdn.example`,
	} {
		if !elsewhere.MatchString(bad) {
			t.Errorf("%s is not found", bad)
		}
	}
	for _, bad := range []string{
		`<p style="color: red">`, `<b onclick="x()">`, `<style>p{}</style>`,
		`<script>x()</script>`, `<script defer>`,
	} {
		if !inline.MatchString(bad) {
			t.Errorf("%s is not found", bad)
		}
	}
}
