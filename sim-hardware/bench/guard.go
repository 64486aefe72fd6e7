package bench

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// policy is that of the dealer's page: nothing from elsewhere, and no script or style in the markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard admits only this machine, whatever address the daemon listens on: it refuses requests from elsewhere, and from
// a browser here that reached us by a foreign name.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !loopback(r.Host) || !loopback(r.RemoteAddr) {
			http.Error(w, sayOnlyHere, http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal says why a request is not allowed. A page of another origin cannot send JSON without asking first, and its
// origin reveals it.
func refusal(r *http.Request) (problem string, status int) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return sayJSON, http.StatusUnsupportedMediaType
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return sayForeign, http.StatusForbidden
		}
	}
	return "", 0
}

// loopback says whether an address, with or without its port, is this machine's own.
func loopback(address string) bool {
	name := address
	if host, _, err := net.SplitHostPort(address); err == nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
