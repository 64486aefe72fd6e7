package main

import (
	"strings"

	"github.com/sabot-table/sabot/display/web"
)

// screens are those that may enter, one of each role, named like it.
type screens struct {
	access *web.Access
	keys   map[string]web.Key
}

func newScreens() (*screens, error) {
	s := &screens{keys: map[string]web.Key{}}
	o := web.AccessOptions{
		Host: func(string) bool { return true }, Keep: func([]web.Kept) error { return nil }, Noted: func(web.AccessNotice) {},
	}
	for role := web.View; role <= web.Supervisor; role++ {
		key := web.NewKey()
		s.keys[role.String()] = key
		o.Screens = append(o.Screens, web.Screen{Name: role.String(), Role: role, Key: key.Hash()})
	}
	var err error
	s.access, err = web.NewAccess(o)
	return s, err
}

// obey answers a line that is about the screens; nil knows of none.
func (s *screens) obey(line string) (said string, about bool) {
	if s == nil {
		return "", false
	}
	if role, asked := strings.CutPrefix(line, "key "); asked {
		return s.keys[role].String(), true
	}
	if line == "revoke" {
		s.access.Change(nil)
		return "revoked", true
	}
	return "", false
}
