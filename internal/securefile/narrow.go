package securefile

import (
	"io/fs"
	"os"
)

// Narrow takes from others what the items must not give them, as far as the items are the user's own. It gives nobody
// more, follows no link, and leaves files of several names, root's folders and sticky ones such as /tmp alone: of what
// it leaves, Judge says what is wrong.
func Narrow(items []Item, by User) (mended []Mended) {
	for _, i := range items {
		if m, done := i.narrow(by); done {
			mended = append(mended, m)
		}
	}
	return mended
}

func (i Item) narrow(by User) (m Mended, done bool) {
	if !hasModes || kinds[i.Kind].folder && by.ID == root {
		return m, false
	}
	f, err := os.OpenFile(i.Path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return m, false
	}
	defer f.Close() // nothing was written to it
	info, err := f.Stat()
	if err != nil || i.form(info) != nil || info.Mode()&fs.ModeSticky != 0 || !info.IsDir() && namesOf(info) > 1 {
		return m, false
	}
	if owner, _, known := ownerOf(info); !known || owner != by.ID {
		return m, false
	}
	was := info.Mode().Perm()
	m = Mended{Item: i, Was: was, Now: was &^ i.excess(info, by)}
	keeps := info.Mode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	return m, m.Now != m.Was && f.Chmod(keeps|m.Now) == nil
}

// Lost is what else there is to do if others have read a file of the kind, "" for nothing.
func (k Kind) Lost() string { return kinds[k].lost }

// OfRoot says whether a file belongs to root.
func OfRoot(info fs.FileInfo) bool {
	owner, _, known := ownerOf(info)
	return known && owner == root
}
