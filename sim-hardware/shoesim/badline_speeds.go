package shoesim

import "math"

// speeds are the baud rates at which bytes are sent and heard.
type speeds struct{ sent, heard int }

// bitsPerByte are the start bit, eight data bits, and the stop bit.
const bitsPerByte = 10

// through returns what a receiver hears. It waits for the line to fall, and then samples it in the middle of what it
// takes for each bit. Without a stop bit it hears a zero byte, as Linux does.
func (s speeds) through(p []byte) []byte {
	if s.sent == s.heard {
		return p
	}
	var heard []byte
	scale := float64(s.sent) / float64(s.heard) // sent bits per heard bit
	end := float64(len(p) * bitsPerByte)
	for at := fall(p, 0); at < end; at = fall(p, at) {
		if level(p, at+0.5*scale) { // too short for a start bit
			at += 0.5 * scale
			continue
		}
		heard = append(heard, listen(p, at, scale))
		at += 9.5 * scale
	}
	return heard
}

// listen reads a byte whose start bit begins at a time.
func listen(p []byte, at, scale float64) (b byte) {
	if !level(p, at+9.5*scale) {
		return 0
	}
	for bit := range 8 {
		if level(p, at+(float64(bit)+1.5)*scale) {
			b |= 1 << bit
		}
	}
	return b
}

// level is whether the line is high at a time, counted in sent bits. It rests high.
func level(p []byte, at float64) bool {
	i := int(at)
	if i >= len(p)*bitsPerByte {
		return true
	}
	switch b, bit := p[i/bitsPerByte], i%bitsPerByte; bit {
	case 0:
		return false
	case bitsPerByte - 1:
		return true
	default:
		return b>>(bit-1)&1 == 1
	}
}

// fall is when the line next falls, from a time on; the end if never.
func fall(p []byte, from float64) float64 {
	end := len(p) * bitsPerByte
	high := from == 0 || level(p, from)
	for i := int(math.Ceil(from)); i < end; i++ {
		now := level(p, float64(i))
		if high && !now {
			return float64(i)
		}
		high = now
	}
	return float64(end)
}
