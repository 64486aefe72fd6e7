// Package vectors holds the test vectors of the sabot shoe protocol, for programs that speak it: bytes as they come
// from the line, and what a receiver must report for them, layer by layer. The README.md next to it describes the
// files; this package reads them. It imports only the standard library.
//
//	for _, c := range vectors.Cases() {
//		t.Run(c.Name, func(t *testing.T) { … feed c.Bytes, compare with c.Reports … })
//	}
package vectors

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
)

//go:generate go test -run ^TestGenerated$ -rewrite

// Files are the vectors' files, for programs that read them themselves.
//
//go:embed *.txt derived/*.txt
var Files embed.FS

// Key is a key of the link security: the one that host and shoe share, or one of a
// session.
type Key [16]byte

// Case is bytes from the line, and what a receiver with an empty buffer must report for them, whether they arrive at
// once or one by one.
type Case struct {
	Name, About string

	// Key is the session's for the direction of these frames; with nil the receiver has
	// no session. Seen is the highest counter that it accepted before in that session.
	Key  *Key
	Seen uint32

	Bytes   []byte
	Reports []Report // one for each frame that ends

	// Encode: a sender must make exactly these bytes from the message in the only report, sealed with the message's
	// counter if there is a key.
	Encode bool
}

// Report is what a receiver reports for one frame.
type Report struct {
	// Frame is "ok", or why the frame could not be opened: "too-long", "bad-cobs",
	// "too-short" or "bad-crc".
	Frame string
	// Message is the message in one line, or the word "error" and what is wrong with it.
	// It is empty unless Frame is "ok".
	Message string
}

// Session is what follows from a shared key and both sides' nonces.
type Session struct {
	Name, About        string
	Key                Key
	Host, Shoe         uint64 // the nonces
	Proof              uint64
	FromHost, FromShoe Key // under which each direction is sealed
	// Nonces are the first nonces of a shoe that makes them from Seed.
	Seed   uint64
	Nonces []uint64
}

// Cases returns all frames, in the order of their names.
func Cases() []Case { return all("*.txt", Parse) }

// Sessions returns the derived values of all sessions.
func Sessions() []Session { return all("derived/session-*.txt", parseSession) }

// SipHashes returns a key and SipHash-2-4 under it of the empty message, of 00, of 00 01, and so on, each as the eight
// bytes that go over the line.
func SipHashes() (Key, [][8]byte) {
	h := all("derived/siphash.txt", parseHashes)[0]
	return h.key, h.hashes
}

type hashes struct {
	key    Key
	hashes [][8]byte
}

// all reads the embedded files of a pattern. It panics on one that cannot be read; the package's own tests read all of
// them.
func all[T any](pattern string, parse func(text string) (T, error)) []T {
	names, err := fs.Glob(Files, pattern)
	if err != nil {
		panic(err)
	}
	read := make([]T, 0, len(names))
	for _, name := range names {
		text, err := Files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		one, err := parse(string(text))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		read = append(read, one)
	}
	return read
}

// Parse reads a case from the text of a file.
func Parse(text string) (Case, error) {
	var c Case
	l := split(text)
	c.Name, c.About = l.one("name"), l.one("about")
	if l.next("key") {
		c.Key = new(Key)
		l.bytes("key", c.Key[:])
		c.Seen = uint32(l.number("seen", math.MaxUint32))
	}
	c.Bytes = append(c.Bytes, l.hex("bytes")...)
	for l.next("bytes") {
		c.Bytes = append(c.Bytes, l.hex("bytes")...)
	}
	for l.next("frame") {
		r := Report{Frame: l.one("frame")}
		if r.Frame == "ok" {
			r.Message = l.one("message")
		}
		c.Reports = append(c.Reports, r)
	}
	switch answer := l.one("encode"); {
	case answer == "yes" && len(c.Reports) == 1:
		c.Encode = true
	case answer != "no":
		l.fault("encode: %q is neither yes for one message nor no", answer)
	}
	return c, l.end()
}

func parseSession(text string) (Session, error) {
	var s Session
	l := split(text)
	s.Name, s.About = l.one("name"), l.one("about")
	l.bytes("key", s.Key[:])
	s.Host, s.Shoe = l.number("host", math.MaxUint64), l.number("shoe", math.MaxUint64)
	s.Proof = l.number("proof", math.MaxUint64)
	l.bytes("from-host", s.FromHost[:])
	l.bytes("from-shoe", s.FromShoe[:])
	s.Seed = l.number("seed", math.MaxUint64)
	for l.next("nonce") {
		s.Nonces = append(s.Nonces, l.number("nonce", math.MaxUint64))
	}
	return s, l.end()
}

func parseHashes(text string) (hashes, error) {
	var h hashes
	l := split(text)
	l.one("name")
	l.one("about")
	l.bytes("key", h.key[:])
	for l.next("hash") {
		var hash [8]byte
		l.bytes("hash", hash[:])
		h.hashes = append(h.hashes, hash)
	}
	return h, l.end()
}
