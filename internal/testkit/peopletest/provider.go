package peopletest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"
)

// ClientID and Secret are under what the provider knows the pit.
const (
	ClientID = "sabot-pit"
	Secret   = "a secret"
)

// Provider is a provider at which one person is logged in.
type Provider struct {
	*httptest.Server
	key *ecdsa.PrivateKey

	mu sync.Mutex
	// said are the claims of the next token; info those of the page about the person.
	said, info map[string]any
	spoil      func(*Token)
	codes      map[string]url.Values
}

// Token is what is in a token, to be spoilt.
type Token struct {
	Header, Claims map[string]any
	// Key signs it.
	Key *ecdsa.PrivateKey
	// None leaves it unsigned; Shared, if there is one, is the key of a tag in place of a signature.
	None   bool
	Shared []byte
}

// NewProvider starts a provider; Close ends it.
func NewProvider() *Provider {
	p := &Provider{key: NewKey(), codes: map[string]url.Values{}}
	site := http.NewServeMux()
	site.HandleFunc("GET /.well-known/openid-configuration", p.configuration)
	site.HandleFunc("GET /keys", p.keys)
	site.HandleFunc("GET /authorize", p.authorize)
	site.HandleFunc("POST /token", p.token)
	site.HandleFunc("GET /userinfo", p.userinfo)
	p.Server = httptest.NewServer(site)
	p.Say(map[string]any{"sub": "4711", "preferred_username": "dora", "groups": []string{"pit"}})
	return p
}

// NewKey makes a key.
func NewKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// Say has the next tokens say this.
func (p *Provider) Say(claims map[string]any) { p.Set(claims, claims, nil) }

// Set has the next tokens and the page about the person say this, and spoils the tokens.
func (p *Provider) Set(token, info map[string]any, spoil func(*Token)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said, p.info, p.spoil = token, info, spoil
}

// Rotate gives the provider another key.
func (p *Provider) Rotate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = NewKey()
}

func (p *Provider) configuration(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"ES256", "none", "HS256"},
		"response_types_supported":              []string{"code"}, "subject_types_supported": []string{"public"},
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	raw, err := p.key.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	const size = 32
	x, y := raw[1:1+size], raw[1+size:]
	answer(w, map[string]any{"keys": []map[string]any{{
		"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256",
		"kid": p.kid(), "x": plain(x), "y": plain(y),
	}}})
}

func (p *Provider) kid() string {
	raw, err := p.key.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return plain(sum[:8])
}

// authorize knows the person, and sends the browser back at once.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != ClientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" ||
		q.Get("state") == "" {
		http.Error(w, "a bad request for a code", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	code := rand.Text()
	p.codes[code] = q
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		http.Error(w, "a bad address", http.StatusBadRequest)
		return
	}
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// token gives a token for a code, once, to the client that can show what it asked with.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, known := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	name, secret, _ := r.BasicAuth()
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || name != ClientID || secret != url.QueryEscape(Secret) ||
		plain(challenge[:]) != asked.Get("code_challenge") || r.FormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_grant"}`)
		return
	}
	now := time.Now()
	t := Token{Key: p.key, Header: map[string]any{"alg": "ES256", "kid": p.kid()}, Claims: map[string]any{
		"iss": p.URL, "aud": ClientID, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
		"nonce": asked.Get("nonce"),
	}}
	for name, value := range p.said {
		t.Claims[name] = value
	}
	if p.spoil != nil {
		p.spoil(&t)
	}
	answer(w, map[string]any{
		"access_token": "access", "token_type": "Bearer", "expires_in": 60,
		"id_token": t.signed(),
	})
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer access" {
		http.Error(w, "who asks?", http.StatusUnauthorized)
		return
	}
	answer(w, p.info)
}

func (t Token) signed() string {
	text := plain(encoded(t.Header)) + "." + plain(encoded(t.Claims))
	if t.None {
		return text + "."
	}
	if t.Shared != nil {
		tag := hmac.New(sha256.New, t.Shared)
		tag.Write([]byte(text))
		return text + "." + plain(tag.Sum(nil))
	}
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, t.Key, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + plain(append(bytesOf(r), bytesOf(s)...))
}

func bytesOf(n *big.Int) []byte {
	const size = 32
	return n.FillBytes(make([]byte, size))
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func plain(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(encoded(v)); err != nil {
		return // who asked has left
	}
}
