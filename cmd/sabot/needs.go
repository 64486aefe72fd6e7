package main

import (
	"fmt"
	"io"
)

// needs is what a command needs of the system that it runs on. Linux has all of it.
type needs int

const (
	// Any system will do where nothing is said: what is read is no secret, and what is printed is the reader's.
	_ needs = iota
	// warned says that the command goes on where files have no permissions, once it has said that it cannot judge them.
	warned
	// permissions keep what is written from others.
	permissions
	// linux is what the table's computer runs.
	linux
)

// withoutPermissions are the systems whose files have no owner, group and mode that say who may read and change them.
var withoutPermissions = map[string]bool{"windows": true, "plan9": true}

// met says why a command cannot run on a system, and warns who runs it there with less.
func (n needs) met(system string, warn io.Writer) error {
	switch {
	case n == linux && system != "linux":
		return fmt.Errorf("needs Linux, and this is %s: run it on the table's computer", system)
	case n == permissions && withoutPermissions[system]:
		return fmt.Errorf("works with secrets in files, and on %s their permissions do not keep others out: run it "+
			"on the table's computer, or on Linux", system)
	case n == warned && withoutPermissions[system]:
		_, err := fmt.Fprintf(warn,
			"on %s nobody judges who else can read and change files: keep keys, journals and exports in folders of "+
				"your own\n", system)
		return err
	}
	return nil
}
