package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/keys"
)

// What can be wrong with a line, besides what package device names. Errors of this package wrap one of them where it
// applies.
var (
	// ErrNoChip: the machine has no GPIO chip, or none that may be opened.
	ErrNoChip = errors.New("no GPIO chip")
	// ErrNoLine: no chip has such a line.
	ErrNoLine = errors.New("no such GPIO line")
	// ErrAmbiguous: several lines have the name.
	ErrAmbiguous = errors.New("several GPIO lines have this name")
	// ErrTwice: two uses name the same line.
	ErrTwice = errors.New("the GPIO line is used twice")
	// ErrBusy: another program, or a driver of the kernel, has the line.
	ErrBusy = errors.New("GPIO line busy")
	// ErrGone: the chip has vanished, or does not answer.
	ErrGone = errors.New("the GPIO chip is gone")
	// ErrNoEdges: the chip does not say when the line changes.
	ErrNoEdges = errors.New("the GPIO chip reports no changes of the line")
)

const (
	listHint = "`gpioinfo` lists the lines"
	goneHint = "check its cable and its power; it is used again as soon as it is back"
	intHint  = "connect the expander's INT to a line of the board, and name that in its dtoverlay"
)

func (l Line) fault(op string, err error, hint string) error {
	port := l.Address()
	if l.Use != "" {
		port = l.Use + " (" + port + ")"
	}
	return &device.Error{Op: op, Port: port, Err: err, Hint: hint}
}

// vanished is why the lines of a chip that does not answer cannot be used.
func (l Line) vanished(err error) error {
	switch {
	case errors.Is(err, ErrGone):
		return l.fault("read", err, goneHint)
	case means(err, syscall.ENODEV):
		return l.fault("read", ErrGone, goneHint)
	}
	return l.fault("read", fmt.Errorf("%w (%w)", ErrGone, err), goneHint)
}

// means says whether an error is one of the kernel's. The library passes those on as text.
func means(err error, number syscall.Errno) bool {
	return errors.Is(err, number) || strings.Contains(err.Error(), number.Error())
}

// refused says why the kernel does not grant a line of a chip.
func (l Line) refused(err error, has Info, answers bool) error {
	switch {
	case errors.Is(err, ErrGone):
		return l.fault("open", err, goneHint)
	case means(err, syscall.EBUSY):
		who, do := has.Held()
		return l.fault("open", fmt.Errorf("%w: %s has it", ErrBusy, who), do)
	case !l.output && answers && (means(err, syscall.ENXIO) || means(err, syscall.ENODEV)):
		return l.fault("open", ErrNoEdges, intHint)
	case means(err, syscall.ENODEV):
		return l.fault("open", ErrGone, goneHint)
	case means(err, syscall.EIO), means(err, noReply), means(err, syscall.ENXIO), means(err, syscall.ETIMEDOUT):
		return l.fault("open", fmt.Errorf("%w (%w)", ErrGone, err), goneHint)
	case !l.output && l.pull != PullNone && (means(err, syscall.EOPNOTSUPP) || means(err, syscall.EINVAL)):
		return l.fault("open", err, "the chip may have no pulls of its own: write pull-none, and fit a resistor")
	}
	return l.fault("open", err, listHint)
}

// noChip says why a chip cannot be used; without a cause, that there is none.
func noChip(path string, err error) error {
	switch {
	case err == nil:
		return &device.Error{
			Op: "open", Port: path, Err: ErrNoChip,
			Hint: "this machine has no GPIO, or its driver is not loaded. A chip is used as soon as it is there; if " +
				"there will be none, remove the keys and signals from the configuration",
		}
	case errors.Is(err, fs.ErrPermission):
		return &device.Error{
			Op: "open", Port: path, Err: fmt.Errorf("%w: %w", ErrNoChip, device.ErrPermission),
			Hint: "add the user to the group that owns it, as `ls -l " + path +
				"` shows: `sudo usermod -aG gpio USER`, then start again",
		}
	}
	return &device.Error{Op: "open", Port: path, Err: fmt.Errorf("%w: %w", ErrNoChip, err)}
}

// group collects lines that are missing for one reason.
func group(all []keys.Missing, m keys.Missing) []keys.Missing {
	for i := range all {
		if joined := together(all[i].Err, m.Err); joined != nil {
			all[i].Contacts, all[i].Outputs = append(all[i].Contacts, m.Contacts...),
				append(all[i].Outputs, m.Outputs...)
			all[i].Err = joined
			return all
		}
	}
	return append(all, m)
}

// together is one error for two with the same cause, nil if the causes differ.
func together(a, b error) error {
	x, y := (*device.Error)(nil), (*device.Error)(nil)
	if !errors.As(a, &x) || !errors.As(b, &y) || x.Op != y.Op || x.Err.Error() != y.Err.Error() || x.Hint != y.Hint {
		return nil
	}
	both := *x
	if !slices.Contains(strings.Split(x.Port, ", "), y.Port) {
		both.Port += ", " + y.Port
	}
	return &both
}
