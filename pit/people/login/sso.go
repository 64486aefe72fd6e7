package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// ProviderOptions are what a Provider needs to be told.
type ProviderOptions struct {
	// Issuer is the provider's address, as its tokens have it.
	Issuer string
	// Client and Secret are under what the provider knows the pit; Secret is "" for a public
	// client.
	Client, Secret string
	// Back is the address to which the provider sends people back.
	Back string
	// NameClaim and GroupsClaim are where a token has a person's name and groups; "" is
	// preferred_username and groups.
	NameClaim, GroupsClaim string
	// Scopes are asked for besides openid and profile.
	Scopes []string
	// Roles are the roles of groups. The first counts of which a person has the group.
	Roles []GroupRole
	// HTTP asks the provider; nil is one that waits ten seconds.
	HTTP *http.Client
}

// GroupRole is the role of a provider's group.
type GroupRole struct {
	Group string
	Role  people.Role
	// Sites are those to which whoever has the group is limited.
	Sites people.Sites
}

// OpenID is a provider of identities, which vouches for people: by OpenID Connect, with the authorization code flow,
// PKCE, state and nonce. It is asked for its keys and addresses when somebody enters
// first, so that the pit starts without it. Its methods may be called from any goroutine.
type OpenID struct {
	o ProviderOptions

	mu    sync.Mutex
	found *oidc.Provider
}

// NewProvider returns a provider.
func NewProvider(o ProviderOptions) (*OpenID, error) {
	for name, address := range map[string]string{"issuer": o.Issuer, "address to come back to": o.Back} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
			return nil, fmt.Errorf("the %s must begin with https://", name)
		}
	}
	if o.Client == "" || len(o.Roles) == 0 {
		return nil, errors.New("the client's name, and at least one group with a role, are required")
	}
	if o.NameClaim == "" {
		o.NameClaim = "preferred_username"
	}
	if o.GroupsClaim == "" {
		o.GroupsClaim = "groups"
	}
	o.HTTP = site.Client(o.HTTP, answerWithin, mostAnswer)
	return &OpenID{o: o}, nil
}

// loopback says whether a name is this machine's own.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Pending is an entry that the provider was asked about. It is kept in the browser that
// began it, and let in by no other.
type Pending struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
}

// Begin returns the provider's address at which a person says who they are.
func (p *OpenID) Begin(ctx context.Context) (address string, pending Pending, err error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", pending, err
	}
	pending = Pending{State: site.NewToken(), Nonce: site.NewToken(), Verifier: oauth2.GenerateVerifier()}
	return p.oauth(found).AuthCodeURL(pending.State, oidc.Nonce(pending.Nonce),
		oauth2.S256ChallengeOption(pending.Verifier)), pending, nil
}

// Finish returns for whom the provider vouches, from what it sent the browser back with. The
// error is for the log: it repeats no token.
func (p *OpenID) Finish(ctx context.Context, pending Pending, back url.Values) (who people.Vouched, err error) {
	switch {
	case pending.State == "" || pending.Nonce == "" || pending.Verifier == "",
		subtle.ConstantTimeCompare([]byte(back.Get("state")), []byte(pending.State)) != 1:
		return who, errors.New("the answer belongs to no log-in that this browser began")
	case back.Get("error") != "":
		return who, fmt.Errorf("the provider refused: %q", back.Get("error"))
	}
	found, err := p.discover(ctx)
	if err != nil {
		return who, err
	}
	ctx = oidc.ClientContext(ctx, p.o.HTTP)
	token, err := p.oauth(found).Exchange(ctx, back.Get("code"), oauth2.VerifierOption(pending.Verifier))
	if err != nil {
		return who, fmt.Errorf("the provider gave no token: %w", withoutBody(err))
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := found.VerifierContext(oidc.ClientContext(context.Background(), p.o.HTTP),
		&oidc.Config{ClientID: p.o.Client}).Verify(ctx, raw)
	if err != nil {
		return who, fmt.Errorf("the provider's token cannot be trusted: %w", err)
	}
	var said claims
	if err := id.Claims(&said); err != nil {
		return who, fmt.Errorf("the provider's token cannot be read: %w", err)
	}
	azp := said.text("azp")
	switch {
	case subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(pending.Nonce)) != 1:
		return who, errors.New("the provider's token is for another log-in: its nonce differs")
	case azp != "" && azp != p.o.Client, azp == "" && len(id.Audience) > 1:
		return who, errors.New("the provider's token was made for another client")
	case id.Subject == "":
		return who, errors.New("the provider's token is about nobody: its sub is empty")
	}
	if err := p.complete(ctx, found, token, id.Subject, said); err != nil {
		return who, err
	}
	grant := p.grant(said.list(p.o.GroupsClaim))
	return people.Vouched{
		Subject: id.Issuer + " " + id.Subject, Name: said.text(p.o.NameClaim), Role: grant.Role, Sites: grant.Sites,
	}, nil
}

// complete adds what the token leaves to the provider's page about a person.
func (p *OpenID) complete(ctx context.Context, found *oidc.Provider, token *oauth2.Token, subject string,
	said claims,
) error {
	_, named := said[p.o.NameClaim]
	_, grouped := said[p.o.GroupsClaim]
	if named && grouped || found.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return fmt.Errorf("the provider's userinfo cannot be read: %w", err)
	}
	if info.Subject != subject {
		return errors.New("the provider's userinfo is about another person than its token")
	}
	var more claims
	if err := info.Claims(&more); err != nil {
		return fmt.Errorf("what the provider says about the person cannot be read: %w", err)
	}
	for _, name := range []string{p.o.NameClaim, p.o.GroupsClaim} {
		if _, there := said[name]; !there && more[name] != nil {
			said[name] = more[name]
		}
	}
	return nil
}

// grant is what a person with these groups may do, and where; no role for none.
func (p *OpenID) grant(groups []string) (all GroupRole) {
	for _, one := range p.o.Roles {
		if slices.Contains(groups, one.Group) {
			return one
		}
	}
	return all
}

// discover asks the provider for its addresses, once.
func (p *OpenID) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.o.HTTP), p.o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%s does not answer as an identity provider: %w", p.o.Issuer, err)
	}
	if err := p.near(found); err != nil {
		return nil, err
	}
	p.found = found
	return found, nil
}

// A provider answers within this time, and no longer than this.
const (
	answerWithin = 10 * time.Second
	mostAnswer   = 1 << 20
)

// near refuses a provider that names addresses at which others could read along, or which are this computer's own where
// the provider's is not: the secret goes there, and what is there answers as the provider.
func (p *OpenID) near(found *oidc.Provider) error {
	var keys struct {
		At string `json:"jwks_uri"`
	}
	if err := found.Claims(&keys); err != nil {
		return fmt.Errorf("%s does not say where its keys are: %w", p.o.Issuer, err)
	}
	issuer, err := url.Parse(p.o.Issuer)
	if err != nil {
		return err
	}
	for what, address := range map[string]string{
		"log-in": found.Endpoint().AuthURL,
		"tokens": found.Endpoint().TokenURL, "userinfo": found.UserInfoEndpoint(), "keys": keys.At,
	} {
		if address == "" && what == "userinfo" {
			continue
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.User != nil || loopback(u.Hostname()) && !loopback(issuer.Hostname()) ||
			u.Scheme != "https" && !(u.Scheme == "http" && issuer.Scheme == "http" && loopback(u.Hostname())) {
			return fmt.Errorf("%s names %q as its address for %s, which must begin with https:// and not be this "+
				"computer's own", p.o.Issuer, address, what)
		}
	}
	return nil
}

func (p *OpenID) oauth(found *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.o.Client, ClientSecret: p.o.Secret, Endpoint: found.Endpoint(), RedirectURL: p.o.Back,
		Scopes: append([]string{oidc.ScopeOpenID, "profile"}, p.o.Scopes...),
	}
}

// withoutBody leaves out what a provider wrote into its refusal, which may be anything.
func withoutBody(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("it answered %s %q", refused.Response.Status, refused.ErrorCode)
	}
	return err
}

// claims are what a token says.
type claims map[string]any

func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// list reads a claim of texts; some providers write one alone as it is.
func (c claims) list(name string) (all []string) {
	if one := c.text(name); one != "" {
		return []string{one}
	}
	values, _ := c[name].([]any)
	for _, v := range values {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}
