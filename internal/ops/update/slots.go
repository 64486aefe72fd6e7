package update

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Slots are the two systems on the card of a computer that was started from one of them. An update is written to the
// other, which U-Boot then tries: deploy/image/boot/boot.cmd says how.
type Slots struct {
	// VersionFile has the version of the slot that runs, CommandLine the kernel's, which names it.
	VersionFile, CommandLine string
	// Config is for fw_setenv: where U-Boot reads which slot works.
	Config string
	// Devices are the partitions, by the names of the slots.
	Devices map[string]string
	// Reboot starts the computer anew. It may return before that.
	Reboot func(ctx context.Context) error
}

// slotFile is what only a system in a slot has.
const slotFile = "/usr/lib/sabot/slot"

// SlotsHere are those of this computer, nil if it has none.
func SlotsHere() *Slots {
	if _, err := os.Lstat(slotFile); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &Slots{
		VersionFile: slotFile, CommandLine: "/proc/cmdline", Config: "/etc/fw_env.config",
		Devices: map[string]string{"a": "/dev/sabot-slot-a", "b": "/dev/sabot-slot-b"},
		Reboot:  func(ctx context.Context) error { _, err := output(ctx, "systemctl", "reboot"); return err },
	}
}

// slotPackage is the package with a slot, slotImage the file in it.
const (
	slotPackage = "sabot-slot"
	slotImage   = "./slot.ext4"
)

// slotKind is the update of a computer with slots. What runs stays as it is, to go back to.
func (s *System) slotKind() kind {
	return kind{
		name: slotPackage, installed: s.Slots.version, hasBefore: func(context.Context, *State, keys) error {
			return nil
		},
		first: Installing, then: Waiting, resume: s.resumeSlot, begin: s.trySlot,
		install: s.installSlot, tried: s.slotTried, settle: s.settleSlot, back: s.slotBack,
	}
}

func (l *Slots) version(context.Context) (string, bool, error) {
	text, err := securefile.Read(l.VersionFile, mostState)
	return strings.TrimSpace(string(text)), err == nil, err
}

// runs is the slot that the computer was started from, other the other one.
func (l *Slots) runs() (slot, other string, err error) {
	text, err := os.ReadFile(l.CommandLine)
	if err != nil {
		return "", "", err
	}
	for word := range strings.FieldsSeq(string(text)) {
		switch word {
		case "sabot.slot=a":
			return "a", "b", nil
		case "sabot.slot=b":
			return "b", "a", nil
		}
	}
	return "", "", fmt.Errorf("%s does not say which slot runs: was the computer started by the card's own boot.scr?",
		l.CommandLine)
}

// The variables that boot.cmd reads, and how often a slot is tried.
const (
	bootSlot  = "BOOT_SLOT"
	bootTry   = "BOOT_TRY"
	bootTries = "BOOT_TRIES"
	mostTries = "2"
)

// set changes variables, all of them in one write of a sector. One without a value is removed.
func (l *Slots) set(ctx context.Context, lines ...string) error {
	cmd := exec.CommandContext(ctx, "fw_setenv", "--config", l.Config, "--script", "-")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fw_setenv: %w: %s; apt-get install libubootenv-tool", err, strings.TrimSpace(string(out)))
	}
	return nil
}

func (l *Slots) get(ctx context.Context, name string) (string, error) {
	text, err := output(ctx, "fw_printenv", "--config", l.Config)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(text) {
		if value, is := strings.CutPrefix(strings.TrimSpace(line), name+"="); is {
			return value, nil
		}
	}
	return "", nil
}

const slotWritten = "the other slot is written"

// installSlot writes the other slot, while the table deals.
func (s *System) installSlot(ctx context.Context, st *State) error {
	_, other, err := s.Slots.runs()
	if err != nil {
		return err
	}
	// Whatever is half written must not be started.
	if err := s.Slots.set(ctx, bootTry+"=", bootTries+"="); err != nil {
		return err
	}
	s.Log.Info(slotWritten, "slot", other, "version", st.To)
	return unpackSlot(ctx, s.at(nextFile), s.Slots.Devices[other])
}

// trySlot has the other slot tried at the next start. Until then a power cut leaves the table at the slot that it dealt
// from.
func (s *System) trySlot(ctx context.Context, st *State) error {
	_, other, err := s.Slots.runs()
	if err != nil {
		return err
	}
	// The journal's last start is kept first: a power cut may start the new slot at once.
	if err := keep(s.at(stateFile), st); err != nil {
		return err
	}
	if err := s.Slots.set(ctx, bootTry+"="+other, bootTries+"="+mostTries); err != nil {
		return err
	}
	st.Step = Trying
	return nil
}

// resumeSlot waits for no round if the power was cut as the slot was about to be tried, and it runs: it may not work.
func (s *System) resumeSlot(ctx context.Context, st *State) error {
	version, _, err := s.Slots.version(ctx)
	if err == nil && st.Step == Waiting && version == st.To {
		st.Step = Trying
	}
	return err
}

// unpackSlot writes the slot in a package to a device, and reads it again: cards lie.
func unpackSlot(ctx context.Context, path, device string) error {
	to, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := stream(ctx, path, io.MultiWriter(to, sum))
	if err = errors.Join(err, to.Sync()); err == nil {
		err = sameAgain(to, n, sum)
	}
	return errors.Join(err, to.Close())
}

// stream passes on the slot in a package.
func stream(ctx context.Context, path string, to io.Writer) (int64, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	unpack := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", path)
	pick := exec.CommandContext(ctx, "tar", "--extract", "--to-stdout", "--file", "-", slotImage)
	counted := &counter{to: to}
	var said strings.Builder
	pick.Stdout, pick.Stderr, unpack.Stderr = counted, &said, &said
	var err error
	if pick.Stdin, err = unpack.StdoutPipe(); err != nil {
		return 0, err
	}
	if err := unpack.Start(); err != nil {
		return 0, err
	}
	err = pick.Run()
	if err != nil {
		stop() // nobody reads what it unpacks
	}
	if err = errors.Join(err, unpack.Wait()); err == nil && counted.n == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		err = fmt.Errorf("%s of %s: %w: %s", slotImage, path, err, strings.TrimSpace(said.String()))
	}
	return counted.n, err
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// sameAgain reads what was written.
func sameAgain(f *os.File, n int64, want hash.Hash) error {
	if err := forget(f); err != nil {
		return err
	}
	got := sha256.New()
	if _, err := io.Copy(got, io.NewSectionReader(f, 0, n)); err != nil {
		return err
	}
	if string(got.Sum(nil)) != string(want.Sum(nil)) {
		return fmt.Errorf("%s does not keep what is written to it: the card is worn out, replace it", f.Name())
	}
	return nil
}

// errRestarts: the computer starts anew, and the update goes on then.
var errRestarts = errors.New("the computer starts anew")

func (s *System) restarts(ctx context.Context) error {
	s.Log.Info("the computer starts anew")
	if err := s.Slots.Reboot(ctx); err != nil {
		return fmt.Errorf("the computer cannot be started anew: %w; switch it off and on between two rounds", err)
	}
	return errRestarts
}

// slotTried is nil if the computer runs from the new slot. It starts it anew if it was not yet tried.
func (s *System) slotTried(ctx context.Context, st *State) error {
	version, _, err := s.Slots.version(ctx)
	if err != nil || version == st.To {
		return err
	}
	tries, err := s.Slots.get(ctx, bootTries)
	if err != nil {
		return err
	}
	if tries != mostTries {
		return errNotTried
	}
	// Since it was asked last, this may have been interrupted.
	open, err := s.Table.Open()
	if err != nil {
		return fmt.Errorf("whether a round is open cannot be read: %w", err)
	}
	if open {
		return errOpen
	}
	return s.restarts(ctx)
}

// settleSlot has the new slot started from now on.
func (s *System) settleSlot(ctx context.Context, _ *State) error {
	slot, _, err := s.Slots.runs()
	if err != nil {
		return err
	}
	if err := s.Slots.set(ctx, bootSlot+"="+slot, bootTry+"=", bootTries+"="); err != nil {
		return err
	}
	return s.removeNext()
}

// slotBack starts the slot from before, unless it is what runs.
func (s *System) slotBack(ctx context.Context, st *State) (after uint64, err error) {
	if err := s.Slots.set(ctx, bootTry+"=", bootTries+"="); err != nil {
		return 0, err
	}
	version, _, err := s.Slots.version(ctx)
	if err != nil {
		return 0, err
	}
	if version != st.From {
		return 0, s.restarts(ctx)
	}
	return st.Boot, s.removeNext()
}

// removeNext removes the package, which is large: what is in it is in the slot.
func (s *System) removeNext() error {
	for _, name := range []string{nextFile, nextFile + SignatureEnd} {
		if err := os.Remove(s.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
