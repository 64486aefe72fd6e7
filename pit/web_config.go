package pit

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

// Web says where the pages are served.
type Web struct {
	// Listen is host:port.
	Listen string `yaml:"listen"`
	// CertFile and KeyFile are PEM files; both empty for pages on this machine alone, or
	// behind a proxy.
	CertFile string `yaml:"cert_file"`
	KeyFile  string `yaml:"key_file"`
	// Public is the pages' address as browsers have it, https://pit.house.example.
	Public string `yaml:"public"`
	// TrustedProxies are addresses or networks of reverse proxies.
	TrustedProxies []Network `yaml:"trusted_proxies"`
}

// People says how long sessions last, and who else vouches for people.
type People struct {
	IdleMinutes       int `yaml:"idle_minutes"`
	LongestHours      int `yaml:"longest_hours"`
	LongestDaysViewer int `yaml:"longest_days_viewer"`
	// OpenID is a provider of identities; nil for none.
	OpenID *OpenID `yaml:"openid"`

	sites []string // those to which people may be limited, none for a pit of one house
}

// OpenID is a provider of identities that speaks OpenID Connect.
type OpenID struct {
	// Name is what people call it.
	Name       string   `yaml:"name,required"`
	Issuer     string   `yaml:"issuer,required"`
	Client     string   `yaml:"client,required"`
	SecretFile string   `yaml:"secret_file"`
	CAFile     string   `yaml:"ca_file"`
	NameClaim  string   `yaml:"name_claim"`
	Groups     string   `yaml:"groups_claim"`
	Scopes     []string `yaml:"scopes"`
	// Roles are those of the provider's groups; the first counts of which a person has the group.
	Roles []GroupRole `yaml:"roles,required"`
}

// GroupRole is the role of a group.
type GroupRole struct {
	Group string      `yaml:"group,required"`
	Role  people.Role `yaml:"role,required"`
	// Sites are those of a group to which it is limited; none for all.
	Sites []string `yaml:"sites"`
}

// Network is an address, or a network such as 10.0.0.0/24.
type Network struct{ netip.Prefix }

// UnmarshalText reads an address or a network.
func (n *Network) UnmarshalText(text []byte) (err error) {
	if ip, err := netip.ParseAddr(string(text)); err == nil {
		n.Prefix = netip.PrefixFrom(ip, ip.BitLen())
		return nil
	}
	if n.Prefix, err = netip.ParsePrefix(string(text)); err != nil {
		return fmt.Errorf("%q is not an address: write one such as 10.0.0.1, or a network such as 10.0.0.0/24", text)
	}
	return nil
}

// webDefault is where pages are served, and who enters them, before a file is read.
func webDefault() (Web, People) {
	return Web{Listen: "127.0.0.1:8090"}, People{IdleMinutes: 60, LongestHours: 16, LongestDaysViewer: 30}
}

func (w Web) check(doc *strictyaml.Document) {
	if host, ok := listens(w.Listen); !ok {
		doc.Refuse("web.listen", fmt.Sprintf("%q is not host:port", w.Listen), "write it as 127.0.0.1:8090")
	} else if w.CertFile == "" && !loopback(host) && len(w.TrustedProxies) == 0 {
		doc.Refuse("web.listen",
			fmt.Sprintf("%q can be reached from other machines, and passwords would cross the network in clear text",
				w.Listen),
			"add web.cert_file and web.key_file; or listen on 127.0.0.1:8090; or name the proxy that does TLS in "+
				"web.trusted_proxies")
	}
	certified(doc, "web", w.CertFile, w.KeyFile)
	u, err := url.Parse(w.Public)
	if w.Public != "" && (err != nil || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) ||
		u.Host == "" || u.Path != "" || u.RawQuery != "") {
		doc.Refuse("web.public", fmt.Sprintf("%q is not the address of a site, without a path", w.Public),
			"write it as https://pit.house.example, without a / at the end")
	}
	if len(w.TrustedProxies) > 0 && w.Public == "" {
		doc.Refuse("web.public", "is missing, and the pit does not know its own address behind a proxy",
			"write the address that browsers open, such as https://pit.house.example")
	}
}

func (p People) check(doc *strictyaml.Document, w Web) {
	doc.Within("people.idle_minutes", p.IdleMinutes, 1, 24*60)
	doc.Within("people.longest_hours", p.LongestHours, 1, 7*24)
	doc.Within("people.longest_days_viewer", p.LongestDaysViewer, 1, 400)
	o := p.OpenID
	if o == nil {
		return
	}
	o.check(doc)
	if w.Public == "" {
		doc.Refuse("web.public", "is missing, so the identity provider of people.openid cannot redirect people back",
			"write the address that browsers open, such as https://pit.house.example")
		return
	}
	if !doc.Sound("web.public") {
		return
	}
	if _, err := login.NewProvider(o.options(w)); err != nil {
		doc.Refuse("people.openid", err.Error(), "see docs/pit-people.md")
	}
}

// check finds each thing that is wrong with the provider itself.
func (o *OpenID) check(doc *strictyaml.Document) {
	const at = "people.openid."
	filled := func(path, text, todo string) {
		if text == "" {
			doc.Refuse(path, "is empty", todo)
		}
	}
	filled(at+"name", o.Name, "write what people call the provider")
	filled(at+"client", o.Client, "write the name by which the provider knows the pit")
	for i, one := range o.Roles {
		filled(fmt.Sprintf("%sroles[%d].group", at, i), one.Group, "write the provider's name of the group")
	}
	if u, err := url.Parse(o.Issuer); err != nil || u.Host == "" || u.Scheme != "https" &&
		!(u.Scheme == "http" && loopback(u.Hostname())) {
		doc.Refuse(at+"issuer", fmt.Sprintf("%q must begin with https://", o.Issuer),
			"write the address that the provider says, such as https://id.house.example/realms/casino")
	}
}

// authorities reads the certificates of those who vouch for others, from the file that a key names.
func authorities(key, file string) (*x509.CertPool, error) {
	data, err := securefile.Item{Kind: securefile.Authority, Path: file}.Read(strictyaml.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; let the user that runs sabot-pit read it", key, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s %s has no certificate in PEM", key, file)
	}
	return pool, nil
}

// listens takes the address apart at which something is served; false if it is none.
func listens(address string) (host string, ok bool) {
	host, port, err := net.SplitHostPort(address)
	n, bad := net.LookupPort("tcp", port)
	return host, err == nil && bad == nil && n >= 0 && port != ""
}

// certified refuses a certificate without its private key, and the other way round, in a section.
func certified(doc *strictyaml.Document, section, certFile, keyFile string) {
	const alone = "cert_file and key_file need each other"
	switch {
	case certFile != "" && keyFile == "":
		doc.Refuse(section+".cert_file", alone, "add key_file, or remove this")
	case certFile == "" && keyFile != "":
		doc.Refuse(section+".key_file", alone, "add cert_file, or remove this")
	}
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// options are those of the provider, but for what is in files.
func (o *OpenID) options(w Web) login.ProviderOptions {
	s := login.ProviderOptions{
		Issuer: o.Issuer, Client: o.Client, Back: w.Public + "/enter/sso/back",
		NameClaim: o.NameClaim, GroupsClaim: o.Groups, Scopes: o.Scopes,
	}
	for _, one := range o.Roles {
		sites, _ := people.ParseSites(strings.Join(one.Sites, " "), nil) // check has refused what it does not
		s.Roles = append(s.Roles, login.GroupRole{Group: one.Group, Role: one.Role, Sites: sites})
	}
	return s
}

// provider reads the files, and returns the provider.
func (o *OpenID) provider(w Web) (*login.OpenID, error) {
	s := o.options(w)
	if o.SecretFile != "" {
		data, err := securefile.Item{Kind: securefile.ProviderSecret, Path: o.SecretFile}.Read(strictyaml.MaxSize)
		if err != nil {
			return nil, fmt.Errorf("read people.openid.secret_file: %w; let the user that runs sabot-pit read it", err)
		}
		if s.Secret = strings.TrimSpace(string(data)); s.Secret == "" || strings.ContainsAny(s.Secret, "\r\n") {
			return nil, fmt.Errorf("people.openid.secret_file %s must hold the secret on one line, and nothing else",
				o.SecretFile)
		}
	}
	if o.CAFile != "" {
		pool, err := authorities("people.openid.ca_file", o.CAFile)
		if err != nil {
			return nil, err
		}
		s.HTTP = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12},
		}}
	}
	return login.NewProvider(s)
}
