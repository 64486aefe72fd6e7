package login_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

// TestAttackProvider: a provider cannot lead the pit, or the pit's secret, to where others read along, to another
// address by a redirection, or into an answer without end.
func TestAttackProvider(t *testing.T) {
	asked := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer inside.Close()
	var serve http.HandlerFunc
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r) }))
	defer server.Close()
	says := func(change map[string]any) http.HandlerFunc {
		said := map[string]any{
			"issuer": server.URL, "authorization_endpoint": server.URL + "/a", "token_endpoint": server.URL + "/t",
			"jwks_uri":                              server.URL + "/k",
			"id_token_signing_alg_values_supported": []string{"ES256"},
		}
		for key, value := range change {
			said[key] = value
		}
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if err := json.NewEncoder(w).Encode(said); err != nil {
				t.Error(err)
			}
		}
	}
	begin := func() error {
		p, err := login.NewProvider(login.ProviderOptions{
			Issuer: server.URL, Client: "x", Secret: "y", Back: back,
			Roles: []login.GroupRole{{Group: "x", Role: people.Viewer}},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = p.Begin(t.Context())
		return err
	}
	serve = says(nil)
	if err := begin(); err != nil {
		t.Fatalf("an honest provider is refused: %v", err)
	}
	attacks := map[string]http.HandlerFunc{
		"a redirection": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inside.URL, http.StatusFound)
		},
		"another issuer": says(map[string]any{"issuer": inside.URL}),
		"no end": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"issuer":"`)
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
					return
				}
			}
		},
		"depth": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("[", 900_000)) },
	}
	for _, key := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		for _, address := range []string{
			"http://id.example/x", "ftp://id.example/x", "//id.example/x", "/x",
			"file:///etc/passwd", "https://user:pass@id.example/x", "gopher://127.0.0.1/", "https://",
		} {
			attacks[key+" at "+address] = says(map[string]any{key: address})
		}
	}
	tries, through := 0, 0
	for what, answer := range attacks {
		serve = answer
		tries++
		if err := begin(); err == nil {
			through++
			t.Errorf("a provider with %s is taken", what)
		}
	}
	attack.Report(t, "pit: a hostile provider of identities", tries, through+asked)
}
