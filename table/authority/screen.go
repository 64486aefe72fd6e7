package authority

import "context"

type screenKey struct{}

// AtScreen is a ctx of somebody at a screen: what is done with it is noted with the screen's
// name, which is for the record alone. Limits go by the [Place].
func AtScreen(ctx context.Context, screen string) context.Context {
	return context.WithValue(ctx, screenKey{}, screen)
}

// screenOf is "" for whoever is at no screen, such as at the panel.
func screenOf(ctx context.Context) string {
	screen, _ := ctx.Value(screenKey{}).(string)
	return screen
}

// Voucher is in whose name something may be recorded, and the screen at which the supervisor
// had been proven by a PIN: "" for a key switch, and for a dealer.
type Voucher struct{ By, Screen string }
