// Package disk is the small part of a file system that a journal needs: files that are
// written once, from beginning to end, in one folder. Folder is the real one; package
// disktest simulates one that fails.
package disk

import "io"

// Disk is one folder. Names have no slashes, except in a folder made by Mkdir.
type Disk interface {
	// Create makes a new file for writing. It is an error if a file of that name exists.
	// The name is durable after SyncFolder.
	Create(name string) (File, error)
	// Open opens a file for reading.
	Open(name string) (File, error)
	// Stat describes the file with that name, without following a link.
	Stat(name string) (Info, error)
	// List names the files and folders, sorted.
	List() ([]string, error)
	// Names names the files in a folder made by Mkdir, sorted.
	Names(folder string) ([]string, error)
	// Mkdir makes a folder in the folder.
	Mkdir(name string) error
	// Rename gives a file another name, and replaces a file that had it.
	Rename(from, to string) error
	Remove(name string) error
	// SyncFolder makes the names in the folder durable.
	SyncFolder() error
	// Changed returns a different value after names were added or removed.
	Changed() (int64, error)
	// Free is how many bytes can still be written.
	Free() (uint64, error)
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
	// Append writes after what this File has written so far. It writes all of p or returns
	// an error; then it is unknown how much of p is in the file.
	Append(p []byte) error
	// Sync waits until everything written is durable. After an error it is unknown what is
	// durable, and a second Sync that succeeds proves nothing.
	Sync() error
	// Forget drops the content that the system has cached and believes to be durable: what
	// is read after that comes from the disk itself.
	Forget() error
	Stat() (Info, error)
}

// Info describes a file.
type Info struct {
	Size int64
	// Device and Inode identify the file, whatever its name in a folder.
	Device, Inode uint64
	// Links counts the names that the file has.
	Links uint64
	// Written is when the content was last changed, by the file system's clock.
	Written int64
	// Folder says that it is a folder.
	Folder bool
}

// Same reports whether two descriptions are of the same file.
func (i Info) Same(other Info) bool { return i.Device == other.Device && i.Inode == other.Inode }
