// Package odds works out what a house's rules are worth: the edge of the main game under best play, with the best play
// itself, and of every side bet, for any packs and whatever is left of them. Like the engine it is pure: rules and
// cards in, numbers out. It shares with the engine what a card counts, which cards win a line, and the rules, and none
// of its steps: package dealt, which deals rounds with the engine, checks each by the other.
//
// # What is exact
//
// Nothing is put back, and nothing is drawn at random. Side bets, insurance and the bank's totals are counted in
// integers. The main game goes through every hand by its cards' points, in floating point, so its last digits are
// rounded.
//
// # Best play
//
// Best play decides each hand by its own cards and the bank's first: it knows what these take out of the packs, and
// does not look at other boxes. A hand after a split is played by its own cards, by the card that was split, and by the
// bank's first: not by what the other hands of its box have drawn. Whether a box splits again depends on how many hands
// it has.
//
// For this play what a split is worth is exact, whatever the order in which hands draw, since cards that nobody looks
// at can be exchanged. What is cut off is a box that splits so often that it gets more than maxHands hands, or more
// than the cards last for; how much more the main game can be worth with them is Error. It follows from how often boxes
// come to split on, and from what one split more can be worth at most by what the house pays.
//
// # Few cards
//
// A shoe in which the cards might run out in the middle of a round is refused: what is exchanged must be there. Each
// other box counts with one hand.
//
// # One box
//
// In Black Jack other boxes take cards that nobody looks at, so that their number changes nothing. In Black James the
// bank draws less if no other box is in the game: the exact figures are those of one box alone. Of more boxes the play
// is the best while the bank draws in any case, which it nearly always does beside many; what that leaves open is
// bounded.
//
// # How it is written
//
// A Sheet and a Chart write what was worked out: as text, JSON lines, CSV or a page, for whoever asks. Their JSON and
// CSV are contracts.
package odds
