package authority

import "context"

type screenKey struct{}

// stands is a screen by its name, which is for the record alone, and by its place, by which limits go.
type stands struct {
	screen string
	place  Place
}

// AtScreen is a ctx of somebody at a screen: what is done with it is noted with the screen's name, and a turned key
// proves with it only if the place is the table's own.
func AtScreen(ctx context.Context, screen string, place Place) context.Context {
	return context.WithValue(ctx, screenKey{}, stands{screen, place})
}

// screenOf is "" for whoever is at no screen, such as at the panel.
func screenOf(ctx context.Context) string {
	at, _ := ctx.Value(screenKey{}).(stands)
	return at.screen
}

// placeOf is the table's own for whoever is at its panel.
func placeOf(ctx context.Context) Place {
	at, _ := ctx.Value(screenKey{}).(stands)
	return at.place
}

// Voucher is in whose name something may be recorded, and the screen at which the supervisor
// had been proven by a PIN: "" for a key switch, and for a dealer.
type Voucher struct{ By, Screen string }
