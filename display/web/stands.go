package web

import (
	"net"
	"net/http"

	"github.com/sabot-table/sabot/table/authority"
)

// stands is the place of whoever asks: the screen's name, or the table's own screens for one on the table's own computer.
func stands(r *http.Request) authority.Place {
	name, entered := r.Context().Value(screenKey{}).(string)
	if !entered || fromHere(r) {
		return authority.Own
	}
	return authority.Place(name)
}

type screenKey struct{}

// fromHere reports whether a request comes from the machine itself: then both ends of its connection have one address,
// whichever of the machine's addresses was asked for.
func fromHere(r *http.Request) bool {
	to, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if to == nil {
		return false
	}
	here, _, err := net.SplitHostPort(to.String())
	return err == nil && remote(r) == here
}
