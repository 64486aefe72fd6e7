package authority

import (
	"errors"
	"fmt"
	"strings"
)

// LeastDigits and MostDigits are how many digits a PIN may have; a house may ask for more than the least.
const LeastDigits, MostDigits = 4, 12

// CheckPIN refuses a PIN that a PIN pad cannot take or that is easily guessed: shorter than least,
// one repeated digit, or a run up or down such as 1234. The error does not repeat it.
func CheckPIN(pin string, least int) error {
	switch {
	case strings.Trim(pin, "0123456789") != "":
		return errors.New("a PIN has only digits: choose another")
	case len(pin) < least:
		return fmt.Errorf("the PIN is too short: choose at least %d digits", least)
	case len(pin) > MostDigits:
		return fmt.Errorf("the PIN is too long: choose at most %d digits", MostDigits)
	case evenly(pin):
		return errors.New("the PIN is too easy to guess: choose digits that neither repeat nor run up or down")
	}
	return nil
}

// evenly reports whether each digit follows the one before by the same step: none, one up,
// or one down, with 0 next to 9.
func evenly(pin string) bool {
	step := (10 + pin[1] - pin[0]) % 10
	if step != 0 && step != 1 && step != 9 {
		return false
	}
	for i := 1; i < len(pin); i++ {
		if (10+pin[i]-pin[i-1])%10 != step {
			return false
		}
	}
	return true
}
