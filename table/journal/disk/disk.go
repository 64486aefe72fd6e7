// Package disk is the little of a file system that a journal needs: files that are
// written once, from their beginning to their end, in one folder. Folder is the real
// one; package disktest simulates one that fails.
package disk

import "io"

// Disk is one folder. Names have no slashes, but for those of a folder made by Mkdir.
type Disk interface {
	// Create makes a new file to be written. It is an error if there is one of that
	// name. The name is durable after SyncFolder.
	Create(name string) (File, error)
	// Open opens a file to read it.
	Open(name string) (File, error)
	// Stat describes what has the name, without following a link.
	Stat(name string) (Info, error)
	// List names the files and folders, sorted.
	List() ([]string, error)
	// Mkdir makes a folder in the folder.
	Mkdir(name string) error
	// Rename gives a file another name, and replaces what had it.
	Rename(from, to string) error
	Remove(name string) error
	// SyncFolder makes durable which names there are.
	SyncFolder() error
	// Changed is another value after names were added or taken away.
	Changed() (int64, error)
	// Free is how many bytes can still be written.
	Free() (uint64, error)
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
	// Append writes at the end that this File knows of: after what it has written. All
	// is written, or there is an error; then nobody knows what of it is in the file.
	Append(p []byte) error
	// Sync waits until all that was written is durable. After an error nobody knows
	// what is, and a second Sync that succeeds says nothing.
	Sync() error
	// Forget drops what the system remembers of the content, as far as it believes it to
	// be durable: what is read then comes from the disk itself.
	Forget() error
	Stat() (Info, error)
}

// Info describes a file.
type Info struct {
	Size int64
	// Device and Inode name the file, whatever its name in a folder is.
	Device, Inode uint64
	// Links counts the names that the file has.
	Links uint64
	// Written is when the content was last changed, by the file system's clock.
	Written int64
	// Folder says that it is a folder.
	Folder bool
}

// Same says whether two descriptions are of one file.
func (i Info) Same(other Info) bool { return i.Device == other.Device && i.Inode == other.Inode }
