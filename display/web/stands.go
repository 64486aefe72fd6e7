package web

import (
	"net"
	"net/http"
	"net/netip"

	"github.com/sabot-table/sabot/internal/bounds"
	"github.com/sabot-table/sabot/table/authority"
)

// stands is the place of whoever asks: the screen's name, or the table's own screens for one on the table's own computer.
func stands(r *http.Request) authority.Place {
	if fromHere(r) {
		return authority.Own
	}
	return authority.Place(askerOf(r.Context()).screen)
}

// fromHere reports whether a request comes from the table's own computer.
func fromHere(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	to, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return err == nil && bounds.OwnEnds(net.TCPAddrFromAddrPort(from), to)
}
