package authority

import "context"

// Known are the supervisors of whom the record knows, as they were last kept by Knows; nil if they never were.
func (a *Authority) Known() map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state.Known
}

// Knows keeps of whom the record knows: each name with what tells one PIN from another.
func (a *Authority) Knows(ctx context.Context, all map[string]string) error {
	return a.durably(ctx, func(s *State) { s.Known = all })
}
