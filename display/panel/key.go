// Package panel is the dealer's panel: what a key means at this moment, which lamps
// burn, when the buzzer sounds. It reads the view that all displays read and decides
// nothing about a round: a key becomes the input that the dealer means by it, and the
// engine judges that.
package panel

import "fmt"

// Key is a function of a key on the panel.
type Key uint8

// The keys.
const (
	Card Key = iota + 1
	Rest
	Double
	Split
	Surrender
	Insurance
	EvenMoney
	Higher
	Lower
	// Bets opens the bets, closes them, and closes the insurance, which is a bet too.
	Bets
	Paid
	Undo
)

var keyNames = [...]string{
	Card: "card", Rest: "rest", Double: "double", Split: "split", Surrender: "surrender",
	Insurance: "insurance", EvenMoney: "even-money", Higher: "higher", Lower: "lower",
	Bets: "bets", Paid: "paid", Undo: "undo",
}

// String returns the key's name.
func (k Key) String() string {
	if int(k) < len(keyNames) && keyNames[k] != "" {
		return keyNames[k]
	}
	return fmt.Sprintf("key %d", uint8(k))
}

// ParseKey reads a key's name.
func ParseKey(s string) (Key, bool) {
	for k := range EveryKey {
		if keyNames[k] == s {
			return k, true
		}
	}
	return 0, false
}

// EveryKey yields every key.
func EveryKey(yield func(Key) bool) {
	for k := Card; k <= Undo; k++ {
		if !yield(k) {
			return
		}
	}
}

// IsCall says whether the key announces a guest's decision. Two of these pressed at
// once contradict each other.
func (k Key) IsCall() bool { return k >= Card && k <= Lower }
