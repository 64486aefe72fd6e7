package profile_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

var inSideBet = regexp.MustCompile(`^side_bets\[(\d+)\](?:\.pays\[(\d+)\])?\.`)

// placeOf returns the side bet, and the line of its paytable, to which a path belongs.
func placeOf(r *profile.House, path string) (bet *rules.SideBet, line *rules.Line) {
	found := inSideBet.FindStringSubmatch(path)
	if found == nil {
		return nil, nil
	}
	bet = &r.SideBets[number(found[1])]
	if found[2] != "" {
		line = &bet.Pays[number(found[2])]
	}
	return bet, line
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err) // the pattern lets only digits through
	}
	return n
}

// parse reads a profile that must be valid.
func parse(t *testing.T, text string) *profile.House {
	t.Helper()
	r, err := profile.Built().Parse("house.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
