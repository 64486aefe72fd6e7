package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/sabot-table/sabot/internal/routes"
)

// policy lets the page load from its own server and from nowhere else, and run no
// script or style that stands in the markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// features are what a page may ask a browser for, and the table's never does.
const features = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()"

// guard refuses what the display is not for, and sets the headers of every answer.
// Without an Access the page has no password: it is served on loopback, so the one way
// in from outside is a browser here that is led to us by a foreign name, or by a
// foreign page. The Host header gives the first away, Sec-Fetch-Site the second.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w, r)
		switch {
		case s.options.Access == nil && !loopback(r.Host):
			http.Error(w, "This display answers only to localhost: open it as http://localhost and its port.", http.StatusMisdirectedRequest)
		case s.options.Access != nil && !s.options.Access.o.Host(nameOf(r.Host)):
			http.Error(w, "This display answers only to the names in its certificate: open it by one of them.", http.StatusMisdirectedRequest)
		case fromElsewhere(r):
			http.Error(w, "This display answers only to its own pages.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// protect sets the headers of every answer.
func protect(w http.ResponseWriter, r *http.Request) {
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

// fromElsewhere says whether another site's page asks. Only a person may come from
// there, by a link.
func fromElsewhere(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	link := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return r.Method != http.MethodGet || !link
}

// known refuses what no row is for: it can only be looked at, if it is there at all.
func known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch row, there := routes.Of(r); {
		case there && (row.Method == r.Method || r.Method == http.MethodGet): // or is led to the same address, written rightly
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet:
			http.NotFound(w, r)
		default:
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "This display can only be looked at: use GET.", http.StatusMethodNotAllowed)
		}
	})
}

// loopback says whether a Host header names this machine's loopback.
func loopback(host string) bool {
	name := nameOf(host)
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// nameOf is the name or address in a Host header, without port and brackets.
func nameOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
