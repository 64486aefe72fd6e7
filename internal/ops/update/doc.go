// Package update installs a newer signed package of Sabot at a table, and goes back by itself if the table is not ready
// with it. Whoever may deal with the table's files may ask for it; what runs as root trusts the release's signature
// alone.
//
// Each step is kept before it is done, so that a power cut between any two is gone on from at the next start:
//
//	judging     the package is copied to where root alone writes, and judged there
//	waiting     a round may be open
//	installing  dpkg is at it, or the other slot is written
//	trying      the table has two minutes to be ready
//	going-back  it was not: dpkg is installing the package from before, or the slot from before is started
//	done        one way or the other
//
// What disturbs a round begins right after no round was open: dpkg, which restarts the table, and the start from the
// other slot. A slot is written before that, while the table deals.
package update
