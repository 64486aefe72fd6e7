package web

import (
	"cmp"
	"context"
	"net/http"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// stands is the place of whoever asks.
func stands(r *http.Request) authority.Place { return PlaceOf(r.Context()) }

// PlaceOf is the place of whoever asks: the screen's name, or the table's own screens for one that the configuration
// calls so. Where no screen has to enter, all are the table's own.
func PlaceOf(ctx context.Context) authority.Place {
	who := askerOf(ctx)
	if who.own {
		return authority.Own
	}
	return authority.Place(who.screen)
}

// ScreenOf is the name of the screen whose request this is: of the table's own screen where
// screens have no names.
func ScreenOf(ctx context.Context) string {
	return cmp.Or(askerOf(ctx).screen, vocab.OwnScreen)
}
