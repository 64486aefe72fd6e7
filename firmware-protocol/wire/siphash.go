package wire

import (
	"encoding/binary"
	"math/bits"
)

// SipHash returns SipHash-2-4 of p under the key: a pseudorandom function for short
// inputs, by Jean-Philippe Aumasson and Daniel J. Bernstein (2012). Key, words and
// result are little-endian.
func SipHash(k *Secret, p []byte) uint64 {
	le := binary.LittleEndian
	k0, k1 := le.Uint64(k[:8]), le.Uint64(k[8:])
	s := sipState{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	last := uint64(len(p)) << 56 // the length modulo 256, above the remaining bytes
	for ; len(p) >= 8; p = p[8:] {
		s.compress(le.Uint64(p))
	}
	for i, b := range p {
		last |= uint64(b) << (8 * i)
	}
	s.compress(last)
	s.v2 ^= 0xff
	for range 4 {
		s.round()
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

type sipState struct{ v0, v1, v2, v3 uint64 }

func (s *sipState) compress(word uint64) {
	s.v3 ^= word
	s.round()
	s.round()
	s.v0 ^= word
}

func (s *sipState) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}
