package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/sftp"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// remote is a folder on another machine, over SFTP.
type remote struct {
	client *sftp.Client
	folder string
	stop   func() error
}

var _ disk.Disk = (*remote)(nil)

// ssh is how the program ssh is asked.
type ssh struct {
	// key and known are files, "" for the user's own.
	key, known string
}

var remoteName = pattern(
	`^((?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?|(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?\[[0-9a-fA-F:]+\](?::[0-9]{1,5})?):(.*)$`)

// splitRemote reads user@host:folder; ok is false for a folder of this machine.
func splitRemote(target string) (host, folder string, ok bool) {
	if strings.HasPrefix(target, "/") || strings.HasPrefix(target, ".") {
		return "", "", false
	}
	found := remoteName().FindStringSubmatch(target)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

// args are those of ssh. It asks nobody anything, and takes no host that it does not know.
func (s ssh) args(host string) []string {
	args := []string{
		"-T", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oConnectTimeout=20",
		"-oServerAliveInterval=15", "-oServerAliveCountMax=4",
	}
	if s.key != "" {
		args = append(args, "-oIdentitiesOnly=yes", "-i", s.key)
	}
	if s.known != "" {
		args = append(args, "-oUserKnownHostsFile="+s.known)
	}
	user, port := host, ""
	if at := strings.LastIndex(host, ":"); at > strings.LastIndex(host, "]") {
		user, port = host[:at], host[at+1:]
	}
	if port != "" {
		args = append(args, "-p", port)
	}
	return append(args, "-s", "--", strings.NewReplacer("[", "", "]", "").Replace(user), "sftp")
}

// dial reaches a folder on another machine by Debian's ssh, so that its keys, its known hosts and its ciphers are those
// of the system; pkg/sftp speaks over it.
func (s ssh) dial(ctx context.Context, host, folder string) (*remote, error) {
	cmd := exec.CommandContext(ctx, "ssh", s.args(host)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	said := &firstBytes{most: 4 << 10}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("ssh could not be started: %w: install Debian's openssh-client", err)
	}
	client, err := sftp.NewClientPipe(out, in)
	if err != nil {
		err = errors.Join(err, in.Close())
		_ = cmd.Wait() // what it said is the reason
		return nil,
			fmt.Errorf("ssh does not reach %s: %s (%w): try `ssh %s` as the user who makes the backup; its key and "+
				"the host must be known",
				host, said.text(), err, host)
	}
	r := &remote{client: client, folder: path.Clean(folder)}
	if folder == "" {
		r.folder = "."
	}
	r.stop = func() error {
		err := client.Close()
		_ = cmd.Wait() // it ends as soon as nobody speaks to it
		return err
	}
	return r, nil
}

// firstBytes keeps the first of what is written.
type firstBytes struct {
	bytes.Buffer
	most int
}

func (f *firstBytes) Write(b []byte) (int, error) {
	f.Buffer.Write(b[:min(len(b), max(0, f.most-f.Len()))])
	return len(b), nil
}

func (f *firstBytes) text() string {
	text := terminal.OneLine(f.String())
	if text == "" {
		return "it said nothing"
	}
	return terminal.Visible(text)
}

func (r *remote) at(name string) string { return path.Join(r.folder, name) }

// within is the same connection in a folder of the folder.
func (r *remote) within(name string) *remote {
	return &remote{client: r.client, folder: r.at(name), stop: r.stop}
}

// real makes an error of SFTP one that errors.Is knows.
func (r *remote) real(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if status, ok := errors.AsType[*sftp.StatusError](err); ok &&
		strings.Contains(strings.ToLower(status.Error()), "no space") {
		err = syscall.ENOSPC
	}
	if _, told := errors.AsType[*fs.PathError](err); told {
		return err
	}
	return &fs.PathError{Op: op, Path: r.at(name), Err: err}
}

func (r *remote) Create(name string) (disk.File, error) {
	f, err := r.client.OpenFile(r.at(name), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, r.real("create", name, err)
	}
	if err := f.Chmod(0o640); err != nil {
		return nil, errors.Join(r.real("chmod", name, err), f.Close())
	}
	return &remoteFile{File: f, r: r, name: name}, nil
}

func (r *remote) Open(name string) (disk.File, error) {
	f, err := r.client.Open(r.at(name))
	if err != nil {
		return nil, r.real("open", name, err)
	}
	return &remoteFile{File: f, r: r, name: name}, nil
}

func (r *remote) Stat(name string) (disk.Info, error) {
	info, err := r.client.Lstat(r.at(name))
	if err != nil {
		return disk.Info{}, r.real("stat", name, err)
	}
	return infoOf(info), nil
}

func infoOf(info os.FileInfo) disk.Info {
	return disk.Info{Size: info.Size(), Links: 1, Written: info.ModTime().UnixNano(), Folder: info.IsDir()}
}

func (r *remote) List() ([]string, error) { return r.Names("") }

func (r *remote) Names(folder string) ([]string, error) {
	entries, err := r.client.ReadDir(r.at(folder))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	slices.Sort(names)
	return names, r.real("list", folder, err)
}

func (r *remote) Mkdir(name string) error { return r.real("mkdir", name, r.client.Mkdir(r.at(name))) }

func (r *remote) Rename(from, to string) error {
	return r.real("rename", from, r.client.PosixRename(r.at(from), r.at(to)))
}

func (r *remote) Remove(name string) error {
	return r.real("remove", name, r.client.Remove(r.at(name)))
}

// SyncFolder does nothing: SFTP has no word for it. A name that a power cut on the other machine undoes is missed by
// the next backup, which writes it again.
func (r *remote) SyncFolder() error { return nil }

func (r *remote) Changed() (int64, error) {
	info, err := r.Stat("")
	return info.Written, err
}

func (r *remote) Free() (uint64, error) {
	s, err := r.client.StatVFS(r.folder)
	if err != nil {
		return 0, r.real("statvfs", "", err)
	}
	return s.Bavail * s.Frsize, nil
}

// remoteFile is an open file.
type remoteFile struct {
	*sftp.File
	r    *remote
	name string
	end  int64
}

func (f *remoteFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		err = f.r.real("read", f.name, err)
	}
	return n, err
}

func (f *remoteFile) Append(b []byte) error {
	n, err := f.WriteAt(b, f.end)
	f.end += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return f.r.real("write", f.name, err)
}

// Sync waits for the other machine's disk, if its server can be asked to: OpenSSH's can.
func (f *remoteFile) Sync() error {
	if _, can := f.r.client.HasExtension("fsync@openssh.com"); !can {
		return nil
	}
	return f.r.real("sync", f.name, f.File.Sync())
}

func (f *remoteFile) Forget() error { return nil }

func (f *remoteFile) Close() error { return f.r.real("close", f.name, f.File.Close()) }

func (f *remoteFile) Stat() (disk.Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return disk.Info{}, f.r.real("stat", f.name, err)
	}
	return infoOf(info), nil
}
