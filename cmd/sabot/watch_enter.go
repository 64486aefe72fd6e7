package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"

	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/display/web"
)

// keyVariable is the environment variable with a screen's key. On the command line
// every user of the machine could read it.
const keyVariable = "SABOT_SCREEN_KEY"

// entering returns how to reach the page at url, and the key to enter it with.
func entering(url, ca, keyFile string) (o term.FollowOptions, err error) {
	if o.Key, err = screenKeyFor(url, keyFile); err != nil || ca == "" {
		return o, err
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return o, fmt.Errorf("reading the certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return o, fmt.Errorf("%s holds no certificate in PEM form", ca)
	}
	o.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS13}
	return o, nil
}

// screenKeyFor reads the key from a file of one line or, for a page that is reached over
// TLS, from the environment.
func screenKeyFor(url, path string) (string, error) {
	if path == "" && !strings.HasPrefix(url, "https:") {
		return "", nil
	}
	return keyFrom(path)
}

// keyFrom reads the key from a file of one line or, without one, from the environment; "" if that has none.
func keyFrom(path string) (string, error) {
	text, from := os.Getenv(keyVariable), keyVariable
	if path != "" {
		b, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("reading the screen's key: %w", err)
		}
		text, from = string(b), path
	} else if text == "" {
		return "", nil
	}
	key, err := web.ParseKey(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	return key.String(), nil
}
