// Package notation writes down what happens at a table as a croupier would say it, and
// where a table stands in one line, as FEN does for chess. Both are read back:
//
//	open; stake 1 a 20; close; TS 7D 9S; rest
//
// docs/notation.md describes it. Logs, bug reports, test cases and the page of a past round
// use it; journals and transcripts have JSON (package transcript).
package notation
