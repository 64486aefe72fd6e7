package device

// Tap returns a port that does what the given port does, and passes the bytes of each finished transfer to read or
// written. They are valid until the function returns, which must not block.
func Tap(p Port, read, written func([]byte)) Port { return &tap{p, read, written} }

type tap struct {
	Port
	read, written func([]byte)
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.Port.Read(p)
	if n > 0 {
		t.read(p[:n])
	}
	return n, err
}

// Losses returns the given port's counts.
func (t *tap) Losses() (Losses, bool) {
	if counter, ok := t.Port.(LossCounter); ok {
		return counter.Losses()
	}
	return Losses{}, false
}

func (t *tap) Write(p []byte) (int, error) {
	n, err := t.Port.Write(p)
	if n > 0 {
		t.written(p[:n])
	}
	return n, err
}
