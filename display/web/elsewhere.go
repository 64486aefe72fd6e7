package web

import (
	"log/slog"
	"net/http"
	"strings"
)

// What another site of Sabot's takes from here: the pit's pages and the table's are of one make.

// BaseStyle and KeyStyle are the addresses of the style sheets that every page begins with, and of the keys.
const (
	BaseStyle = "/assets/base.css"
	KeyStyle  = "/assets/keys.css"
)

// Build names the assets and templates of this build.
func Build() string { return build }

// Asset serves the asset that a request's {name} names. Their addresses end with ? and the build: a browser may keep
// them for good.
func Asset(w http.ResponseWriter, r *http.Request) { files.Serve(w, r) }

// Protect sets the headers that every answer has: a page loads from its own server and from nowhere else.
func Protect(w http.ResponseWriter, r *http.Request) { protect(w, r) }

// AllowForms lets a page that Protect has protected send its forms to its own server.
func AllowForms(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'none'", "form-action 'self'", 1))
}

// FromElsewhere says whether another site's page asks. Only a person may come from there, by a link.
func FromElsewhere(r *http.Request) bool { return fromElsewhere(r) }

// ForeignOrigin says whether a request names a page of another origin: of another scheme, host or port, or of none that can
// be named. A request without an origin is a program's, or a page's own.
func ForeignOrigin(r *http.Request) bool {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	origins, named := r.Header["Origin"]
	return named && !(len(origins) == 1 && strings.EqualFold(origins[0], scheme+r.Host))
}

// Loopback says whether a host or an address, with or without its port, is this machine's own.
func Loopback(address string) bool { return loopback(address) }

// RefusalLevel is how grave it is that somebody asked the pit for what their role may not do: a page that they may not see is
// an everyday thing, an attempt to change something is not.
func RefusalLevel(r *http.Request) slog.Level {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

// Changed are the sections of now that a page lacks which had others. Drawn markup is cut into sections by markup.Cut:
// every other piece is one and has an id, and those between hold them together. Where the sections themselves are
// others, all of it is returned.
func Changed(had, now [][]byte) [][]byte { return changed(had, now) }
