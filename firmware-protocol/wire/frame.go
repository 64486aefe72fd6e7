package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// AppendFrame appends the message as one frame, zero delimiter included, and
// returns the extended slice. Field values are sent as they are. A type that the
// protocol does not have is the caller's mistake and panics.
func AppendFrame(dst []byte, m Message) []byte {
	if !m.Type.Known() {
		panic(fmt.Sprintf("wire: cannot send a message of %s", m.Type))
	}
	start := len(dst)
	dst = append(dst, 0, Version, byte(m.Type)) // the zero becomes the first code byte
	dst = appendPayload(dst, &m)
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+1:]))
	stuff(dst[start:])
	return append(dst, 0)
}

// stuff turns a packet with a free byte before it into COBS, in place: the free
// byte and every zero give way to the distance to the next of them, or to the
// end. frame is shorter than 255 bytes, so that each distance fits in a byte.
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

// open takes a frame without its delimiter apart, decoding in place.
func open(frame []byte) (version uint8, t Type, payload []byte, err error) {
	packet, ok := unstuff(frame)
	if !ok {
		return 0, 0, nil, ErrCOBS
	}
	if len(packet) < headSize+crcSize {
		return 0, 0, nil, ErrTooShort
	}
	body, sum := packet[:len(packet)-crcSize], packet[len(packet)-crcSize:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
		return 0, 0, nil, ErrCRC
	}
	return body[0], Type(body[1]), body[headSize:], nil
}
