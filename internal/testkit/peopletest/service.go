package peopletest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Service is a push service that speaks TLS.
type Service struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	browsers map[string]*Browser
	// answer is how the service answers a browser's messages instead of taking them.
	answer  map[string]http.HandlerFunc
	tries   map[string]int
	changed chan struct{}
}

// Browser is a browser that is registered with the service.
type Browser struct {
	Endpoint, P256dh, Auth string

	private *ecdh.PrivateKey
	secret  []byte
	got     []Notification
}

// Notification is what a browser was sent.
type Notification struct {
	Title, Body, Tag, Where string
	Silent                  bool
	// Key is the sender's public key, and the rest what it said to the service.
	Key, Subject, Topic, Urgency string
	TTL                          int
}

// StartPush starts a service, until the test ends.
func StartPush(t testing.TB) *Service {
	t.Helper()
	s := &Service{
		t: t, browsers: map[string]*Browser{}, answer: map[string]http.HandlerFunc{}, tries: map[string]int{},
		changed: make(chan struct{}),
	}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(s.take))
	t.Cleanup(s.Close)
	return s
}

// Host is the service's, with its port.
func (s *Service) Host() string { return s.Listener.Addr().String() }

// Trust has programs that are started from now on trust the service's certificate.
func (s *Service) Trust() {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "push.crt")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		0o600); err != nil {
		s.t.Fatal(err)
	}
	s.t.(interface{ Setenv(string, string) }).Setenv("SSL_CERT_FILE", file)
}

// Browser registers a browser.
func (s *Service) Browser(name string) *Browser {
	s.t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &Browser{private: private, secret: make([]byte, 16), Endpoint: s.URL + "/send/" + name}
	if _, err := rand.Read(b.secret); err != nil {
		s.t.Fatal(err)
	}
	b.P256dh, b.Auth = base64.RawURLEncoding.EncodeToString(private.PublicKey().Bytes()),
		base64.RawURLEncoding.EncodeToString(b.secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers["/send/"+name] = b
	return b
}

// Answer has the service answer a browser's messages with something else than taking them, nil for taking them again.
func (s *Service) Answer(b *Browser, with http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer[strings.TrimPrefix(b.Endpoint, s.URL)] = with
}

// Tries is how often the service was asked to send to a browser.
func (s *Service) Tries(b *Browser) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries[strings.TrimPrefix(b.Endpoint, s.URL)]
}

// Got is what a browser was sent.
func (s *Service) Got(b *Browser) []Notification {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Notification(nil), b.got...)
}

// Changed is closed once the service is asked to send something, or a browser is sent something.
func (s *Service) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// change tells those who wait for it. The caller holds the lock.
func (s *Service) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Service) take(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.tries[r.URL.Path]++
	s.change()
	b, answer := s.browsers[r.URL.Path], s.answer[r.URL.Path]
	s.mu.Unlock()
	switch {
	case answer != nil:
		answer(w, r)
		return
	case b == nil:
		http.NotFound(w, r)
		return
	}
	n, err := s.read(b, r)
	if err != nil {
		s.t.Errorf("the push service is sent what it cannot take: %v", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	b.got = append(b.got, n)
	s.change()
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

// read checks a message and decrypts it.
func (s *Service) read(b *Browser, r *http.Request) (n Notification, err error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4097))
	if err != nil {
		return n, err
	}
	if n.TTL, err = strconv.Atoi(r.Header.Get("TTL")); err != nil || r.Method != http.MethodPost ||
		r.Header.Get("Content-Encoding") != "aes128gcm" || len(body) > 4096 {
		return n, fmt.Errorf("%s with TTL %q, encoding %q and %d bytes", r.Method, r.Header.Get("TTL"),
			r.Header.Get("Content-Encoding"), len(body))
	}
	if n.Topic, n.Urgency = r.Header.Get("Topic"), r.Header.Get("Urgency"); len(n.Topic) > 32 {
		return n, fmt.Errorf("the topic %q is too long", n.Topic)
	}
	if n.Key, n.Subject, err = identified(r.Header.Get("Authorization"), s.URL); err != nil {
		return n, err
	}
	text, err := b.decrypt(body)
	if err != nil {
		return n, err
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	var said struct {
		Title, Body, Tag, Where string
		Silent                  bool
	}
	if err := read.Decode(&said); err != nil {
		return n, err
	}
	n.Title, n.Body, n.Tag, n.Where, n.Silent = said.Title, said.Body, said.Tag, said.Where, said.Silent
	return n, nil
}

// identified checks who sends, as RFC 8292 says.
func identified(header, audience string) (key, subject string, err error) {
	rest, ok := strings.CutPrefix(header, "vapid t=")
	token, key, cut := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !cut || len(parts) != 3 {
		return "", "", fmt.Errorf("the authorization is %q", header)
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return "", "", err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return "", "", err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return "", "", errors.New("the token's signature has not 64 bytes")
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return "", "", errors.New("the token's signature is not right")
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", "", err
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return "", "", err
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); claims.Aud != audience || left <= 0 || left > 24*time.Hour {
		return "", "", fmt.Errorf("the token is for %s, for %v; want %s, for a day at most", claims.Aud, left, audience)
	}
	if u, err := url.Parse(claims.Sub); err != nil || u.Scheme != "mailto" && u.Scheme != "https" {
		return "", "", fmt.Errorf("the token names %q as contact", claims.Sub)
	}
	return key, claims.Sub, nil
}

// decrypt reads one record of RFC 8188, with the keys of RFC 8291.
func (b *Browser) decrypt(body []byte) ([]byte, error) {
	const head = 16 + 4 + 1 + 65
	if len(body) < head+17 || body[20] != 65 {
		return nil, fmt.Errorf("%d bytes are no message", len(body))
	}
	salt, size, sender := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:head]
	if int(size) < len(body)-head {
		return nil, fmt.Errorf("the record has %d bytes, more than %d", len(body)-head, size)
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.private.PublicKey().Bytes()) + string(sender)
	material, err := hkdf.Key(sha256.New, shared, b.secret, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	sealed, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	text, err := sealed.Open(nil, nonce, body[head:], nil)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimRight(text, "\x00")
	if len(text) == 0 || text[len(text)-1] != 2 {
		return nil, errors.New("the record is not the last")
	}
	return text[:len(text)-1], nil
}
