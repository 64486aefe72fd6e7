package pit

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
)

// TestRolesAreOne: door and dashboard mean the same by a role.
func TestRolesAreOne(t *testing.T) {
	for _, role := range people.Roles() {
		for _, least := range people.Roles() {
			if got := dashboard.Role(role.String()).May(dashboard.Role(least.String())); got != role.May(least) {
				t.Errorf("a %s may do what a %s may: the dashboard says %v", role, least, got)
			}
		}
	}
	for _, link := range Menu() {
		if _, ok := display.English.Lookup(link.Key); !ok {
			t.Errorf("%s has no text", link.Key)
		}
	}
}
