package faults

// Harm is what happens to a single frame: it appends to out what is left of the frame.
type Harm func(out, frame []byte) []byte

// Next harms the frames that follow, one by one, instead of what the rates would do to them.
func (l *Line) Next(harms ...Harm) { l.next = append(l.next, harms...) }

// Watch calls seen with each frame that is sent, and what arrives of it, before speed and delay. Both are overwritten
// afterwards.
func (l *Line) Watch(seen func(sent, arrives []byte)) { l.watch = seen }

// Unharmed lets the frame through.
func Unharmed(out, frame []byte) []byte { return append(out, frame...) }

// Lose loses the frame.
func Lose(out, _ []byte) []byte { return out }

// Double lets the frame arrive twice.
func Double(out, frame []byte) []byte { return append(append(out, frame...), frame...) }

// Cut lets so many bytes of the frame arrive.
func Cut(bytes int) Harm {
	return func(out, frame []byte) []byte { return append(out, frame[:min(bytes, len(frame))]...) }
}

// Without lets the frame arrive without a run of bytes.
func Without(from, bytes int) Harm {
	return func(out, frame []byte) []byte {
		from := min(from, len(frame))
		return append(append(out, frame[:from]...), frame[min(from+bytes, len(frame)):]...)
	}
}

// Turn turns these bits of one byte.
func Turn(at int, bits byte) Harm {
	return func(out, frame []byte) []byte {
		out = append(out, frame...)
		if at < len(frame) {
			out[len(out)-len(frame)+at] ^= bits
		}
		return out
	}
}

// Instead lets other bytes arrive.
func Instead(other []byte) Harm {
	return func(out, _ []byte) []byte { return append(out, other...) }
}
