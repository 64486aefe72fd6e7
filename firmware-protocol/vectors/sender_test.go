package vectors_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// What is sent in the vectors is made here from the tables of SPEC.md, independently of the codecs that must pass them.
// Only SipHash is shared: it has its authors' own vectors.

// layouts give for each message its type and, in order, its fields with their sizes in bytes. A field without a size
// extends to the end.
var layouts = map[string]struct {
	kind   byte
	fields string
}{
	"hello": {
		0x01,
		"protocol:1 session:1 capabilities:4 boot:4 first:4 last:4 major:1 minor:1 patch:1 serial:",
	},
	"heartbeat":     {0x02, "boot:4 last:4 queued:2 locks:1 light:1"},
	"log":           {0x03, "level:1 text:"},
	"answer":        {0x04, "host:8 shoe:8 proof:8"},
	"card":          {0x11, "boot:4 seq:4 time:8 rank:1 suit:1 confidence:1"},
	"cut-card":      {0x12, "boot:4 seq:4 time:8"},
	"key":           {0x13, "boot:4 seq:4 time:8 key:1 down:1"},
	"alarm-raised":  {0x14, "boot:4 seq:4 time:8 alarm:1 detail:2"},
	"alarm-cleared": {0x15, "boot:4 seq:4 time:8 alarm:1 detail:2"},
	"lock-state":    {0x16, "boot:4 seq:4 time:8 locks:1"},
	"host-hello":    {0x81, "protocol:1 capabilities:4 boot:4 seq:4"},
	"acknowledge":   {0x82, "boot:4 seq:4"},
	"lock":          {0x83, "locked:1"},
	"lamp":          {0x84, "light:1"},
	"status":        {0x85, ""},
	"challenge":     {0x86, "host:8"},
}

// packet is a message's version, type and payload. The message is a line as in the vectors; its fields may have any
// value.
func packet(version byte, message string) []byte {
	name, _, _ := strings.Cut(message, " ")
	layout, known := layouts[name]
	if !known {
		panic("there is no message " + name)
	}
	p := []byte{version, layout.kind}
	for field := range strings.FieldsSeq(layout.fields) {
		name, size, _ := strings.Cut(field, ":")
		_, value, found := strings.Cut(message, " "+name+"=")
		if !found {
			panic(message + " has no " + name)
		}
		if size == "" {
			return append(p, value...)
		}
		value, _, _ = strings.Cut(value, " ")
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			panic(err)
		}
		p = append(p, little(n)[:size[0]-'0']...)
	}
	return p
}

func little(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// plain is the packet of a message without a seal.
func plain(message string) []byte { return packet(1, message) }

// sealed is the packet of a message with its counter and tag.
func sealed(key *vectors.Key, counter uint32, message string) []byte {
	return tagged(key, counter, packet(2, message))
}

func tagged(key *vectors.Key, counter uint32, p []byte) []byte {
	p = append(p, little(uint64(counter))[:4]...)
	return append(p, little(siphash(key, p))...)
}

func siphash(key *vectors.Key, p []byte) uint64 { return wire.SipHash((*wire.Secret)(key), p) }

// derived is D of SPEC.md.
func derived(key *vectors.Key, label string, a, b uint64) []byte {
	padded := append([]byte(label), make([]byte, 8-len(label))...)
	return little(siphash(key, slices.Concat(padded, little(a), little(b))))
}

// frame is what goes over the line for a packet.
func frame(packet []byte) []byte { return stuffed(append(packet, crc(packet)...)) }

func crc(packet []byte) []byte { return little(uint64(crc32.ChecksumIEEE(packet)))[:4] }

// stuffed is COBS and the zero that ends it.
func stuffed(packet []byte) []byte {
	var out []byte
	for run := range bytes.SplitSeq(packet, []byte{0}) {
		out = append(append(out, byte(len(run)+1)), run...)
	}
	return append(out, 0)
}

// session is what follows from a key, two nonces and a seed.
func session(name, about string, key vectors.Key, host, shoe, seed uint64) vectors.Session {
	s := vectors.Session{Name: name, About: about, Key: key, Host: host, Shoe: shoe, Seed: seed}
	s.Proof = binary.LittleEndian.Uint64(derived(&key, "sabot-pr", host, shoe))
	half := func(label string) []byte { return derived(&key, label, host, shoe) }
	s.FromHost = vectors.Key(slices.Concat(half("sabot-h0"), half("sabot-h1")))
	s.FromShoe = vectors.Key(slices.Concat(half("sabot-s0"), half("sabot-s1")))
	for n := range uint64(3) {
		s.Nonces = append(s.Nonces, binary.LittleEndian.Uint64(derived(&key, "sabot-nc", seed, n+1)))
	}
	return s
}
