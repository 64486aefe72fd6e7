package door

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/people"
)

// TestDetail: the log names roles, and why somebody was refused, in the language of who reads it.
func TestDetail(t *testing.T) {
	german, _ := display.Speak("de")
	for _, c := range []struct {
		what         people.What
		detail, want string
	}{
		{people.Entered, "supervisor", "Aufsicht"},
		{people.RoleChanged, "viewer → manager", "Zuschauer → Saalchef"},
		{people.PersonAdded, "technician", "Technik"},
		{people.PersonRestored, "of-another-version", "of-another-version"},
		{people.Refused, "no-role", "Keine Ihrer Gruppen hat eine Rolle am Pit. Fragen Sie Ihre Verwaltung."},
		{people.Refused, "provider: a nonce", "Die Anmeldung dort ist nicht gelungen. Versuchen Sie es wieder oder mit Passwort. a nonce"},
		{people.Paused, "1m30s", "90 s"},
		{people.Acted, "limits min 2000", "limits min 2000"},
	} {
		if got := detail(german, people.Entry{What: c.what, Detail: c.detail}); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.what, c.detail, got, c.want)
		}
	}
}
