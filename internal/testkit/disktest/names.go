package disktest

import (
	"path"
	"slices"
	"strings"
)

// names says which file has which name, sorted by name. A file in a folder has the
// folder's name before its own, with a slash.
type names []entry

type entry struct {
	name string
	// file is the file's place in Disk.files.
	file int
}

func (n names) at(name string) (int, bool) {
	return slices.BinarySearchFunc(n, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
}

// find returns the file of that name, or -1.
func (n names) find(name string) int {
	if i, ok := n.at(name); ok {
		return n[i].file
	}
	return -1
}

func (n *names) set(name string, file int) {
	i, ok := n.at(name)
	if ok {
		(*n)[i].file = file
		return
	}
	*n = slices.Insert(*n, i, entry{name, file})
}

func (n *names) drop(name string) {
	if i, ok := n.at(name); ok {
		*n = slices.Delete(*n, i, i+1)
	}
}

// count counts the names of a file.
func (n names) count(file int) int {
	count := 0
	for _, e := range n {
		if e.file == file {
			count++
		}
	}
	return count
}

// below is the content of a folder.
func (n names) below(folder string) []entry {
	var in []entry
	for _, e := range n {
		if strings.HasPrefix(e.name, folder+"/") {
			in = append(in, e)
		}
	}
	return in
}

// change is one change to names: from loses its file, to gets it. Either may be empty.
type change struct {
	from, to string
	file     int
	// lost says that a sync of the folder failed but this counts as synced all the same.
	lost bool
}

func (c change) apply(n *names) {
	var inside []entry
	if c.from != "" {
		inside = n.below(c.from)
		n.drop(c.from)
	}
	if c.to != "" {
		n.set(c.to, c.file)
	}
	for _, e := range inside {
		n.drop(e.name)
		n.set(c.to+strings.TrimPrefix(e.name, c.from), e.file)
	}
}

// inRoot reports whether a sync of the folder itself covers the change.
func (c change) inRoot() bool {
	return c.from != "" && !strings.Contains(c.from, "/") || c.to != "" && !strings.Contains(c.to, "/")
}

// dependsOn reports whether the change cannot exist without an earlier one.
func (c change) dependsOn(earlier change) bool {
	if c.file == earlier.file {
		return true
	}
	for _, name := range [...]string{earlier.from, earlier.to} {
		if name != "" && (c.touches(c.from, name) || c.touches(c.to, name)) {
			return true
		}
	}
	return false
}

func (c change) touches(mine, name string) bool {
	return mine == name || mine != "" && path.Dir(mine) == name || path.Dir(name) == mine
}

// settle applies the changes for which keep is true, with all that they depend on, and
// returns the rest.
func settle(n *names, changes []change, keep func(change) bool) []change {
	wanted := make([]bool, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		wanted[i] = wanted[i] || keep(changes[i])
		for k := 0; wanted[i] && k < i; k++ {
			wanted[k] = wanted[k] || changes[i].dependsOn(changes[k])
		}
	}
	var left []change
	for i, c := range changes {
		if wanted[i] {
			c.apply(n)
		} else {
			left = append(left, c)
		}
	}
	return left
}

// without applies the changes for which keep is true and that do not depend on one that is
// left out.
func without(n *names, changes []change, keep func(int, change) bool) {
	var out []change
	for i, c := range changes {
		if !keep(i, c) || slices.ContainsFunc(out, c.dependsOn) {
			out = append(out, c)
			continue
		}
		c.apply(n)
	}
}
