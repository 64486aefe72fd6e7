package config

import (
	"fmt"
	"net"
	"slices"

	"github.com/sabot-table/sabot/display/web"
)

// Web is the page on the table's screen.
type Web struct {
	// Listen is host:port; port 0 takes any free port. Without Screens it must be on this
	// machine only.
	Listen string `yaml:"listen" default:"127.0.0.1:8080"`
	// CertFile and KeyFile are the PEM files with the page's certificate, the chain
	// after it, and its key; empty for a page without TLS.
	CertFile string `yaml:"cert_file"`
	KeyFile  string `yaml:"key_file"`
	// Screens are the screens that may enter. Without any, everyone who can reach the page
	// may do everything.
	Screens []Screen `yaml:"screens" change:"at-once"`
}

// Screen is a screen that may enter, with its key's hash.
type Screen struct {
	Name string        `yaml:"name,required"`
	Role web.Role      `yaml:"role,required"`
	Key  ScreenKeyHash `yaml:"key,required"`
	// Own says that it is one of the table's own screens, such as that of its kiosk.
	Own bool `yaml:"own"`
}

// ScreenKeyHash is a hash as web.ParseKeyHash reads it. Faults do not repeat it: it
// may be a key that was put there by mistake.
type ScreenKeyHash string

// UnmarshalText accepts any text: check looks at it.
func (h *ScreenKeyHash) UnmarshalText(text []byte) error {
	*h = ScreenKeyHash(text)
	return nil
}

// Guarded reports whether screens have to enter.
func (w Web) Guarded() bool { return len(w.Screens) > 0 }

// Local reports whether the page can be reached only from this machine.
func (w Web) Local() bool { return loopback(w.Listen) }

// FromHere is the page's address for programs on this machine, with a slash at its end.
func (w Web) FromHere() (string, error) {
	host, port, err := net.SplitHostPort(w.Listen)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if w.CertFile != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port) + "/", nil
}

// MayEnter lists the screens that may enter.
func (w Web) MayEnter() ([]web.Screen, error) {
	var all []web.Screen
	for _, one := range w.Screens {
		hash, err := web.ParseKeyHash(string(one.Key))
		if err != nil {
			return nil, fmt.Errorf("the key of screen %s %w", one.Name, err)
		}
		all = append(all, web.Screen{Name: one.Name, Role: one.Role, Key: hash, Own: one.Own})
	}
	return all, nil
}

// web accepts only addresses of this machine, unless the page asks for a key.
func (k checker) web() {
	const path = "web.listen"
	w := k.config.Web
	_, port, err := net.SplitHostPort(w.Listen)
	if err != nil || port != "0" && !isPort(port) {
		k.doc.Refuse(path, fmt.Sprintf("%q is not host:port", w.Listen), "write it as 127.0.0.1:8080")
	} else if !w.Local() && !k.anyGuard() {
		k.doc.Refuse(path, fmt.Sprintf("%q can be reached from other machines, and the page would let everyone in",
			w.Listen),
			"listen on this machine only, 127.0.0.1:8080; or add web.cert_file, web.key_file and web.screens: see "+
				"Screens on a network in docs/operations.md")
	}
	if k.anyGuard() {
		k.wholeGuard()
	}
	for i := range w.Screens {
		k.screen(w.Screens, i)
	}
}

// anyGuard reports whether the file has any setting that a page on a network needs.
func (k checker) anyGuard() bool {
	return k.doc.Has("web.cert_file") || k.doc.Has("web.key_file") || k.doc.Has("web.screens")
}

// wholeGuard refuses some of these settings without the others: keys and sessions would be
// sent in clear, or everyone would be let in.
func (k checker) wholeGuard() {
	w := k.config.Web
	for _, needed := range []struct {
		path  string
		there bool
		hint  string
	}{
		{
			"web.cert_file", w.CertFile != "",
			"name the PEM file with the page's certificate; sabot key certificate makes one for a bench",
		},
		{"web.key_file", w.KeyFile != "", "name the PEM file with the key of the page's certificate"},
		{"web.screens", len(w.Screens) > 0, "add the lines that sabot key screen NAME ROLE prints"},
	} {
		if !needed.there && k.doc.Sound(needed.path) {
			k.doc.Refuse(needed.path, "is missing: web.cert_file, web.key_file and web.screens need each other",
				needed.hint)
		}
	}
}

// screen checks one screen. Names go into log and record, keys open the page: no
// two screens may share either.
func (k checker) screen(all []Screen, i int) {
	path, one := fmt.Sprintf("web.screens[%d]", i), all[i]
	if !isTopicPart(one.Name) {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q cannot name a screen", one.Name),
			"write 1 to 32 characters of a-z, 0-9, _ and -")
	} else if slices.IndexFunc(all, func(s Screen) bool { return s.Name == one.Name }) < i {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q is in the list twice", one.Name),
			"give each screen a name of its own")
	}
	if one.Own && one.Role < web.Dealer {
		k.doc.Refuse(path+".own",
			fmt.Sprintf("a screen of role %s cannot be the table's own: nobody can put anything in there", one.Role),
			"give it the role supervisor, or leave own out")
	}
	const hint = "let sabot key screen NAME ROLE make the line; the key itself is never written here"
	if _, err := web.ParseKeyHash(string(one.Key)); err != nil {
		k.doc.Refuse(path+".key", err.Error(), hint)
	} else if slices.IndexFunc(all, func(s Screen) bool { return s.Key == one.Key }) < i {
		k.doc.Refuse(path+".key", "is another screen's key", "let sabot key screen make a key for each")
	}
}
