// Package book is the auditor's book: it keeps a round beside the engine, by the house
// rules alone, out of what was put in and what was told. It says what each wager must
// bring and what the bank must draw, as a guest with a pencil would, and shares no code
// with the engine: a fault of the one is no fault of the other.
//
// It does not know which call may be made when, nor what is irregular. That is for a
// replay to find.
package book
