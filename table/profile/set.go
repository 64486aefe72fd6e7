package profile

import (
	"fmt"

	"github.com/sabot-table/sabot/table/rules"
)

// Set returns the rules of a table: the house's profile with the setup's changes. The
// error for impossible values wraps rules.Complaints.
func (b Book) Set(s rules.Setup) (*rules.Rules, error) {
	house, ok := b[s.House]
	if !ok {
		return nil, b.unknown(s.House)
	}
	if s.Profile != "" && s.Profile != house.Fingerprint {
		return nil,
			fmt.Errorf("the rules of house %q are not those that were played: their fingerprint was %.12s…, and is "+
				"%.12s… today; give the profile that was used then",
				s.House, s.Profile, house.Fingerprint)
	}
	set, wrong := house.With(s)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("the table cannot be set up so: %w", wrong)
	}
	return set, nil
}
