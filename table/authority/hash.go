package authority

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"golang.org/x/crypto/argon2"
)

// cost is what a hash takes: KiB of memory, and passes over it. All are made in one lane, which leaves a Raspberry Pi
// its other cores.
type cost struct{ memory, passes uint32 }

var (
	// usualCost is for what cannot be tried through, such as a password: the first choice of OWASP's password storage
	// sheet.
	usualCost = cost{19456, 2}
	// dearCost is for a PIN, of which there are few: nearly as much as a table takes at all. The memory of the next one
	// may be taken before that of the last is free: twice these 46 MiB leave the table's unit, which may have 256, room
	// for everything else.
	dearCost = cost{47104, 5}
)

const (
	costLanes = 1
	saltSize  = 16
	sumSize   = 32
)

// What a hash made elsewhere may cost. The lower limits are the cheapest of that sheet's
// choices. The upper ones admit the defaults of common libraries, and keep a configuration
// from taking a Raspberry Pi's memory or seconds of its time.
const (
	leastMemory, mostMemory = 7168, 65536       // KiB
	leastWork, mostWork     = 7168 * 5, 4 << 16 // KiB times passes
	mostLanes               = 4
	leastSalt, mostSalt     = 16, 48 // bytes
	leastSum, mostSum       = 16, 64 // bytes
)

// Hash is the argon2id hash of a PIN or another secret, with its salt and cost. The zero value matches nothing.
type Hash struct {
	memory, passes uint32
	lanes          uint8
	salt, sum      string
}

// NewHash hashes a password or the number of a badge, with a salt of its own.
func NewHash(secret string) Hash { return usualCost.hash(secret) }

// NewPIN hashes a PIN with a salt of its own, at ten times the cost.
func NewPIN(pin string) Hash { return dearCost.hash(pin) }

func (c cost) hash(secret string) Hash {
	var salt [saltSize]byte
	rand.Read(salt[:]) // never fails: crypto/rand ends the program instead
	h := Hash{memory: c.memory, passes: c.passes, lanes: costLanes, salt: string(salt[:])}
	h.sum = string(h.of(secret, sumSize))
	return h
}

func (h Hash) of(pin string, size int) []byte {
	return argon2.IDKey([]byte(pin), []byte(h.salt), h.passes, h.memory, h.lanes, uint32(size))
}

// Matches reports whether the hash is this PIN's. It takes the time and memory that the
// hash costs, and compares in constant time.
func (h Hash) Matches(pin string) bool {
	if h.sum == "" {
		return false
	}
	return subtle.ConstantTimeCompare(h.of(pin, len(h.sum)), []byte(h.sum)) == 1
}

// Alike reports whether two hashes have the same salt and cost, so that one computation
// serves both.
func (h Hash) Alike(other Hash) bool {
	h.sum, other.sum = fmt.Sprint(len(h.sum)), fmt.Sprint(len(other.sum))
	return h == other
}

// Like hashes another number with the same salt and cost, which must be those of a new hash or
// of ParseHash.
func (h Hash) Like(number string) Hash {
	h.sum = string(h.of(number, len(h.sum)))
	return h
}

// plainText is base64 as in hash strings: no padding, and no unused bits.
var plainText = base64.RawStdEncoding.Strict()

// String writes the hash in the PHC string format, which ParseHash reads.
func (h Hash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.lanes,
		plainText.EncodeToString([]byte(h.salt)), plainText.EncodeToString([]byte(h.sum)))
}

var (
	errNoHash = errors.New("is not an argon2id hash such as $argon2id$v=19$m=19456,t=2,p=1$…$…")
	// phc matches the only order and spelling in which the format writes a hash.
	phc = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\$argon2id\$v=19\$m=([1-9][0-9]{0,9}),t=([1-9][0-9]{0,9}),p=([1-9][0-9]{0,2})` +
			`\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$`)
	})
)

// longest is more than the length of any hash string within the limits.
const longest = 256

// ParseHash reads a hash as String writes it, and nothing else. It refuses a hash that is
// too cheap to guess, or too expensive for a Raspberry Pi to check. No error repeats any of
// the text, which may be a PIN in place of its hash.
func ParseHash(s string) (Hash, error) {
	if len(s) > longest {
		return Hash{}, errNoHash
	}
	parts := phc().FindStringSubmatch(s)
	if parts == nil {
		return Hash{}, errNoHash
	}
	salt, errSalt := plainText.DecodeString(parts[4])
	sum, errSum := plainText.DecodeString(parts[5])
	if errSalt != nil || errSum != nil {
		return Hash{}, errNoHash
	}
	return bounded(number(parts[1]), number(parts[2]), number(parts[3]), salt, sum)
}

// number reads up to ten digits, which always fit.
func number(digits string) uint64 {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// bounded is the hash, if all of it is within the limits.
func bounded(memory, passes, lanes uint64, salt, sum []byte) (Hash, error) {
	work := memory * passes
	switch {
	case memory < leastMemory, work < leastWork:
		return Hash{}, fmt.Errorf("is too cheap to guess: m must be at least %d, and m times t at least %d",
			leastMemory, leastWork)
	case memory > mostMemory, work > mostWork, lanes > mostLanes:
		return Hash{},
			fmt.Errorf("costs too much to check: m may be at most %d, m times t at most %d, and p at most %d",
				mostMemory, mostWork, mostLanes)
	case len(salt) < leastSalt || len(salt) > mostSalt:
		return Hash{}, fmt.Errorf("has a salt of %d bytes: it must have %d to %d", len(salt), leastSalt, mostSalt)
	case len(sum) < leastSum || len(sum) > mostSum:
		return Hash{}, fmt.Errorf("has %d bytes of hash: it must have %d to %d", len(sum), leastSum, mostSum)
	}
	return Hash{
		memory: uint32(memory), passes: uint32(passes), lanes: uint8(lanes), salt: string(salt),
		sum: string(sum),
	}, nil
}
