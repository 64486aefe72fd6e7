package update

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"aead.dev/minisign"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/terminal"
)

// Package is what a package says of itself.
type Package struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Arch    string `json:"arch"`
}

const (
	// ours is the package that dpkg installs.
	ours = "sabot"
	// SignatureEnd ends the name of a package's signature.
	SignatureEnd = ".minisig"

	mostPackage   = 1 << 30
	mostSignature = 4 << 10
	mostKeys      = 64 << 10
)

// stamped is a public key of releases that a build may bring along; "" for none.
var stamped string

// Keys reads the public keys of releases: those in a file that root alone may write to, a line each as minisign prints
// them, and the one that this program was built with. The file may be missing if there is one.
func Keys(path string) (keys []minisign.PublicKey, err error) {
	if f := (securefile.Item{Kind: securefile.Authority, Path: path}).Judge(securefile.User{}); f != nil {
		return nil, fmt.Errorf("the keys of releases: %w", f)
	}
	text, err := securefile.Item{Kind: securefile.Authority, Path: path}.Read(mostKeys)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the keys of releases: %w", err)
	}
	for line := range strings.Lines(stamped + "\n" + string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "untrusted comment:") {
			continue
		}
		var key minisign.PublicKey
		if err := key.UnmarshalText([]byte(line)); err != nil {
			return nil, fmt.Errorf("the keys of releases in %s: %s is none: %w", path, terminal.Visible(line), err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil,
			fmt.Errorf("no key of releases is known: put the line of the release's minisign.pub into %s, as root", path)
	}
	return keys, nil
}

// signed is nil if one of the keys signed the file.
func signed(path string, keys []minisign.PublicKey) error {
	signature, err := securefile.Read(path+SignatureEnd, mostSignature)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not signed: its signature %s is not there", path, path+SignatureEnd)
	}
	if err != nil {
		return err
	}
	f, err := securefile.Open(path)
	if err != nil {
		return err
	}
	r := minisign.NewReader(f)
	n, err := io.Copy(io.Discard, io.LimitReader(r, mostPackage+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if n > mostPackage {
		return fmt.Errorf("%s has more than %d bytes", path, mostPackage)
	}
	for _, key := range keys {
		if r.Verify(key, signature) {
			return nil
		}
	}
	return fmt.Errorf("%s is not signed by any key of the releases: it was changed, or somebody else made it", path)
}

// Judge checks a package by its signature first: nothing of it is read before that.
func (s *System) Judge(ctx context.Context, path string, keys []minisign.PublicKey) (p Package, err error) {
	if err := signed(path, keys); err != nil {
		return p, err
	}
	return s.describe(ctx, path)
}

// describe asks dpkg what a package is.
func (s *System) describe(ctx context.Context, path string) (p Package, err error) {
	text, err := output(ctx, "dpkg-deb", "--show", "--showformat=${Package}\n${Version}\n${Architecture}\n", "--", path)
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return p,
			fmt.Errorf("%s is signed, but is no package of Debian: give a file sabot_VERSION_PROCESSOR.deb, or tell "+
				"the maker of the release", path)
	}
	if err != nil {
		return p, err
	}
	lines := strings.Split(text, "\n")
	if want := s.kind().name; len(lines) < 3 || lines[0] != want {
		return p, fmt.Errorf("%s is not the package %s, but %q: %s", path, want, lines[0], s.instead(lines[0]))
	}
	return Package{lines[0], lines[1], lines[2]}, nil
}

// instead says what to do with another package than the one that is taken.
func (s *System) instead(name string) string {
	switch {
	case s.Slots != nil:
		return "this table runs from a card, whose slot has all of it; give " + slotPackage + "_VERSION_PROCESSOR.deb"
	case name == slotPackage:
		return "this table does not run from a card; give " + ours + "_VERSION_PROCESSOR.deb"
	}
	return "only the table is updated between two rounds; install any other package with apt, after minisign has " +
		"checked it, as docs/update.md says"
}

// newer refuses a package that is not for this machine, or not newer than what is installed.
func (s *System) newer(ctx context.Context, p Package) (installed string, err error) {
	arch, err := output(ctx, "dpkg", s.root("--print-architecture")...)
	if err != nil {
		return "", err
	}
	if arch = strings.TrimSpace(arch); p.Arch != arch && p.Arch != "all" {
		return "", fmt.Errorf("the package is for %s, and this machine is %s", p.Arch, arch)
	}
	installed, whole, err := s.kind().installed(ctx)
	if err != nil {
		return "", err
	}
	if installed == "" || !whole {
		return "",
			fmt.Errorf("%s is not installed whole by dpkg: put that right first, with dpkg --configure -a or dpkg -i",
				ours)
	}
	if !greater(ctx, p.Version, installed) {
		return "", fmt.Errorf("version %s is not newer than %s, which is installed", p.Version, installed)
	}
	return installed, nil
}

// greater compares as dpkg does.
func greater(ctx context.Context, a, b string) bool {
	return exec.CommandContext(ctx, "dpkg", "--compare-versions", a, "gt", b).Run() == nil
}

// installed is the version that dpkg has, "" for none, and whether it is installed whole.
func (s *System) installed(ctx context.Context) (version string, whole bool, err error) {
	text, err := output(ctx, "dpkg-query", s.root("--show", "--showformat=${db:Status-Abbrev}|${Version}", ours)...)
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return "", false, nil
	}
	status, version, _ := strings.Cut(text, "|")
	return version, strings.HasPrefix(status, "ii"), err
}

// root has dpkg work elsewhere.
func (s *System) root(args ...string) []string {
	if s.Root == "" {
		return args
	}
	return append([]string{"--root=" + s.Root}, args...)
}

// mostSaid limits what is kept of what a program says, in bytes.
const mostSaid = 64 << 10

func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	// The package's own script leaves the table alone: an update starts it, and waits no longer than it may take.
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "SABOT_UPDATE=yes")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err != nil {
		what := said.Bytes()[:min(said.Len(), mostSaid)]
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err,
			terminal.Visible(terminal.OneLine(string(what))))
	}
	return out.String(), err
}
