// Package figures is the pit's figures: how fast the tables deal, what was staked and won against what luck explains,
// what went wrong, and how full the tables were, by table, dealer and hour. It asks a Source for sums, compares them
// with package luck, and draws pages whose pictures are SVG made here, each in the table of its numbers or next to it.
// What the rules themselves are worth, and the best play, is on a page of its own, which package worth works out.
// docs/figures.md says what each figure means.
package figures
