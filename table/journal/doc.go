// Package journal is the append-only record of a casino table: every input that the table
// took, and the engine's answer to it, durable before anything is acknowledged. It is also
// the outbox of what leaves the table: a publisher reads events from a cursor and never
// holds up a deal.
//
// A journal is a folder of parts: JSON lines that any editor can read, in frames that are
// chained by hashes and sealed by signatures, so that a change, a loss or a swap is found.
// README.md describes the files, what a crash does to each operation, how to recover, and
// the hash.
//
// A Journal writes and reads; one process at a time may hold it. A Reader only reads, and
// can do so while another process writes. A file in which a write or a sync has failed is
// never written again: a new part continues from what was durable.
package journal
