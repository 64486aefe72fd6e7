package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// sayingWidth is the width in characters of the page's left column.
const sayingWidth = 68

// writePage writes the rules of a house in plain words, each with its source. What the
// house does not play is left out.
func writePage(w io.Writer, r *profile.House) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	fmt.Fprintf(out, "%s\nhouse %s, %s, fingerprint %s\n\n", r.Title, r.House, gameWords[r.Game], r.Fingerprint)
	fmt.Fprintf(out, "  %-*s  %s\n", sayingWidth, "what is played", "where it comes from")
	heading := ""
	for path, value := range r.Values() {
		s := subjectOf(r.Rules, path, value)
		text := s.say()
		if text == "" {
			continue
		}
		if s.heading() != heading {
			heading = s.heading()
			fmt.Fprintf(out, "\n%s\n", heading)
		}
		fmt.Fprintf(out, "  %-*s  %s\n", sayingWidth, text, source(r, path))
	}
	return out.Flush()
}

// source says where a value comes from.
func source(r *profile.House, path string) string {
	from := r.Origin(path)
	text := from.Text
	if text == "" {
		text = "the file does not say"
	}
	if from.House != r.House {
		text += " (of " + from.House + ")"
	}
	return text
}

// subject is a value that the page puts into words.
type subject struct {
	rules *rules.Rules
	// pattern is the value's path, without the numbers of its lists.
	pattern, value string
	// bet is the side bet to which the value belongs, nil for the main game.
	bet *rules.SideBet
	// line is the line of the bet's paytable, 0 for a value outside it.
	line sidebet.Line
}

var (
	listNumber = regexp.MustCompile(`\[\d+\]`)
	inSideBet  = regexp.MustCompile(`^side_bets\[(\d+)\](?:\.pays\[(\d+)\])?`)
)

func subjectOf(r *rules.Rules, path, value string) subject {
	s := subject{rules: r, pattern: listNumber.ReplaceAllString(path, ""), value: value}
	place := inSideBet.FindStringSubmatch(path)
	if place == nil {
		return s
	}
	s.bet = &r.SideBets[index(place[1])]
	if place[2] != "" {
		s.line = s.bet.Pays[index(place[2])].Line
	}
	return s
}

// index reads digits that a pattern has found.
func index(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err) // more items than an int can count
	}
	return n
}

// heading returns the section of the page to which a value belongs.
func (s subject) heading() string {
	if s.bet != nil {
		return "Side bet " + s.bet.Bet.Title()
	}
	section, _, _ := strings.Cut(s.pattern, ".")
	return sections[section]
}

// say puts the value into words; "" for one that means nothing in this house.
func (s subject) say() string {
	saying, known := sayings[s.pattern]
	if !known {
		return s.pattern + ": " + s.value
	}
	return saying(s)
}

// offer returns the side bet with the limits of the profile.
func (s subject) offer() *rules.Offer { return s.rules.Offer(s.bet.Bet) }
