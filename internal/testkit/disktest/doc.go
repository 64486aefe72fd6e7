// Package disktest is a simulated disk: in memory, the same for the same seed, and as bad
// as real ones. Between two syncs it treats data and names as file systems may; it fails
// where a test plans it; and at any moment it can return the disk as it would be after the
// process was killed, or after a power cut.
//
// With it is an Insider, who is at a table's files while it is stopped.
//
// What it models of real systems:
//
//   - Readers see at once what was written but not synced. After a power cut each sector of
//     it is there or not, in any order, and the size is anything between the synced and the
//     written one.
//   - A Sync that fails says so once. What it could not write then counts as clean: readers
//     see it, the next Sync succeeds, and a power cut loses it.
//   - A name is durable after SyncFolder. A power cut before that keeps any of the changes
//     to names that do not depend on one that is lost. A Rename is done or not done.
//   - The next new file gets the inode number of a removed one.
package disktest
