package inventory

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// User is the user who is to use the machine's devices, such as that of the table's daemon.
type User struct {
	Name string
	UID  int
	// Groups are the numbers of the user's groups.
	Groups []int
	// Waiting are groups that the user is in, but only after the next login.
	Waiting []int
}

// Node is a device file.
type Node struct {
	UID, GID int
	Mode     fs.FileMode
	// Device and Inode name the file, as the kernel's list of locks does.
	Device, Inode uint64
}

// Access says whether the user may use a device, and which group may.
type Access struct {
	Allowed bool `json:"allowed"`
	// Group is the group that owns the device file; empty if no group may use it.
	Group string `json:"group,omitempty"`
	// Login says that the user is in the group from the next login on.
	Login bool `json:"login,omitempty"`
}

// access determines a user's access to a device file from the owner, the group and the mode, which is how the system
// grants ports and pins.
func (s Source) access(path string, u User) (Access, Node) {
	n, err := s.Stat(s.at(path))
	if err != nil {
		return Access{}, n
	}
	const all, group = 0o006, 0o060
	a := Access{}
	if n.Mode&group == group {
		a.Group = s.groupName(n.GID)
	}
	switch {
	case u.UID == 0, n.Mode&all == all, n.UID == u.UID, a.Group != "" && slices.Contains(u.Groups, n.GID):
		a.Allowed = true
	case a.Group != "":
		a.Login = slices.Contains(u.Waiting, n.GID)
	}
	return a, n
}

// entries reads /etc/passwd or /etc/group: fields separated by colons.
func (s Source) entries(path string, fields int) [][]string {
	var all [][]string
	for line := range strings.Lines(s.text(path)) {
		if entry := strings.Split(strings.TrimSpace(line), ":"); len(entry) >= fields {
			all = append(all, entry)
		}
	}
	return all
}

func (s Source) groupName(gid int) string {
	for _, g := range s.entries("/etc/group", 3) {
		if g[2] == strconv.Itoa(gid) {
			return g[0]
		}
	}
	return strconv.Itoa(gid)
}

// memberOf lists the groups that name a user as a member.
func (s Source) memberOf(name string) (gids []int) {
	for _, g := range s.entries("/etc/group", 4) {
		if gid, err := strconv.Atoi(g[2]); err == nil && slices.Contains(strings.Split(g[3], ","), name) {
			gids = append(gids, gid)
		}
	}
	return gids
}

// Named returns a user of the machine as after the next login. The service manager logs in again at each start.
func (s Source) Named(name string) (User, error) {
	for _, p := range s.entries("/etc/passwd", 4) {
		uid, errUser := strconv.Atoi(p[2])
		gid, errGroup := strconv.Atoi(p[3])
		if p[0] == name && errUser == nil && errGroup == nil {
			return User{Name: name, UID: uid, Groups: append([]int{gid}, s.memberOf(name)...)}, nil
		}
	}
	return User{}, fmt.Errorf("there is no user %q on this machine: `getent passwd` lists them", name)
}

// Current returns the user who runs this program.
func (s Source) Current() User {
	u := User{UID: os.Geteuid(), Name: strconv.Itoa(os.Geteuid())}
	for _, p := range s.entries("/etc/passwd", 3) {
		if p[2] == u.Name {
			u.Name = p[0]
			break
		}
	}
	u.Groups = append(u.Groups, os.Getegid())
	if more, err := os.Getgroups(); err == nil {
		u.Groups = append(u.Groups, more...)
	}
	for _, gid := range s.memberOf(u.Name) {
		if !slices.Contains(u.Groups, gid) {
			u.Waiting = append(u.Waiting, gid)
		}
	}
	return u
}
