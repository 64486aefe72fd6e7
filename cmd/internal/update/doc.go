// Package update installs a newer signed package of Sabot at a table, and goes back by itself if the table is not ready with
// it. Whoever may deal with the table's files may ask for it; what runs as root trusts the release's signature alone.
//
// Each step is kept before it is done, so that a power cut between any two is gone on from at the next start:
//
//	asked       a package and its signature lie in the folder of requests, which the table's user may write to
//	waiting     both were copied to where root alone writes, and judged there; a round may be open
//	installing  dpkg is at it
//	trying      the table has two minutes to be ready
//	going-back  it was not: dpkg is installing the package from before
//	done        one way or the other
package update
