package login_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

const back = "https://pit.example/enter/sso/back"

func providers(t *testing.T) (*peopletest.Provider, *login.OpenID) {
	t.Helper()
	server := peopletest.NewProvider()
	t.Cleanup(server.Close)
	p, err := login.NewProvider(login.ProviderOptions{
		Issuer: server.URL, Client: peopletest.ClientID, Secret: peopletest.Secret, Back: back,
		Scopes: []string{"groups"},
		Roles:  []login.GroupRole{{Group: "bosses", Role: people.Manager}, {Group: "pit", Role: people.Supervisor}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return server, p
}

// authorized is with what the provider sends a browser back.
func authorized(t *testing.T, address string) url.Values {
	t.Helper()
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	there, err := r.Location()
	if err != nil || !strings.HasPrefix(there.String(), back+"?") {
		t.Fatalf("the provider answers %s, and leads to %v, %v", r.Status, there, err)
	}
	return there.Query()
}

// vouched goes through the whole entry.
func vouched(t *testing.T, p *login.OpenID) (people.Vouched, error) {
	t.Helper()
	address, pending, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p.Finish(t.Context(), pending, authorized(t, address))
}

func TestVouched(t *testing.T) {
	server, p := providers(t)
	for name, c := range map[string]struct {
		token, info map[string]any
		want        people.Vouched
	}{
		"all in the token": {map[string]any{
			"sub": "1", "preferred_username": "dora",
			"groups": []string{"x", "pit"},
		}, nil, people.Vouched{Name: "dora", Role: people.Supervisor}},
		"several groups": {map[string]any{
			"sub": "1", "preferred_username": "dora",
			"groups": []string{"pit", "bosses"},
		}, nil, people.Vouched{Name: "dora", Role: people.Manager}},
		"one group as it is": {
			map[string]any{"sub": "1", "preferred_username": "dora", "groups": "pit"},
			nil,
			people.Vouched{Name: "dora", Role: people.Supervisor},
		},
		"no group": {
			map[string]any{"sub": "1", "preferred_username": "dora", "groups": []string{}},
			nil,
			people.Vouched{Name: "dora"},
		},
		"groups that are none": {
			map[string]any{"sub": "1", "preferred_username": "dora", "groups": []any{4, nil}},
			nil,
			people.Vouched{Name: "dora"},
		},
		"groups on the page": {
			map[string]any{"sub": "1", "preferred_username": "dora"},
			map[string]any{"sub": "1", "groups": []string{"pit"}, "preferred_username": "other"},
			people.Vouched{Name: "dora", Role: people.Supervisor},
		},
		"everything there": {
			map[string]any{"sub": "1"},
			map[string]any{"sub": "1", "groups": []string{"pit"}, "preferred_username": "dora"},
			people.Vouched{Name: "dora", Role: people.Supervisor},
		},
		"several audiences": {
			map[string]any{
				"sub": "1", "preferred_username": "dora", "groups": "pit",
				"aud": []string{peopletest.ClientID, "other"}, "azp": peopletest.ClientID,
			},
			nil,
			people.Vouched{Name: "dora", Role: people.Supervisor},
		},
		"a name of another sort": {
			map[string]any{"sub": "1", "preferred_username": 7, "groups": "pit"},
			nil,
			people.Vouched{Role: people.Supervisor},
		},
	} {
		server.Set(c.token, c.info, nil)
		c.want.Subject = server.URL + " 1"
		if got, err := vouched(t, p); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}

// TestNotToBeTrusted: a token lets nobody in that the provider did not make, now, for this
// entry, for the pit.
func TestNotToBeTrusted(t *testing.T) {
	server, p := providers(t)
	who := map[string]any{"sub": "4711", "preferred_username": "dora", "groups": []string{"pit"}}
	for name, c := range map[string]struct {
		spoil func(*peopletest.Token)
		want  string
	}{
		"untouched":        {func(*peopletest.Token) {}, ""},
		"a wrong nonce":    {func(t *peopletest.Token) { t.Claims["nonce"] = "other" }, "nonce"},
		"no nonce":         {func(t *peopletest.Token) { delete(t.Claims, "nonce") }, "nonce"},
		"a wrong audience": {func(t *peopletest.Token) { t.Claims["aud"] = "other" }, "audience"},
		"two audiences": {
			func(t *peopletest.Token) { t.Claims["aud"] = []string{peopletest.ClientID, "other"} },
			"another client",
		},
		"another party": {func(t *peopletest.Token) { t.Claims["azp"] = "other" }, "another client"},
		"expired": {
			func(t *peopletest.Token) { t.Claims["exp"] = time.Now().Add(-time.Minute).Unix() },
			"expired",
		},
		"another issuer": {
			func(t *peopletest.Token) { t.Claims["iss"] = "https://evil.example" },
			"different provider",
		},
		"a wrong key": {func(t *peopletest.Token) { t.Key = peopletest.NewKey() }, "signature"},
		"a key that is not its": {
			func(t *peopletest.Token) { t.Key, t.Header["kid"] = peopletest.NewKey(), "x" },
			"signature",
		},
		"unsigned": {
			func(t *peopletest.Token) { t.None, t.Header["alg"] = true, "none" },
			"cannot be trusted",
		},
		"signed by the secret": {
			func(t *peopletest.Token) { t.Header["alg"], t.Shared = "HS256", []byte(peopletest.Secret) },
			"cannot be trusted",
		},
		"nobody": {func(t *peopletest.Token) { t.Claims["sub"] = "" }, "nobody"},
	} {
		server.Set(who, who, c.spoil)
		got, err := vouched(t, p)
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want) || got != (people.Vouched{})) {
			t.Errorf("%s: got %+v, %v; want %q", name, got, err, c.want)
		}
	}
	server.Set(map[string]any{"sub": "4711"},
		map[string]any{"sub": "1", "preferred_username": "boss", "groups": []string{"bosses"}}, nil)
	if got, err := vouched(t, p); err == nil {
		t.Errorf("what is said of another person gives %+v", got)
	}
}

// TestEntriesApart: an answer is good for the browser and the entry that it belongs to, once.
func TestEntriesApart(t *testing.T) {
	_, p := providers(t)
	address, pending, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, others, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer := authorized(t, address)
	verifier := pending
	verifier.Verifier = others.Verifier
	for name, c := range map[string]struct {
		pending login.Pending
		back    url.Values
	}{
		"another browser":       {others, answer},
		"a browser without one": {login.Pending{}, url.Values{"code": answer["code"]}},
		"no code":               {pending, url.Values{"state": answer["state"]}},
		"a refusal":             {pending, url.Values{"state": answer["state"], "error": {"access_denied"}}},
		"another verifier":      {verifier, authorized(t, address)},
	} {
		if got, err := p.Finish(t.Context(), c.pending, c.back); err == nil {
			t.Errorf("%s: lets %+v in", name, got)
		}
	}
	if _, err := p.Finish(t.Context(), pending, answer); err != nil {
		t.Error(err)
	}
	if got, err := p.Finish(t.Context(), pending, answer); err == nil {
		t.Errorf("an answer lets %+v in twice", got)
	}
}

// TestProviderComesLater: the pit does not need the provider to start, and follows it to
// another key.
func TestProviderComesLater(t *testing.T) {
	server, p := providers(t)
	if _, err := vouched(t, p); err != nil {
		t.Error(err)
	}
	server.Rotate()
	if _, err := vouched(t, p); err != nil {
		t.Errorf("after another key: %v", err)
	}
	server.Close()
	away, err := login.NewProvider(login.ProviderOptions{
		Issuer: server.URL, Client: "x", Back: back,
		Roles: []login.GroupRole{{Group: "x", Role: people.Viewer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := away.Begin(t.Context()); err == nil || !strings.Contains(err.Error(), server.URL) {
		t.Errorf("a provider that is away gives %v", err)
	}
}

func TestOptions(t *testing.T) {
	good := login.ProviderOptions{
		Issuer: "https://id.example", Client: "x", Back: back,
		Roles: []login.GroupRole{{Group: "x", Role: people.Viewer}},
	}
	for name, change := range map[string]func(*login.ProviderOptions){
		"clear text":    func(o *login.ProviderOptions) { o.Issuer = "http://id.example" },
		"no address":    func(o *login.ProviderOptions) { o.Back = "/enter" },
		"no client":     func(o *login.ProviderOptions) { o.Client = "" },
		"nobody's role": func(o *login.ProviderOptions) { o.Roles = nil },
	} {
		o := good
		change(&o)
		if _, err := login.NewProvider(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := login.NewProvider(good); err != nil {
		t.Error(err)
	}
}
