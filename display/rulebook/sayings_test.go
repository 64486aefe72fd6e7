package rulebook

import (
	"testing"
	"unicode/utf8"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
)

// width is how wide the column is in which sabot rules show writes what is said.
const width = 68

// otherwise has every rule different from Schaffhausen's.
const otherwise = `extends: schaffhausen
house: otherwise
title: A house that does everything otherwise
table: {currency: EUR, boxes: 1, boxes_from: 1, boxes_to: 1, min: 5.00, box_max: 100.00, unit: 1.00, rounding: nearest, step: min, bettors: 1}
chips: [{value: 1.00}, {value: 5.00, colour: red}, {value: 1000.00, plaque: true}, {value: 5000.00, plaque: true, colour: purple}]
tray_difference: dealer
cards: {source: shuffler, decks: 1, jokers: 1, burn: {loaded: by-value, relief: 3}}
play: {calls: implied, auto_rest_at_21: false, lone_player_two_boxes: true}
bank: {draws: always}
double: {on: [11], hard_only: true, after_split: false}
split: {max: 0}
insurance: {exactly_half: false, black_jack: false, even_money: true}
surrender: false
three_sevens: {after_split: true}
pays: {bonus_black_jack: "2:1"}
at_once: {black_jack: false, bonus_black_jack: true, three_sevens: false, bust: false, insurance: true}
`

// Every value has words, unless it means nothing in its house, as the built-in profiles
// say.
func TestEveryValueHasWords(t *testing.T) {
	for name, r := range profile.Built() {
		for path, value := range r.Values() {
			wordsOf(t, name, subjectOf(display.English, r, r.Rules, path, value),
				r.Origin(path).Text == "not played here")
		}
	}
	r, err := profile.Built().Parse("otherwise.yaml", []byte(otherwise))
	if err != nil {
		t.Fatal(err)
	}
	for path, value := range r.Values() {
		wordsOf(t, "otherwise", subjectOf(display.English, r, r.Rules, path, value), path == "split.aces_again" ||
			path == "at_once.surrender")
	}
}

// wordsOf checks that a value has words which fit the page, or that it has none.
func wordsOf(t *testing.T, house string, s subject, silent bool) {
	t.Helper()
	if _, known := sayingOf(s.pattern); !known {
		t.Errorf("there are no words for %s", s.pattern)
		return
	}
	switch s.pattern {
	case "house", "title", "game", "side_bets.pays.line", "chips.colour", "chips.plaque":
		silent = true
	}
	text := s.say()
	if (text == "") != silent {
		t.Errorf("%s: %s: %s is said as %q", house, s.pattern, s.value, text)
	}
	if utf8.RuneCountInString(text) > width {
		t.Errorf("%s: %s does not fit the column of sabot rules show: %q", house, s.pattern, text)
	}
	if text != "" && s.title() == "" {
		t.Errorf("%s has no title", s.pattern)
	}
}
