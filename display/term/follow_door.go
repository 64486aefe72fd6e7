package term

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// door is the way to one display, which may have to be entered first.
type door struct {
	client         http.Client
	address, entry string
	key            string
	// session is what the display gave for the key, nil before. It is sent to this display alone.
	session *http.Cookie
}

const (
	// cookiePrefix begins the name of a cookie that is meant for one host alone, over TLS.
	cookiePrefix = "__Host-"
	// mostCookie and mostHeader bound, in bytes, what a display may have us keep and read.
	mostCookie = 512
	mostHeader = 32 << 10
)

func newDoor(address string, o FollowOptions) (*door, error) {
	entry, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	entry = entry.ResolveReference(&url.URL{Path: "enter"})
	d := &door{address: address, entry: entry.String(), key: o.Key}
	if d.key != "" && entry.Scheme != "https" {
		return nil,
			fmt.Errorf("%s is reached without TLS, where anybody could read the screen's key: write it as https://",
				address)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = o.TLS
	transport.MaxResponseHeaderBytes = mostHeader
	transport.DisableCompression = true // a view is short, and a few packed bytes can be a gigabyte
	d.client.Transport = transport
	// To follow would carry the screen's key wherever the answer says.
	d.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return d, nil
}

// enter enters with the key, once: the session outlives the table's restarts.
func (d *door) enter(ctx context.Context) error {
	if d.key == "" || d.session != nil {
		return nil
	}
	body, err := json.Marshal(map[string]string{"key": d.key})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.entry, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := d.client.Do(req)
	if err != nil {
		return trusted(err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		d.session, err = sessionOf(d.entry, resp)
		return err
	case http.StatusTooManyRequests:
		if isTooOften(resp.Body) {
			return fmt.Errorf("%s answered %s: the key was given too often", d.entry, status(resp.StatusCode))
		}
		return d.notKnown(resp.StatusCode)
	case http.StatusForbidden:
		return d.notKnown(resp.StatusCode)
	}
	return d.odd(d.entry, resp.StatusCode)
}

// sessionOf is the session that a display gives. Whatever else it would have us keep is left.
func sessionOf(entry string, resp *http.Response) (*http.Cookie, error) {
	for _, c := range resp.Cookies() {
		if strings.HasPrefix(c.Name, cookiePrefix) && len(c.Name)+len(c.Value) <= mostCookie {
			return &http.Cookie{Name: c.Name, Value: c.Value}, nil
		}
	}
	return nil, &refused{entry, resp.StatusCode, "it took the key and gave no session: that is no table's display"}
}

// notKnown says that the table does not know the key.
func (d *door) notKnown(status int) error {
	return &refused{
		d.entry, status,
		"the table does not know the key: sabot key screen makes one, and its line belongs into the table's " +
			"configuration",
	}
}

// isTooOften says whether a refusal is of how often, and not of the key.
func isTooOften(body io.Reader) bool {
	var answer struct{ Refused string }
	return json.NewDecoder(io.LimitReader(body, 4096)).Decode(&answer) == nil && answer.Refused == "too-often"
}

// unknown says why the display knows nobody.
func (d *door) unknown() string {
	if d.key == "" {
		return "screens enter there with a key: sabot key screen makes one"
	}
	return "the screen's session is over: its key was used elsewhere, or may not enter any more"
}

// trusted says what to do where the display's certificate is not.
func trusted(err error) error {
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return fmt.Errorf("the display's certificate is not trusted here, or has run out; name the file with the "+
			"certificate that vouches for it: %w", err)
	}
	return err
}
