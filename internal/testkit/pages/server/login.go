package main

import (
	"context"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
	"github.com/sabot-table/sabot/table/authority"
)

const password = "correct horse battery staple"

var console = people.Actor{From: "console test"}

// sampleLogin is a pit's door over TLS, with a site behind it that says who asks. "add NAME ROLE" is answered with a
// starting password, "role NAME ROLE", "remove NAME" and "let-in NAME" with "done", "note NAME PATH DETAIL" puts on
// record what somebody has done on the site's pages, and "vouch NAME GROUP" says who is logged in at the provider of
// identities. Each person begins with the password "correct horse battery staple".
func sampleLogin(*flag.FlagSet) func(string) (Sample, error) { return loginAt }

func loginAt(address string) (Sample, error) {
	all, err := people.New(people.Options{
		Store: peopletest.NewMemory(),
		// A pause is longer than any test: none finds it over.
		Pace: authority.Limits{Tries: 5, LockOut: 15 * time.Minute, LockOutMost: 15 * time.Minute},
	})
	if err != nil {
		return Sample{}, err
	}
	ctx, stop := context.WithCancel(context.Background())
	go all.Run(ctx)
	identities := peopletest.NewProvider()
	end := func() {
		stop()
		identities.Close()
	}
	way, err := door(ctx, all, identities, address)
	if err != nil {
		end()
		return Sample{}, err
	}
	return Sample{Handler: way.Around(floor(way)), TLS: true, End: end, Obey: func(line string, out io.Writer) {
		answer, err := do(ctx, all, identities, strings.Fields(line))
		if err != nil {
			answer = "wrong: " + err.Error()
		}
		fmt.Fprintln(out, answer)
	}}, nil
}

// door is the door of a pit with a person of each role.
func door(ctx context.Context, all *people.People, identities *peopletest.Provider,
	address string,
) (*login.Door, error) {
	for _, role := range people.Roles() {
		if _, err := all.Add(ctx, console, role.String(), role, password); err != nil {
			return nil, err
		}
	}
	provider, err := login.NewProvider(login.ProviderOptions{
		Issuer: identities.URL, Client: peopletest.ClientID, Secret: peopletest.Secret,
		Back:  "https://" + address + "/enter/sso/back",
		Roles: []login.GroupRole{{Group: "bosses", Role: people.Manager}, {Group: "pit", Role: people.Supervisor}},
	})
	if err != nil {
		return nil, err
	}
	return login.New(login.Options{People: all, Provider: provider, ProviderName: "House ID"})
}

// do does what a line says.
func do(ctx context.Context, all *people.People, identities *peopletest.Provider, line []string) (string, error) {
	for len(line) < 3 {
		line = append(line, "")
	}
	name := line[1]
	role, unknown := people.ParseRole(line[2])
	switch line[0] {
	case "add":
		start, err := all.Add(ctx, console, name, role, "")
		return start, err
	case "role":
		if unknown != nil {
			return "", unknown
		}
		return "done", all.SetRole(ctx, console, name, role)
	case "remove":
		return "done", all.Remove(ctx, console, name)
	case "let-in":
		return "done", all.EndPause(ctx, console, name)
	case "note":
		return "done", all.Note(ctx, people.Actor{Name: name, From: "10.0.0.7"}, people.Acted, line[2],
			strings.Join(line[3:], " "))
	case "vouch":
		identities.Say(map[string]any{"sub": name, "preferred_username": name, "groups": []string{line[2]}})
		return "done", nil
	}
	return "", fmt.Errorf("%q is nothing that is done", line[0])
}

// floor says who asks; its stream lasts as long as the session.
func floor(way *login.Door) *site.Site {
	return peopletest.AnySite(func(w http.ResponseWriter, r *http.Request) {
		streams := strings.HasPrefix(r.URL.Path, "/stream")
		who, during, done, known := way.Who(r, streams)
		switch {
		case !known && streams:
			w.WriteHeader(http.StatusUnauthorized)
			return
		case !known:
			http.Redirect(w, r, "/enter?then="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
			return
		}
		defer done()
		if !streams {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w,
				`<!DOCTYPE html><title>Floor</title><link rel="icon" href="/people/assets/icon.svg"><p id="who">%s, %s</p>`, html.EscapeString(who.Name), who.Role)
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		<-during.Done()
	})
}
