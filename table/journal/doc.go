// Package journal is the append-only record of a casino table: every input that
// the table took, and what the engine answered to it, durable before anything is
// acknowledged. It is also the outbox of what leaves the table: a publisher reads
// events from a cursor and never holds up a deal.
//
// A journal is one SQLite file that any SQLite tool can read. Its records are
// numbered without gaps and hash-chained, so that a change, a loss or a swap is
// found by Verify. README.md describes the file, what a crash does to each
// operation, how to recover, and the hash.
//
// A Journal writes and reads; one process at a time may hold it. A Reader only
// reads, and works beside the process that writes.
package journal
