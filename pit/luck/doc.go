// Package luck says what luck alone does to the house's result, wager by wager: the theoretical win, the band in which
// a result lies nineteen nights of twenty, and how likely a result is that lies this far off.
//
// What cards alone decide is computed exactly from the packs, by package odds: every line of a side bet's paytable, the
// bank's end for Bust, its Black Jack for insurance. Probabilities are ratios of integers, and cards are not put back.
// What guests decide too, the main game and Crazy Twins, is dealt by the real engine under a stated strategy, once per
// house, and kept in the package with its standard error: guests play by the textbook, not by the best play of package
// odds.
//
// The unit of independence is the round. Bettors on one box share its cards, and all boxes share the bank's, so a
// result's variance is made of two sums over the rounds: the squares of what lay on each box, and of what lay on the
// table. docs/figures.md has the formulas.
//
// The package is pure: values in, values out.
package luck
