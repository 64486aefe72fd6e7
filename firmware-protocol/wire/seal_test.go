package wire

// sealed frames what AppendFrame would never send: any version, type and payload.
func sealed(version uint8, t Type, payload []byte) []byte {
	return AppendPacket(nil, append([]byte{version, byte(t)}, payload...))
}
