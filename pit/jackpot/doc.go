// Package jackpot is the meter of a jackpot that several tables play for: what becomes of it by what the tables'
// journals say, how a win is shared, and the signed words in which the tables hear of it. It is pure but for a Ledger,
// in which whoever keeps the meter has it: pit/store in its database, tests in memory.
package jackpot
