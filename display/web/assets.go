package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
)

//go:embed assets/display.css assets/display.js assets/enter.css assets/enter.js assets/recall.css assets/recall.js assets/icon.svg
var assets embed.FS

// kinds are the assets by name, with their media types: nothing else is served.
var kinds = map[string]string{
	"display.css": "text/css; charset=utf-8",
	"display.js":  "text/javascript; charset=utf-8",
	"enter.css":   "text/css; charset=utf-8",
	"enter.js":    "text/javascript; charset=utf-8",
	"recall.css":  "text/css; charset=utf-8",
	"recall.js":   "text/javascript; charset=utf-8",
	"icon.svg":    "image/svg+xml",
}

// build names the page's assets and templates: a page that was loaded from another
// build loads itself again when it meets this one.
var build = func() string {
	sum := sha256.New()
	for _, files := range []embed.FS{assets, templates} {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := files.ReadFile(path)
			sum.Write(b)
			return err
		})
		if err != nil {
			panic("display/web: embedded files cannot be read: " + err.Error())
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}()

// asset serves one embedded file. Their addresses carry the build, so a browser
// may keep them for good.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, ok := kinds[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets, "assets/"+name)
}
