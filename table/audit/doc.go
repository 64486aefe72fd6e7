// Package audit checks a journal from its first input on, and trusts nothing that is
// recorded but the inputs: it computes the chain of hashes anew, checks the seals, plays
// every round again, keeps a second book of it that shares no code with the engine, and
// compares with what was recorded. It goes on behind a fault and says what is wrong, for
// somebody who knows the game and no program.
package audit
