package securefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// root owns the machine.
const root = 0

// User is the user who runs a program, by number.
type User struct {
	ID, Group int
}

// String is the user's name, or number.
func (u User) String() string { return nameOf(u.ID) }

// Own is the user who runs this program.
func Own() User { return User{os.Geteuid(), os.Getegid()} }

// RunBy is the user who runs a program whose data is at path. That is the user who runs this one, but root may ask
// about another's: the owner of the data or, before there is any, of the folder for it.
func RunBy(path string) (User, error) {
	own := Own()
	if own.ID != root {
		return own, nil
	}
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err != nil {
			return own, err
		}
		owner, group, known := ownerOf(info)
		if !known || owner == root {
			return own, nil
		}
		if account, err := user.LookupId(strconv.Itoa(owner)); err == nil {
			return numbers(account)
		}
		return User{owner, group}, nil
	}
}

// HandOver gives what root has made to whoever runs the program whose data is at path, and could not use it otherwise.
// A user who is not root has made it as their own.
func HandOver(path string, chown func(user, group int) error) error {
	to, err := RunBy(path)
	if err != nil || to == Own() {
		return err
	}
	return chown(to.ID, to.Group)
}

// Named is the user of a name.
func Named(name string) (User, error) {
	account, err := user.Lookup(name)
	if err != nil {
		return User{}, fmt.Errorf("the user %q: %w", name, err)
	}
	return numbers(account)
}

func numbers(account *user.User) (User, error) {
	id, wrong := strconv.Atoi(account.Uid)
	group, err := strconv.Atoi(account.Gid)
	return User{id, group}, errors.Join(wrong, err)
}

// nameOf is what messages call a user.
func nameOf(id int) string {
	if account, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return account.Username
	}
	return strconv.Itoa(id)
}
