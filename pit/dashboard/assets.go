package dashboard

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"

	"github.com/sabot-table/sabot/display/web"
)

//go:embed assets/*.css assets/*.js assets/*.webmanifest
var assets embed.FS

// kinds are the media types of the assets: nothing else is served.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".webmanifest": "application/manifest+json"}

// build names the pages' assets and templates, with those of the table: a page that was loaded from another build loads
// itself again when it meets this one.
var build = func() string {
	sum := sha256.New()
	sum.Write([]byte(web.Build()))
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
			panic("pit/dashboard: embedded files cannot be read: " + err.Error())
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}()

// asset serves one embedded file. Their addresses carry the build, so a browser may keep them for good.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, ok := kinds[path.Ext(name)]
	if _, err := fs.Stat(assets, "assets/"+name); err != nil || !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets, "assets/"+name)
}
