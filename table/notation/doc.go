// Package notation writes what happens at a table as a croupier would say it, and a
// table's position in one line, as FEN does for chess. It reads both back:
//
//	open; stake 1 a 20; close; TS 7D 9S; rest
//
// docs/notation.md describes it. Logs, bug reports, test cases and the page of a past round
// use it; journals and transcripts use JSON (package transcript).
package notation
