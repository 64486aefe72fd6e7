package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// sealed frames what AppendFrame would never send: any version, type and payload.
func sealed(version uint8, t Type, payload []byte) []byte {
	frame := append([]byte{0, version, byte(t)}, payload...)
	frame = binary.LittleEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame[1:]))
	stuff(frame)
	return append(frame, 0)
}
