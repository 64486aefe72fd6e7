package notify

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Services are the push services to which the pit sends, such as updates.push.services.mozilla.com, or *.push.apple.com
// for all below it; with a port where it is another than that of HTTPS. A browser names its own, so nothing is sent to
// any other: a subscription could name a host of the house's network.
type Services []string

var host = regexp.MustCompile(`^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$`)

// Check finds an entry that is not a host.
func (s Services) Check() error {
	for _, one := range s {
		if !host.MatchString(one) || strings.HasPrefix(one, "*.") && strings.Count(one, ".") < 2 {
			return fmt.Errorf("%q is not a host of a push service", one)
		}
	}
	return nil
}

// longestEndpoint bounds the address that a browser gives.
const longestEndpoint = 2048

// Allow says why nothing may be sent to an endpoint, nil if it may.
func (s Services) Allow(endpoint string) error {
	if len(endpoint) > longestEndpoint {
		return errors.New("its address is too long")
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" || u.Hostname() == "" {
		return errors.New("its address does not begin with https://")
	}
	at := strings.ToLower(u.Host)
	if name, port, err := net.SplitHostPort(at); err == nil && port == "443" {
		at = name
	}
	if !slices.ContainsFunc(s, func(one string) bool {
		below, any := strings.CutPrefix(one, "*")
		return one == at || any && strings.HasSuffix(at, below) && len(at) > len(below)
	}) {
		return &NotAllowedError{Host: at}
	}
	return nil
}

// NotAllowedError is a push service to which the pit does not send.
type NotAllowedError struct{ Host string }

func (e *NotAllowedError) Error() string {
	return fmt.Sprintf("this browser is called by %s, which the pit's configuration does not allow", e.Host)
}
