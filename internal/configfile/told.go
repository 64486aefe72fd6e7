package configfile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

const (
	// NotesEnd ends the name of the file with the notes, after the path of what it lies beside.
	NotesEnd = ".kept-for"
	// mostNotes is more than the file has, in bytes.
	mostNotes = 1 << 20
)

// Secret is a file with a secret, and who is told it.
//
// It is remembered to whom each secret is told that a configuration names, so that another one is not told it only
// because an address in the configuration was changed: such as by hand, or by a file that came from elsewhere. Whoever
// may write the secret's file says that it is for the other one, by writing or touching it.
type Secret struct {
	// At is the key of the configuration that names the file.
	At, Path string
	// To is who is told it, as people may read it, and By all that says so in the configuration.
	To string
	By []string
}

// BrokerSecret is the password of a user at a broker, for which an authority vouches.
func BrokerSecret(at, path, broker, user, authority string) Secret {
	return Secret{At: at, Path: path, To: fmt.Sprintf("%s as %s", broker, user), By: []string{broker, user, authority}}
}

// note is what is remembered of a file.
type note struct {
	// To is who was told what is in it, for people; By is the hash of all that said so, since an address may be a
	// secret itself.
	To string `json:"to"`
	By string `json:"by"`
	// Written is when the file was written, in nanoseconds, and Size how long it was.
	Written int64 `json:"written"`
	Size    int64 `json:"size"`
}

// JudgeSecrets refuses each secret that was last told to another than whom the configuration names, and that nobody has
// written since. Notes that no program has written are as good as none: whoever could write them could remove them.
func JudgeSecrets(doc *strictyaml.Document, notes string, all []Secret) {
	kept, _, err := readNotes(notes)
	for _, s := range all {
		is, there := s.note()
		was, known := kept[s.Path]
		switch {
		case !there || !doc.Sound(s.At):
		case err != nil:
			doc.Refuse(s.At, fmt.Sprintf("whom it was kept for cannot be read: %v", err),
				"do this as root, or as the user who runs the program; if nobody can, remove "+notes)
		case known && was.By != is.By && was.Written == is.Written && was.Size == is.Size:
			doc.Refuse(s.At,
				fmt.Sprintf("the secret in %s was kept for %s, and would be told to %s or believe another authority",
					s.Path, was.To, is.To),
				fmt.Sprintf("write that one's into the file; or `touch %s`, if it is the same", s.Path))
		}
	}
}

// NoteSecrets remembers whom the secrets are told to from now on. Notes that no program has written are put aside;
// unusable says where, and why.
func NoteSecrets(notes string, all []Secret) (unusable, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	kept, unusable, err := readNotes(notes)
	if err == nil && unusable != nil {
		aside, moved := securefile.PutAside(notes)
		unusable, err = fmt.Errorf("%w; it is now %s", unusable, aside), moved
	}
	if err != nil {
		return nil, err
	}
	return unusable, writeNotes(notes, all, kept)
}

// writeNotes writes the notes where they have changed.
func writeNotes(notes string, all []Secret, kept map[string]note) error {
	changed := false
	for _, s := range all {
		if is, there := s.note(); there && kept[s.Path] != is {
			kept[s.Path], changed = is, true
		}
	}
	if !changed {
		return nil
	}
	for path := range kept { // files that are gone need no note
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			delete(kept, path)
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return securefile.Replace(notes, append(text, '\n'))
}

// note is what is to be remembered of a secret; there is false where there is no file.
func (s Secret) note() (n note, there bool) {
	if s.Path == "" {
		return n, false
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return n, false
	}
	sum := sha256.Sum256([]byte(strings.Join(s.By, "\x00")))
	return note{To: s.To, By: hex.EncodeToString(sum[:]), Written: info.ModTime().UnixNano(), Size: info.Size()}, true
}

// readNotes reads the notes. Where they are none, unusable says why; only a disk that does not read, or a file that
// belongs to another user, is an error.
func readNotes(path string) (kept map[string]note, unusable, err error) {
	kept, err = securefile.Load[map[string]note](path, mostNotes)
	if err != nil && !errors.Is(err, syscall.EIO) && !errors.Is(err, fs.ErrPermission) {
		unusable, err = err, nil
	}
	if kept == nil || unusable != nil {
		kept = map[string]note{}
	}
	return kept, unusable, err
}
