// Package store is what the pit keeps: the journals of its tables, record by record and byte
// for byte, and what follows from them: rounds, irregularities, and sums by table, gaming day,
// hour, dealer, game and wager. It is a SQLite file or a PostgreSQL database, with one schema.
//
// A record is kept exactly once, in one transaction with all that follows from it, so that a
// pit that is killed at any time has each record with its figures, or neither. The table's
// journal is the truth: the store can be thrown away and filled again.
package store
