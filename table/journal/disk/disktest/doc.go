// Package disktest is a simulated disk: in memory, the same from the same seed, and as
// bad as real ones are. Between two syncs it does to data and names what file systems
// may do; it fails where it is told to; and at any moment it can be asked how it would
// look after the process was killed, or after the power was cut.
//
// What it takes from real systems:
//
//   - What was written and not synced is seen by readers at once. After a power cut each
//     sector of it is there or not, in any order, and the size is anything between the
//     synced and the written one.
//   - A Sync that fails says so once. What it could not write then counts as clean: readers
//     see it, the next Sync succeeds, and a power cut loses it.
//   - A name is durable after SyncFolder. A power cut before that keeps any of the changes
//     of names that do not depend on one that is lost. A Rename is done or not done.
//   - The number of a removed file is given to the next one.
package disktest
