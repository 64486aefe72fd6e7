package rules

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/plaintext"
)

// SplitBy says which two cards are a pair.
type SplitBy uint8

// What makes a pair.
const (
	SplitByValue SplitBy = iota
	SplitByRank
)

// SplitByNames are the names in a profile.
var SplitByNames = plaintext.Enum[SplitBy]{SplitByValue: "value", SplitByRank: "rank"}

// String returns the name in a profile.
func (s SplitBy) String() string { return SplitByNames.Name(s) }

// MarshalText writes the name in a profile.
func (s SplitBy) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name in a profile.
func (s *SplitBy) UnmarshalText(text []byte) error {
	return SplitByNames.Read(s, text, "rule for pairs")
}

// ByRank reports whether only two cards of one rank are a pair.
func (s *Split) ByRank() bool { return s.By != nil && *s.By == SplitByRank }

// Allows reports whether two cards that count so much, an ace one, may be split.
func (s *Split) Allows(points int) bool {
	return s.Max != 0 && (s.Never == nil || !s.Never.Has(points))
}

// DrawsAces reports whether split aces are played like other hands.
func (s *Split) DrawsAces() bool { return s.AcesDrawn != nil && *s.AcesDrawn }

// Values are cards by what they count, an ace one.
type Values struct{ set uint16 }

// Has reports whether cards that count so much are among them.
func (v *Values) Has(points int) bool { return v.set>>points&1 == 1 }

const (
	leastValue = 2
	mostValue  = 10
)

// UnmarshalText reads a list such as "A, 4, 10".
func (v *Values) UnmarshalText(text []byte) error {
	var read Values
	part, rest, more := plaintext.Cut(string(text), ',')
	for {
		points, name := 1, plaintext.Trim(part)
		if name != "A" {
			n, err := strconv.Atoi(name)
			if err != nil || n < leastValue || n > mostValue {
				return errors.New(strconv.Quote(name) + " is not what a card counts: write A, or 2 to 10")
			}
			points = n
		}
		if read.Has(points) {
			return errors.New(name + " is there twice: remove one of them")
		}
		if read.set |= 1 << points; !more {
			break
		}
		part, rest, more = plaintext.Cut(rest, ',')
	}
	*v = read
	return nil
}

// MarshalText writes the list as a profile does.
func (v Values) MarshalText() ([]byte, error) {
	var names []string
	if v.Has(1) {
		names = append(names, "A")
	}
	for points := leastValue; points <= mostValue; points++ {
		if v.Has(points) {
			names = append(names, strconv.Itoa(points))
		}
	}
	return []byte(plaintext.Join(names, ", ")), nil
}

// Against reports whether insurance is offered against a first card of the bank.
func (i *Insurance) Against(up card.Rank) bool {
	return i.Offered && (up == card.Ace || i.InsuresTens() && hand.TenValue(up))
}

// InsuresTens reports whether insurance is offered against a ten or picture, too.
func (i *Insurance) InsuresTens() bool { return i.Tens != nil && *i.Tens }

// MayRest reports whether a hand of a total may rest.
func (p *Play) MayRest(total int) bool { return p.DrawBelow == nil || total >= *p.DrawBelow }

// MayDraw reports whether a hand of a total may get another card.
func (p *Play) MayDraw(total int, soft bool) bool {
	return p.RestFrom == nil || soft || total < *p.RestFrom
}

func (r *Rules) checkForced(c *Complaints) {
	below, from := r.Play.DrawBelow, r.Play.RestFrom
	c.when(below != nil && (*below < 4 || *below > 17), "play.draw_below", "no box is made to draw so",
		"write 4 to 17, or remove the line")
	c.when(from != nil && (*from < 12 || *from > 21), "play.rest_from", "no box is made to rest so",
		"write 12 to 21, or remove the line")
	c.when(below != nil && from != nil && *below > *from, "play.rest_from",
		"a box of "+strconv.Itoa(*or(from))+" would have to draw and to rest", "write at least draw_below")
	c.when(r.Insurance.InsuresTens() && !r.Insurance.Offered, "insurance.tens", "nothing can be insured",
		"write offered: true, or remove the line")
}

func or(n *int) *int {
	if n == nil {
		return new(int)
	}
	return n
}
