package disktest

// Op is a kind of operation.
type Op uint8

// The kinds of operations. None is no kind; in a Fault it is any that changes the disk.
const (
	None Op = iota
	Create
	Append
	Sync
	Mkdir
	Rename
	Remove
	SyncFolder
	// The following do not change the disk.
	Open
	Stat
	ReadAt
	Close
	List
	Changed
	Free
	Forget
)

var opNames = [...]string{
	"none", "create", "append", "sync", "mkdir", "rename", "remove", "sync folder",
	"open", "stat", "read", "close", "list", "changed", "free", "forget",
}

func (o Op) String() string { return opNames[o] }

// Changes reports whether the operation can change what is on the disk, or what is durable.
func (o Op) Changes() bool { return o > None && o <= SyncFolder }
