package web

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"

	"github.com/sabot-table/sabot/internal/bounds"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// stands is the place of whoever asks: the screen's name, or the table's own screens for one on the table's own computer.
func stands(r *http.Request) authority.Place {
	if fromHere(r) {
		return authority.Own
	}
	return authority.Place(askerOf(r.Context()).screen)
}

// ScreenOf is the name of the screen whose request this is: of the table's own screen where
// screens have no names.
func ScreenOf(ctx context.Context) string {
	return cmp.Or(askerOf(ctx).screen, vocab.OwnScreen)
}

// fromHere reports whether a request comes from the table's own computer.
func fromHere(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	to, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return err == nil && bounds.OwnEnds(net.TCPAddrFromAddrPort(from), to)
}
