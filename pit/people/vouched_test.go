package people_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/pit/people"
)

func TestVouched(t *testing.T) {
	f := open(t)
	vouched := people.Vouched{Subject: "https://id.example 4711", Name: "dora", Role: people.Supervisor}
	enter := func(v people.Vouched, want people.Why) people.Admitted {
		t.Helper()
		in, err := f.EnterVouched(t.Context(), v, people.Attempt{From: here})
		var r *people.Refusal
		if err != nil && (!errors.As(err, &r) || r.Why != want) || err == nil && want != "" {
			t.Fatalf("%+v gets %v, want %q", v, err, want)
		}
		return in
	}
	in := enter(vouched, "")
	if who, ok := f.in(in.Token); !ok || who.Person.Name != "dora" || who.Person.Role != people.Supervisor {
		t.Errorf("dora's session is %+v, %v", who, ok)
	}
	f.refused(people.Attempt{Name: "dora", From: here}, people.WhyWrong)
	if _, err := f.Reset(t.Context(), console, "dora", annas); err != people.ErrProvider {
		t.Errorf("a password for dora gives %v", err)
	}
	if err := f.SetRole(t.Context(), console, "dora", people.Manager); err != people.ErrProvider {
		t.Errorf("a role for dora gives %v", err)
	}
	enter(people.Vouched{Subject: "https://id.example 4712", Name: "dora", Role: people.Manager}, people.WhyNameTaken)
	enter(people.Vouched{Subject: "https://id.example 4712", Name: "anna", Role: people.Manager}, people.WhyNameTaken)
	enter(people.Vouched{Subject: "https://id.example 4712", Name: " ", Role: people.Manager}, people.WhyBadName)
	enter(people.Vouched{Subject: "https://id.example 4712", Name: "emil"}, people.WhyNoRole)

	vouched.Name, vouched.Role = "dora married", people.Technician
	again := enter(vouched, "")
	f.out("with another role", in.Token)
	if who, ok := f.in(again.Token); !ok || who.Person.Name != "dora" || who.Person.Role != people.Technician {
		t.Errorf("dora's session is %+v, %v", who, ok)
	}
	vouched.Role = 0
	enter(vouched, people.WhyNoRole)
	f.out("without a group", again.Token)
	f.did(f.Remove(t.Context(), console, "dora"))
	vouched.Role = people.Manager
	enter(vouched, people.WhyRemoved)
	if start, err := f.Restore(t.Context(), console, "dora", people.Manager); err != nil || start != "" {
		t.Errorf("dora is restored with %q, %v", start, err)
	}
	enter(vouched, "")
	all, _, err := f.All(t.Context())
	if err != nil || len(all) != 2 {
		t.Errorf("there are %+v, %v", all, err)
	}
}

// TestAttackLookAlikes: neither a manager nor a provider, whose claim names people, makes anybody whose name is taken
// for that of somebody who is there, or was.
func TestAttackLookAlikes(t *testing.T) {
	f := open(t)
	if _, err := f.Add(t.Context(), console, "Zoë", people.Viewer, ""); err != nil {
		t.Fatal(err)
	}
	f.did(f.Remove(t.Context(), console, "Zoë"))
	tries, through := 0, 0
	for i, name := range []string{"Anna", "аnna", "ａｎｎａ", "ANNA", "Zoe\u0308", "zoë", "ZOË"} {
		tries += 2
		if _, err := f.Add(t.Context(), console, name, people.Viewer, ""); !errors.Is(err, people.ErrAlike) {
			through++
			t.Errorf("%+q is added: %v", name, err)
		}
		_, err := f.EnterVouched(t.Context(), people.Vouched{
			Subject: fmt.Sprint("https://id.example ", i), Name: name,
			Role: people.Manager,
		}, people.Attempt{From: "10.6.6.6"})
		var refused *people.Refusal
		if !errors.As(err, &refused) || refused.Why != people.WhyNameTaken {
			through++
			t.Errorf("%+q enters by the provider: %v", name, err)
		}
	}
	attack.Report(t, "people of the pit whose names look the same", tries, through)
}

// TestVouchedAtSites: who has the group of a site is limited to it from the first time on; with another limit, and
// without one, other sessions end and it is on record.
func TestVouchedAtSites(t *testing.T) {
	f := open(t)
	vouched := people.Vouched{Subject: "https://id.example 4711", Name: "dora", Role: people.Manager}
	var before people.Admitted
	for _, sites := range []people.Sites{"kursaal", "kursaal wiesbaden", "", "kursaal"} {
		vouched.Sites = sites
		in, err := f.EnterVouched(t.Context(), vouched, people.Attempt{From: here})
		if err != nil {
			t.Fatal(err)
		}
		who, ok := f.in(in.Token)
		if !ok || who.Person.Sites != sites || who.Person.Decides() != (sites == "") {
			t.Errorf("dora's session is %+v, %v", who, ok)
		}
		if before.Token != "" {
			f.out("with other sites", before.Token)
		}
		before = in
	}
	if err := f.SetSites(t.Context(), console, "dora", ""); err != people.ErrProvider {
		t.Errorf("sites for dora give %v", err)
	}
	entries, err := f.Log(t.Context(), people.Query{Who: "dora", Most: 20})
	var details []string
	for _, e := range entries {
		if e.What == people.SitesChanged {
			details = append(details, e.Detail)
		}
	}
	want := []string{"all → kursaal", "kursaal wiesbaden → all", "kursaal → kursaal wiesbaden"}
	if err != nil || !slices.Equal(details, want) {
		t.Errorf("the log has %q, %v", details, err)
	}
}

// TestParseSites: names of sites that there are, in whatever order, and nothing else.
func TestParseSites(t *testing.T) {
	known := []string{"kursaal", "wiesbaden"}
	for text, want := range map[string]people.Sites{
		"": "", " ": "", "kursaal": "kursaal", "wiesbaden, kursaal,kursaal": "kursaal wiesbaden",
	} {
		if got, err := people.ParseSites(text, known); err != nil || got != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"baden", "kursaal baden", "Kursaal", "kur/saal"} {
		if got, err := people.ParseSites(text, known); err != people.ErrSites {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}
