package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

// door is the way to one display, which may have to be entered first.
type door struct {
	client         http.Client
	address, entry string
	key            string
	entered        bool
}

func newDoor(address string, o Options) (*door, error) {
	entry, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	entry = entry.ResolveReference(&url.URL{Path: "enter"})
	d := &door{address: address, entry: entry.String(), key: o.Key}
	if o.HTTP != nil {
		d.client = *o.HTTP
	}
	if d.key != "" && entry.Scheme != "https" {
		return nil, fmt.Errorf("%s is reached without TLS, where anybody could read the screen's key: write it as https://", address)
	}
	d.client.Jar, err = cookiejar.New(nil)
	return d, err
}

// enter enters with the key, once: the session outlives the table's restarts.
func (d *door) enter(ctx context.Context) error {
	if d.key == "" || d.entered {
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
	switch {
	case resp.StatusCode == http.StatusOK:
		d.entered = true
		return nil
	case resp.StatusCode == http.StatusTooManyRequests && isTooOften(resp.Body):
		return fmt.Errorf("%s answered %s: the key was given too often", d.entry, resp.Status)
	case resp.StatusCode == http.StatusForbidden, resp.StatusCode == http.StatusTooManyRequests:
		return &refused{d.entry, resp.Status, "the table does not know the key: sabot screen-key makes one, and its line belongs into the table's configuration"}
	case resp.StatusCode >= 400 && resp.StatusCode < 500:
		return &refused{d.entry, resp.Status, noDisplay}
	}
	return fmt.Errorf("%s answered %s", d.entry, resp.Status)
}

// isTooOften says whether a refusal is of how often, and not of the key.
func isTooOften(body io.Reader) bool {
	var answer struct{ Refused string }
	return json.NewDecoder(io.LimitReader(body, 4096)).Decode(&answer) == nil && answer.Refused == "too-often"
}

// unknown says why the display knows nobody.
func (d *door) unknown() string {
	if d.key == "" {
		return "screens enter there with a key: sabot screen-key makes one"
	}
	return "the screen's session is over: its key was used elsewhere, or may not enter any more"
}

// trusted says what to do where the display's certificate is not.
func trusted(err error) error {
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return fmt.Errorf("the display's certificate is not trusted here, or has run out; name the file with the certificate that vouches for it: %w", err)
	}
	return err
}
