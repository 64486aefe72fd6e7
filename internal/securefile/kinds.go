package securefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Kind is a kind of file or folder, one row of kinds.
type Kind int

// The kinds of files and folders.
const (
	// Configuration holds nothing that is secret; Guarded is one with hashes of PINs, badges or keys of screens, or
	// with a password.
	Configuration Kind = iota
	Guarded
	HouseFile
	LanguageFile
	Certificate
	Authority
	Password
	PageKey
	ShoeKey
	JournalKey
	CommandKey
	PushKey
	BrokerKey
	WebhookSecret
	ProviderSecret
	DatabaseAddress
	// JournalFolder is the journal's own folder, or one in it; JournalFile is anything in them.
	JournalFolder
	JournalFile
	// LockFile says which process writes a journal.
	LockFile
	// Kept is what survives a restart of the table beside its journal: lock-outs, sessions, what the pit has heard.
	Kept
	// OwnKey is the key that seals a journal where the table has made it itself.
	OwnKey
	Archive
	// Folder is one that anything of the program is in.
	Folder
	// Database is the pit's, if it is a file.
	Database
)

// access is who may do something with a file.
type access int

const (
	ownerAlone access = iota
	ownerAndGroup
	anybody
)

// kind is what has to be right about a kind of file.
type kind struct {
	// is completes "it is …".
	is     string
	folder bool
	// reads is who may read it. Only its owner and root may change it.
	reads access
	// mends says that the program itself puts a wrong mode right: earlier versions made such files, or let others make
	// them.
	mends bool
	// made says that the program makes it if it is missing: the folder for it is judged before there is one.
	made bool
	// own is what the program needs, and gives itself where somebody has taken it from a file of its own.
	own fs.FileMode
	// aside says that the program puts aside what is no file at all in its place, such as a folder or a link, and goes
	// on without.
	aside bool
	// lost is what else to do if others could read it.
	lost string
}

const (
	newKey    = ", and make a new one if anybody may have read it"
	newSecret = ", and choose a new one if anybody may have read it"
)

var kinds = [...]kind{
	Configuration: {is: "a configuration", reads: anybody},
	Guarded: {
		is: "a configuration with hashes or passwords", reads: ownerAndGroup,
		lost: ", and change what is secret in it if anybody may have read it",
	},
	HouseFile:    {is: "a house's rules", reads: anybody},
	LanguageFile: {is: "a language file", reads: anybody},
	Certificate:  {is: "a certificate", reads: anybody},
	Authority:    {is: "the certificates that vouch for a server", reads: anybody},
	Password:     {is: "a password", reads: ownerAndGroup, lost: newSecret},
	PageKey:      {is: "the private key of a certificate", reads: ownerAndGroup, lost: newKey},
	ShoeKey:      {is: "the key of a shoe", reads: ownerAndGroup, lost: newKey},
	JournalKey:   {is: "the key that seals a journal", reads: ownerAlone, lost: newKey},
	CommandKey:   {is: "a key that signs commands", reads: ownerAlone, lost: newKey},
	PushKey:      {is: "the key with which browsers are called", reads: ownerAlone, made: true, lost: newKey},
	BrokerKey: {
		is: "the key of which the passwords of the tables are made", reads: ownerAlone, made: true, lost: newKey,
	},
	WebhookSecret:   {is: "the key that signs alerts", reads: ownerAndGroup, lost: newKey},
	ProviderSecret:  {is: "the secret of a provider of identities", reads: ownerAndGroup, lost: newSecret},
	DatabaseAddress: {is: "the address of a database, with its password", reads: ownerAndGroup, lost: newSecret},
	JournalFolder: {
		is: "a journal's folder", folder: true, reads: ownerAndGroup, mends: true, made: true,
		own: 0o700,
	},
	JournalFile: {is: "a part of a journal", reads: ownerAndGroup, mends: true, made: true, own: 0o400},
	LockFile:    {is: "a journal's lock", reads: ownerAndGroup, mends: true, made: true, own: 0o600, aside: true},
	Kept: {
		is: "what a table keeps of people and screens", reads: ownerAlone, mends: true, made: true,
		own: 0o400, aside: true,
	},
	OwnKey: {
		is: "the key that seals a journal", reads: ownerAlone, mends: true, made: true, own: 0o400, aside: true,
		lost: newKey,
	},
	Archive:  {is: "the folder of a journal's old parts", folder: true, reads: anybody},
	Folder:   {is: "a folder of the table", folder: true, reads: anybody},
	Database: {is: "the pit's database", reads: ownerAndGroup, mends: true, made: true},
}

// String says what such a file is.
func (k Kind) String() string { return kinds[k].is }

// Secret reports whether not everybody may read such a file.
func (k Kind) Secret() bool { return kinds[k].reads != anybody }

// allowed are the permissions that a file of the kind may give.
func (k Kind) allowed() fs.FileMode {
	return [...]fs.FileMode{ownerAlone: 0o700, ownerAndGroup: 0o750, anybody: 0o755}[kinds[k].reads]
}

const (
	othersRead  fs.FileMode = 0o055
	othersWrite fs.FileMode = 0o022
)

// Fault is what is wrong with a file or a folder.
type Fault struct {
	// What completes a sentence that begins with whatever named the file; Hint says what to do.
	What, Hint string
	// Mends says that Mend puts it right.
	Mends bool
	// reads says that others can read it, and not change it; lacks that the program itself cannot use it, and aside
	// that it is no file at all, which the program puts aside.
	reads, lacks, aside bool
	// folder is that in which the file can be replaced, "" where that is not what is wrong.
	folder string
}

func (f *Fault) Error() string { return f.What + "; " + f.Hint }

// Item is a file or a folder, and of which kind it has to be. It need not exist.
type Item struct {
	Kind Kind
	Path string
}

// Judge returns what is wrong with the item for a program that a user runs, and with the folders that it is in: whoever
// can write to one of them can replace the file. A link is judged by what it leads to. An item that does not exist has
// nothing wrong with it, except for the folders of one that the program will make.
func (i Item) Judge(by User) *Fault { return newJudge(by).item(i) }

// judge judges the item alone.
func (i Item) judge(info fs.FileInfo, by User) *Fault {
	if f := i.form(info); f != nil {
		return f
	}
	if f := by.owns(i.Path, info); f != nil {
		return f
	}
	return i.bits(info, by)
}

// form refuses what is no file at all: to read a pipe is to wait for whoever writes to it.
func (i Item) form(info fs.FileInfo) *Fault {
	switch row := kinds[i.Kind]; {
	case row.folder && !info.IsDir():
		return &Fault{
			What: i.Path + " is not a folder, and should be " + row.is,
			Hint: "name a folder, or move it away",
		}
	case !row.folder && !info.Mode().IsRegular():
		return &Fault{
			What:  i.Path + " is not a regular file, and should be " + row.is,
			Hint:  "name a file, not a folder, a pipe or a device",
			Mends: row.aside, aside: row.aside,
		}
	}
	return nil
}

// bits judges the item's permissions.
func (i Item) bits(info fs.FileInfo, by User) *Fault {
	perm, row := info.Mode().Perm(), kinds[i.Kind]
	if !hasModes {
		return nil
	}
	if owner, _, known := ownerOf(info); known && owner == by.ID && perm&row.own != row.own {
		return &Fault{
			What:  fmt.Sprintf("the program cannot use %s (mode %#o), and it is %s", i.Path, perm, row.is),
			Hint:  fmt.Sprintf("chmod %o %s", row.own, i.Path),
			Mends: row.mends, lacks: true,
		}
	}
	wrong := i.excess(info, by)
	if wrong == 0 {
		return nil
	}
	can := "read"
	if wrong&othersWrite != 0 {
		can = "change"
		if wrong&othersRead != 0 {
			can = "read and change"
		}
	}
	f := &Fault{
		What:  fmt.Sprintf("other users can %s %s (mode %#o), and it is %s", can, i.Path, perm, row.is),
		Hint:  fmt.Sprintf("chmod %o %s", perm&^wrong, i.Path),
		Mends: row.mends,
		reads: wrong&othersWrite == 0,
	}
	if wrong&othersRead != 0 {
		f.Hint += row.lost
	}
	return f
}

// excess are the permissions of the item that it must not give.
func (i Item) excess(info fs.FileInfo, by User) fs.FileMode {
	wrong := info.Mode().Perm() &^ i.Kind.allowed()
	if kinds[i.Kind].reads == anybody && by.sharesGroup(info) {
		wrong &^= 0o020
	}
	return wrong
}

func unseen(path string, err error) *Fault {
	return &Fault{
		What: fmt.Sprintf("%s cannot be judged: %v", path, err),
		Hint: "do this as root, or as the user who runs the program",
	}
}

// around judges the folders around a path: those of the path as it is written, and those where a link leads.
func around(path string, by User) *Fault {
	path, err := filepath.Abs(path)
	if err != nil {
		return unseen(path, err)
	}
	if f := above(path, by); f != nil {
		return f
	}
	real, err := filepath.EvalSymlinks(path)
	if info, failed := os.Lstat(path); err != nil && failed == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil // a link that leads to nothing, or to itself
	}
	if errors.Is(err, fs.ErrNotExist) || real == path {
		return nil
	}
	if err != nil {
		return unseen(path, err)
	}
	return above(real, by)
}

// above judges the folders above a path, from the root on. What others cannot enter they cannot write to either, nor
// anything in it.
func above(path string, by User) *Fault {
	var folders []string
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		folders = append(folders, at)
		if at == filepath.Dir(at) {
			break
		}
	}
	open := true
	for n := len(folders) - 1; n >= 0; n-- {
		info, err := os.Stat(folders[n])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return unseen(folders[n], err)
		}
		if f := by.owns(folders[n], info); f != nil {
			return f
		}
		if f := by.writes(folders[n], info); open && f != nil {
			return f
		}
		open = open && (!hasModes || info.Mode().Perm()&0o011 != 0)
	}
	return nil
}

// writes refuses a folder to which others can write. In a sticky one, such as /tmp, nobody replaces another's file.
func (by User) writes(folder string, info fs.FileInfo) *Fault {
	perm := info.Mode().Perm()
	wrong := perm & othersWrite
	if by.sharesGroup(info) {
		wrong &^= 0o020
	}
	if !hasModes || wrong == 0 || info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	return &Fault{
		What: fmt.Sprintf("other users can write to the folder %s (mode %#o), and replace what is in it", folder, perm),
		Hint: fmt.Sprintf("chmod %o %s", perm&^wrong, folder), folder: folder,
	}
}

// owns refuses what belongs to anyone else than root and the user who runs the program: an owner can change all.
func (by User) owns(path string, info fs.FileInfo) *Fault {
	owner, _, known := ownerOf(info)
	if !known || owner == root || owner == by.ID {
		return nil
	}
	return &Fault{
		What: fmt.Sprintf("%s belongs to the user %s, who can change and replace it", path, nameOf(owner)),
		Hint: fmt.Sprintf("chown %s %s, or run the program as %s", nameOf(by.ID), path, nameOf(owner)),
	}
}

// sharesGroup says whether the group of a file is the program's own, or root's: it then counts as the program.
func (by User) sharesGroup(info fs.FileInfo) bool {
	_, group, known := ownerOf(info)
	return known && (group == root || group == by.Group)
}

// Open opens a file for reading, and refuses what is no regular file without waiting for it.
func Open(path string) (*os.File, error) {
	f, err := openAtOnce(path)
	return regular(f, err)
}

// OpenItself is Open for a file that somebody else may have put there: a link is refused, too.
func OpenItself(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	return regular(f, err)
}

func regular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: errors.New("it is not a regular file")}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read reads a file that has no more than most bytes, and refuses what is no regular file without waiting for it. It
// judges nothing: who may change the file is for the caller to know.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return whole(f, most)
}

// whole reads and closes a file, and refuses one of more than most bytes.
func whole(f *os.File, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s is longer than %d bytes: look at what it is", f.Name(), most)
	}
	return text, errors.Join(err, f.Close())
}

// Open opens the item for reading. What is opened has been judged: form and permissions, not the folders and the owner,
// which Judge did.
func (i Item) Open() (*os.File, error) {
	f, err := openAtOnce(i.Path)
	if err != nil {
		return nil, err
	}
	if err := i.opened(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (i Item) opened(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return i.alone(info)
}

// Stat describes the item, judged as Open does.
func (i Item) Stat() (fs.FileInfo, error) {
	info, err := os.Stat(i.Path)
	if err == nil {
		err = i.alone(info)
	}
	return info, err
}

func (i Item) alone(info fs.FileInfo) error {
	if f := i.form(info); f != nil {
		return f
	}
	if f := i.bits(info, Own()); f != nil {
		return f
	}
	return nil
}

// Read reads the item as Open opens it, and refuses one of more than most bytes.
func (i Item) Read(most int64) ([]byte, error) {
	f, err := i.Open()
	if err != nil {
		return nil, err
	}
	return whole(f, most)
}
