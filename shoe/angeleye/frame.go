package angeleye

import "slices"

// Control characters of the wire.
const (
	stx = 0x02
	etx = 0x03
	enq = 0x05
	ack = 0x06
	nak = 0x15
)

// The parts of a report: ENQ, number, data, ETX, and two hex digits that check everything from the number to ETX.
const (
	// dataLimit is the most data of a report. The longest known is a changed preset, of 7 bytes.
	dataLimit   = 64
	shortest    = 6
	windowLimit = shortest - 1 + dataLimit
)

// report is one report of the shoe: its number, and what it says. The first byte of
// the data is its kind.
type report struct {
	number byte
	data   [dataLimit]byte
	n      int
}

func (r *report) kind() byte { return r.data[0] }

// same says whether two reports have the same data.
func (r *report) same(o *report) bool { return r.n == o.n && r.data == o.data }

// odd says whether its kind is known to have another length.
func (r *report) odd() bool {
	length, known := lengths[r.kind()]
	return known && r.n != length
}

// longer says whether reports of its kind are known to be shorter.
func (r *report) longer() bool {
	length, known := lengths[r.kind()]
	return known && r.n > length
}

// card says whether a card has left the shoe.
func (r *report) card() bool { return r.kind() == 'D' || r.kind() == 'd' }

// frame is the report as it goes over the line.
func (r *report) frame() string {
	const digits = "0123456789ABCDEF"
	var room [windowLimit]byte
	p := append(append(append(room[:0], enq, r.number), r.data[:r.n]...), etx)
	check := xor(p[1:])
	return string(append(p, digits[check>>4], digits[check&15]))
}

// readFrame is the reverse of frame.
func readFrame(frame string) (r report, ok bool) {
	var w window
	for _, b := range []byte(frame) {
		w.add(b)
	}
	if !w.ends() {
		return r, false
	}
	before, ok := w.take(&r)
	return r, ok && before == 0
}

// window holds the bytes that may contain a report. It begins with ENQ, or is empty.
//
// Any ENQ in it may be the one that begins the report: a truncated report, or garbage, may contain one too. So an
// intact report is found whatever came before it.
type window struct {
	at [windowLimit]byte
	n  int
}

// add takes one more byte and returns the number of bytes dropped because no report can begin with them.
func (w *window) add(b byte) (dropped int) {
	if w.n == len(w.at) {
		dropped = w.drop(1)
	}
	if w.n == 0 && b != enq {
		return dropped + 1
	}
	w.at[w.n] = b
	w.n++
	return dropped
}

// drop removes so many bytes from the beginning, and those before the next ENQ.
func (w *window) drop(n int) (dropped int) {
	for n < w.n && w.at[n] != enq {
		n++
	}
	copy(w.at[:], w.at[n:w.n])
	w.n -= n
	return n
}

// ends says whether the last bytes look like a report's end.
func (w *window) ends() bool {
	return w.n >= shortest && w.at[w.n-3] == etx && isHex(w.at[w.n-2]) && isHex(w.at[w.n-1])
}

// take removes the report that has just ended, and returns how many bytes before it belong to none. It takes the
// shortest with a known length, since a longer one would contain the beginning of another; if there is none, one with
// an unexpected length.
func (w *window) take(r *report) (before int, ok bool) {
	check := digit(w.at[w.n-2])<<4 | digit(w.at[w.n-1])
	end := w.n - 3 // of the data
	odd := -1
	for start := w.n - shortest; start >= 0; start-- {
		if w.at[start] != enq || xor(w.at[start+1:end+1]) != check {
			continue
		}
		data := w.at[start+2 : end]
		if length, known := lengths[data[0]]; known && length == len(data) {
			return w.cut(r, start, end), true
		}
		if odd < 0 && !slices.ContainsFunc(data, framing) {
			odd = start
		}
	}
	if odd < 0 {
		return 0, false
	}
	return w.cut(r, odd, end), true
}

// cut reads the report that begins at start, and empties the window.
func (w *window) cut(r *report, start, end int) (before int) {
	*r = report{number: w.at[start+1]}
	r.n = copy(r.data[:], w.at[start+2:end])
	w.n = 0
	return start
}

// lengths are the known kinds' lengths of data.
var lengths = map[byte]int{'S': 1, 'P': 1, 'D': 3, 'd': 3, 'R': 3, 'C': 1, 'G': 2, 'E': 2, 'e': 2, 'L': 2, 'M': 7}

// framing says whether a byte frames reports. Data of an unknown kind or an unexpected length that contains one is not
// taken for a report: the loss of a run of bytes can pass the checksum.
func framing(b byte) bool { return b == stx || b == etx || b == enq }

func xor(b []byte) (sum byte) {
	for _, x := range b {
		sum ^= x
	}
	return sum
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'F' || b >= 'a' && b <= 'f'
}

func digit(b byte) byte {
	switch {
	case b >= 'a':
		return b - 'a' + 10
	case b >= 'A':
		return b - 'A' + 10
	default:
		return b - '0'
	}
}
