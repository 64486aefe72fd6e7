// Package notation writes what happens at a table as a croupier would say it, and a
// table's position in one line, as FEN does for chess:
//
//	open; stake 1 a 20; close; TS 7D 9S; rest
//
// docs/notation.md describes it. Logs, bug reports and the page of a past round use it, and test cases, for which
// internal/testkit/tabletest reads it; journals and transcripts use JSON (package transcript).
//
// For tests, audits and logs it also says each input and output in a sentence (Digits.Input, Digits.Output).
package notation
