package site

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy lets the page load from its own server and from nowhere else, and run no
// script or style that stands in the markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// features are what a page may ask a browser for, and the table's never does.
const features = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()"

// Protect sets the headers that every answer has: a page loads from its own server and from nowhere else.
func Protect(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", features)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// FromElsewhere says whether another site's page asks. Only a person may come from
// there, by a link.
func FromElsewhere(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	link := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return r.Method != http.MethodGet || !link
}

// AllowForms lets a page that Protect has protected send its forms to its own server.
func AllowForms(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'none'", "form-action 'self'", 1))
}

// ForeignOrigin says whether a request names a page of another origin: of another scheme, host or port, or of none that
// can be named. A request without an origin is a program's, a page's own, or a link that a person follows; what is no
// browser has no one's cookies to misuse.
func ForeignOrigin(r *http.Request) bool { return NotOf(r, r.TLS != nil) }

// NotOf is ForeignOrigin for a site that is reached securely, or is not, by what its proxies say.
func NotOf(r *http.Request, secure bool) bool {
	origin := "http://" + r.Host
	if secure {
		origin = "https://" + r.Host
	}
	origins, named := r.Header["Origin"]
	return named && !(len(origins) == 1 && strings.EqualFold(origins[0], origin))
}

// Loopback says whether a host or an address, with or without its port, is this machine's own.
func Loopback(host string) bool {
	name := NameOf(host)
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// NameOf is the name or address in a Host header, or of who asks, without port and brackets.
func NameOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// RefusalLevel is how grave it is that somebody asked the pit for what their role may not do: a page that they may not
// see is an everyday thing, an attempt to change something is not.
func RefusalLevel(r *http.Request) slog.Level {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

// Accepts says whether whoever asks takes an answer of a kind.
func Accepts(r *http.Request, kind string) bool {
	return strings.Contains(r.Header.Get("Accept"), kind)
}
