package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// AppendFrame appends the message as one frame, including the zero delimiter, and returns the extended slice. Field
// values are sent as they are. It panics for a type that the protocol does not have.
func AppendFrame(dst []byte, m Message) []byte {
	if !m.Type.Known() {
		panic(fmt.Sprintf("wire: cannot send a message of %s", m.Type))
	}
	start := len(dst)
	dst = append(dst, 0, Version, byte(m.Type)) // the zero becomes the first code byte
	return finish(appendPayload(dst, &m), start)
}

// AppendPacket appends a frame of any packet of up to 58 bytes, including version and type, whether the protocol has it
// or not: for tests of receivers.
func AppendPacket(dst, packet []byte) []byte {
	start := len(dst)
	return finish(append(append(dst, 0), packet...), start)
}

// appendSealed is AppendFrame with a seal.
func appendSealed(dst []byte, m *Message, k *Secret, counter uint32) []byte {
	start := len(dst)
	dst = append(dst, 0, SealedVersion, byte(m.Type))
	dst = appendPayload(dst, m)
	dst = binary.LittleEndian.AppendUint32(dst, counter)
	dst = binary.LittleEndian.AppendUint64(dst, SipHash(k, dst[start+1:]))
	return finish(dst, start)
}

// finish makes a frame of the packet that begins after the free byte at start.
func finish(dst []byte, start int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+1:]))
	stuff(dst[start:])
	return append(dst, 0)
}

// stuff turns a packet with a free byte before it into COBS, in place: the free byte and every zero are replaced by the
// distance to the next of them, or to the end. frame is shorter than 255 bytes, so that each distance fits in a byte.
func stuff(frame []byte) {
	code := 0
	for i := 1; i < len(frame); i++ {
		if frame[i] == 0 {
			frame[code] = byte(i - code)
			code = i
		}
	}
	frame[code] = byte(len(frame) - code)
}

// unstuff undoes stuff in place and returns the packet; ok is false if the last
// distance misses the end. frame holds at least one byte, and no zero.
func unstuff(frame []byte) (packet []byte, ok bool) {
	next := int(frame[0])
	for next < len(frame) {
		distance := int(frame[next])
		frame[next] = 0
		next += distance
	}
	return frame[1:], next == len(frame)
}

// packet is the contents of an intact frame.
type packet struct {
	version uint8
	kind    Type
	payload []byte
	seal    seal // of a sealed frame
}

// seal is what a sealed frame's tag vouches for.
type seal struct {
	body    []byte // everything that the tag covers
	counter uint32
	tag     uint64
}

// open takes apart a frame without its delimiter, decoding in place.
func open(frame []byte) (packet, error) {
	decoded, ok := unstuff(frame)
	if !ok {
		return packet{}, ErrCOBS
	}
	if len(decoded) < headSize+crcSize {
		return packet{}, ErrTooShort
	}
	body, sum := decoded[:len(decoded)-crcSize], decoded[len(decoded)-crcSize:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
		return packet{}, ErrCRC
	}
	p := packet{version: body[0], kind: Type(body[1]), payload: body[headSize:]}
	if p.version == SealedVersion {
		if len(p.payload) < sealSize {
			return packet{}, ErrTooShort
		}
		p.takeSeal(body)
	}
	return p, nil
}

func (p *packet) takeSeal(body []byte) {
	end := len(p.payload) - sealSize
	at := p.payload[end:]
	p.seal = seal{body[:len(body)-8], binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint64(at[4:])}
	p.payload = p.payload[:end]
}
