package login

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/system"
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
		{
			people.Refused, "provider: a nonce",
			"Die Anmeldung dort ist nicht gelungen. Versuchen Sie es wieder oder mit Passwort.",
		},
		{people.Refused, "429 Too Many Requests, 12 times more", "abgelehnt: zu oft gefragt; noch 12-mal"},
		{people.Paused, "1m30s", "90 s"},
		{people.Acted, "limits min 2000", "limits min 2000"},
	} {
		if got := detail(german, people.Entry{What: c.what, Detail: c.detail}); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.what, c.detail, got, c.want)
		}
	}
}

// TestActed: what people have done on the site's pages is told in sentences: no path, no identifier, no number of a
// command, no name of a status.
func TestActed(t *testing.T) {
	german, _ := display.Speak("de")
	door := &Door{o: Options{Zone: time.UTC}}
	for _, c := range []struct{ about, detail, what, of, how string }{
		{"/alerts/a17/seen", "kursaal/bj-3 unread-card", "Meldung: gesehen", "bj-3: Karte nicht gelesen", ""},
		{
			"/alerts/a17/seen", "kursaal/bj-3 unread-card by Frau Sommer", "Meldung: gesehen",
			"bj-3: Karte nicht gelesen",
			"durch Frau Sommer",
		},
		{"/alerts/a2/coming", "- broker-lost", "Meldung: unterwegs", "Broker weg", ""},
		{
			"/alerts/a2/coming", "409 Conflict", "Meldung: unterwegs", "",
			"nicht ausgeführt: jemand war schneller, oder es war schon anders",
		},
		{"/alerts/a2/coming", "by Anna", "Meldung: unterwegs", "", "durch Anna"},
		{"kursaal/bj-3", "limits min 2000 box_max 40000", "Tisch: Ansage", "bj-3: Limits ändern", "20,00 – 400,00"},
		{
			"kursaal/bj-3", "limits min 2000 box_max 40000 CHF by Ben", "Tisch: Ansage", "bj-3: Limits ändern",
			"20,00 – 400,00 CHF durch Ben",
		},
		{
			"kursaal/bj-3", "limits min 2000 box_max 40000 JPY", "Tisch: Ansage", "bj-3: Limits ändern",
			"2.000 – 40.000 JPY",
		},
		{
			"kursaal/bj-3", "limits min 2000 box_max 40000 KWD", "Tisch: Ansage", "bj-3: Limits ändern",
			"2,000 – 40,000 KWD",
		},
		{
			"kursaal/bj-3", `message "Bitte \"kurz\" warten by Ben" by Ben`, "Tisch: Ansage",
			"bj-3: Nachricht an den Dealer", `Bitte "kurz" warten by Ben durch Ben`,
		},
		{"kursaal/bj-3", "acknowledge lost-cards", "Tisch: Ansage", "bj-3: Gesehen", "Karten fehlen"},
		{"kursaal/bj-3", "resend from 7 to 9", "Tisch: Ansage", "bj-3: Ereignisse nochmals senden", "7 – 9"},
		{
			"/table/kursaal/bj-3/command/limits", "command 00ff: done, record 17", "Tisch: Antwort",
			"bj-3: Limits ändern",
			"ausgeführt",
		},
		{
			"/table/kursaal/bj-3/command/open", "command 00ff: no answer", "Tisch: Antwort", "bj-3: Tisch öffnen",
			"keine Antwort: beim Tisch nachsehen",
		},
		{
			"/table/kursaal/bj-3/command/open", "not sent: dial tcp: refused", "Tisch: Antwort", "bj-3: Tisch öffnen",
			"nicht gesendet: am Tisch hat sich nichts geändert",
		},
		{
			"/table/kursaal/bj-3/command/coming", "command 1: refused, expired", "Tisch: Antwort", "bj-3: Ich komme",
			"abgelehnt: sie kam zu spät: nochmals senden",
		},
		{
			"/table/kursaal/bj-3/command/close", "command 1: refused, round-running", "Tisch: Antwort",
			"bj-3: Tisch schließen", "abgelehnt: ein Coup läuft",
		},
		{"/figures/report/sign", "2026-03-28 Spät", "Schichtbericht: Unterschrift", "2026-03-28 Spät", ""},
		{"/room", "", "Saal: Tische anordnen", "", ""},
		{"/room", "503 Service Unavailable", "Saal: Tische anordnen", "", "nicht ausgeführt: die Datenbank war weg"},
		{"/push/end", "", "dieser Browser: Rufe aus", "", ""},
		{
			"accept kursaal/bj-3",
			"journal 00ff: what was kept of it from record 7 on is journal 00ff~1, accepted by anna: Platte ersetzt",
			"Journal eines Tischs: angenommen", "bj-3", "Platte ersetzt",
		},
		{
			"", "403 Forbidden, 3 times more", "wieder abgewiesen", "",
			"abgelehnt: diese Rolle darf das nicht; noch 3-mal",
		},
		{"", "refused in other ways, 3 times more", "wieder abgewiesen", "", "abgelehnt; noch 3-mal"},
		{"/of/another/version", "some detail", "hat gehandelt", "/of/another/version", "some detail"},
	} {
		got := door.entry(german, people.Entry{What: people.Acted, About: c.about, Detail: c.detail})
		if got.What != c.what || got.About != c.of || got.Detail != c.how {
			t.Errorf("%q, %q:\n%q, %q, %q, want\n%q, %q, %q", c.about, c.detail, got.What, got.About, got.Detail,
				c.what, c.of, c.how)
		}
	}
}

// TestZone: the log tells the time of the house's clock, which is not the machine's.
func TestZone(t *testing.T) {
	zone := system.Zone(t, "Pacific/Kiritimati")
	door := &Door{o: Options{Zone: zone}}
	at := time.Date(2026, 3, 28, 20, 30, 5, 0, time.UTC)
	if got := door.entry(display.English, people.Entry{At: at}).When; got != "29 Mar 2026 10:30:05" {
		t.Errorf("an entry is of %q", got)
	}
	if got := door.when(display.English, at); got != "29 Mar 2026 10:30" {
		t.Errorf("somebody was removed at %q", got)
	}
}
