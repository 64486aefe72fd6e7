// Package secondbook is the auditor's book: it keeps a round independently of the engine, by
// the house rules alone, from the recorded inputs and outputs. It works out what each
// wager must bring and what the bank must draw, as a guest with a pencil would, and shares
// no code with the engine, so that a fault in one is not a fault in the other.
//
// It does not know when a call is allowed, nor what is irregular. A replay finds that.
package secondbook
