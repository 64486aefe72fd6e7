package site

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
)

// kinds are the media types of the files that pages ask for: nothing else is served.
var kinds = map[string]string{
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
}

// Files are those that pages ask for, in a folder assets.
type Files struct {
	assets fs.FS
	build  string
	others http.HandlerFunc
}

// NewFiles makes files of those embedded in assets, and names their build: a page that was loaded from another build
// loads itself again when it meets this one. The build names what else a page is made of, too, such as its templates.
func NewFiles(assets fs.FS, more ...fs.FS) *Files {
	sum, buffer := sha256.New(), make([]byte, 8<<10)
	for _, files := range append([]fs.FS{assets}, more...) {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := files.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.CopyBuffer(sum, f, buffer) // read as a whole, each would be copied
			return err
		})
		if err != nil {
			panic("site: embedded files cannot be read: " + err.Error())
		}
	}
	return &Files{assets, hex.EncodeToString(sum.Sum(nil))[:12], http.NotFound}
}

// Beside has another site's files asked for where these have none of a name, and names its build with this one.
func (f *Files) Beside(build string, serve http.HandlerFunc) *Files {
	sum := sha256.Sum256([]byte(build + f.build))
	return &Files{f.assets, hex.EncodeToString(sum[:])[:12], serve}
}

// Build names the files and what else pages are made of.
func (f *Files) Build() string { return f.build }

// Serve answers with the file that a request's {name} names. Its address ends with ? and the build, so a browser may
// keep it for good.
func (f *Files) Serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, known := kinds[path.Ext(name)]
	if _, err := fs.Stat(f.assets, "assets/"+name); err != nil || !known {
		f.others(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, f.assets, "assets/"+name)
}
