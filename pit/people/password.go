package people

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/authority"
)

const (
	// LeastPassword and MostPassword are how many characters a password may have.
	LeastPassword, MostPassword = 12, 128
	// leastDifferent is how many of them must differ.
	leastDifferent = 5
	// startFor is how long a starting password may be used.
	startFor = 3 * 24 * time.Hour
)

// The reasons why a password is no good. They do not repeat it.
var (
	ErrPasswordShort  = errors.New("the password is too short: choose at least 12 characters, such as four words")
	ErrPasswordLong   = errors.New("the password is too long: choose at most 128 characters")
	ErrPasswordSimple = errors.New("the password is too easy to guess: choose one without your name and with at " +
		"least 5 different characters")
	ErrPasswordSame = errors.New("this is the password that you have: choose another")
)

// CheckPassword refuses a password that is easily guessed. Length is what counts: no rule asks
// for digits or special characters.
func CheckPassword(name, password string) error {
	different := map[rune]bool{}
	for _, c := range password {
		different[c] = true
	}
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password), n < LeastPassword:
		return ErrPasswordShort
	case n > MostPassword:
		return ErrPasswordLong
	case len(different) < leastDifferent, holdsName(password, name):
		return ErrPasswordSimple
	}
	return nil
}

// holdsName says whether a password is little more than the person's name.
func holdsName(password, name string) bool {
	const more = 6
	password, name = strings.ToLower(password), strings.ToLower(name)
	left := strings.ReplaceAll(password, name, "")
	return left != password && utf8.RuneCountInString(left) < more
}

// typed is base32 in small letters, of which none looks like another on paper.
var typed = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// startingPassword is one that somebody writes down and hands over: 80 random bits.
func startingPassword() string {
	const size, group = 10, 4
	var secret [size]byte
	rand.Read(secret[:]) // never fails: crypto/rand ends the program instead
	text := typed.EncodeToString(secret[:])
	var groups []string
	for i := 0; i < len(text); i += group {
		groups = append(groups, text[i:i+group])
	}
	return strings.Join(groups, "-")
}

// nobodys is the hash that a wrong name is checked against: the answer takes as long.
var nobodys = sync.OnceValue(func() authority.Hash { return authority.NewHash(startingPassword()) })

// matches checks a password. It takes as long for a person who is not known, or has none.
func (p Person) matches(password string) bool {
	hash, err := authority.ParseHash(p.Password)
	if err != nil {
		nobodys().Matches(password)
		return false
	}
	return hash.Matches(password)
}
