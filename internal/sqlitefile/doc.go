// Package sqlitefile reads the rows of one table from the pages of an SQLite
// database, in the order of their numbers. SQL takes ten times as long for each
// row, which matters to who reads all of them.
//
// It knows the part of the format that a plain table has: b-tree pages, overflow
// pages, records (sqlite.org/fileformat2.html). It does not lock, and knows no
// write-ahead log: where the pages come from, and that they belong together, is the
// caller's matter.
//
// The pages may be damaged, or made to mislead: whatever they hold, a walk ends, and
// what cannot be read is an error that names the page.
package sqlitefile
