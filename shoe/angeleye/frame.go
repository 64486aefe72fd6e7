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
	dataLimit   = 16
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
// shortest: a longer one would contain the beginning of another.
func (w *window) take(r *report) (before int, ok bool) {
	check := digit(w.at[w.n-2])<<4 | digit(w.at[w.n-1])
	end := w.n - 3 // of the data
	for start := w.n - shortest; start >= 0; start-- {
		data := w.at[start+2 : end]
		if w.at[start] != enq || xor(w.at[start+1:end+1]) != check || !plausible(data) {
			continue
		}
		*r = report{number: w.at[start+1]}
		r.n = copy(r.data[:], data)
		w.n = 0
		return start, true
	}
	return 0, false
}

// lengths are the known kinds' lengths of data.
var lengths = map[byte]int{'S': 1, 'P': 1, 'D': 3, 'd': 3, 'R': 3, 'C': 1, 'G': 2, 'E': 2, 'e': 2, 'L': 2, 'M': 7}

// plausible says whether data may be a report's: as long as its kind requires, or, for an unknown kind, without a byte
// that frames reports. The loss of a run of bytes can pass the checksum.
func plausible(data []byte) bool {
	if length, known := lengths[data[0]]; known {
		return len(data) == length
	}
	return !slices.ContainsFunc(data, func(b byte) bool { return b == stx || b == etx || b == enq })
}

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
