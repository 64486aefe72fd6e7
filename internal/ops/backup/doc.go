// Package backup copies what a table needs to go on elsewhere, and puts it back: its journal,
// its configuration with the files that this names, and what is kept beside the journal.
//
// A place is one folder for each table, on any disk.Disk. It has files of three kinds: data-…,
// named by the SHA-256 of what is in them; generation-….json, which lists the data of one backup
// and is written last; and drafts ending in .new, which do not count. So a finished part of the
// journal is written once, however many generations have it; nothing that a generation needs is
// ever changed; and a backup that was interrupted leaves the one before as it was.
//
// docs/backup.md describes it for the technician.
//
// The tool alone imports it, so that no program that runs a table can write over its journal.
package backup
