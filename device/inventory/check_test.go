package inventory_test

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
)

//go:embed testdata/check
var testdata embed.FS

// TestCheck reads testdata/check: "check" takes a made-up machine, a user, and whether the buses are probed; then what
// a table uses, and with a plus what else the machine has. It prints what is wrong.
func TestCheck(t *testing.T) {
	machines := map[string]inventory.Source{} // reading changes none
	whole := t
	datatest.Each(t, testdata, "testdata/check", func(t *testing.T, path string) {
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "check" {
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			uses, more := usesOf(t, d)
			var tree, user string
			d.ScanArgs(t, "machine", &tree)
			d.ScanArgs(t, "user", &user)
			is := fmt.Sprint(tree, more)
			s, made := machines[is]
			if !made {
				s = devicetest.Tree(whole, tree, more...)
				machines[is] = s
			}
			m, err := inventory.Read(s, userOf(t, s, user), d.HasArg("probe"))
			if err != nil {
				return err.Error() + "\n"
			}
			return told(inventory.Check(s, m, uses))
		})
	})
}

// userOf is a user as after the next login or, with "!" before the name, as before it.
func userOf(t *testing.T, s inventory.Source, name string) inventory.User {
	t.Helper()
	u, err := s.Named(strings.TrimPrefix(name, "!"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "!") {
		u.Groups, u.Waiting = u.Groups[:1], u.Groups[1:]
	}
	return u
}

func usesOf(t *testing.T, d *datadriven.TestData) (u inventory.Uses, more []string) {
	for line := range strings.Lines(d.Input) {
		f := strings.Fields(line)
		switch f[0] {
		case "+":
			more = append(more, strings.TrimPrefix(line, "+ "))
		case "port":
			a, err := device.ParseAddress(f[2])
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			u.Ports = append(u.Ports, inventory.PortUse{Key: f[1], Address: a})
		case "line":
			u.Lines = append(u.Lines, inventory.LineUse{Key: f[1], Line: f[2]})
		case "i2c":
			n, err := strconv.ParseUint(f[3], 0, 8)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			u.I2C = append(u.I2C, inventory.I2CUse{Key: f[1], Bus: f[2], Address: inventory.Address(n)})
		default:
			d.Fatalf(t, "%q is not a use", f[0])
		}
	}
	return u, more
}

func told(f inventory.Finding) string {
	if len(f.Problems) == 0 {
		return "all well\n"
	}
	var b strings.Builder
	for _, p := range f.Problems {
		kind := "wrong"
		if p.Hint {
			kind = "hint"
		}
		fmt.Fprintf(&b, "%s: %s: %s\n    %s\n", kind, p.Key, p.What, p.Do)
	}
	return b.String()
}

func TestUnknownUser(t *testing.T) {
	s := devicetest.Tree(t, "pc")
	if _, err := s.Named("nobody-here"); err == nil || !strings.Contains(err.Error(), "getent passwd") {
		t.Errorf("an unknown user: %v", err)
	}
}

// TestSystem lists the machine that runs the test, whatever it has.
func TestSystem(t *testing.T) {
	s := inventory.System()
	m, err := inventory.Read(s, s.Current(), false)
	if err != nil {
		t.Fatal(err)
	}
	if m.User == "" || m.Serial == nil || m.GPIO == nil || m.I2C == nil {
		t.Errorf("the inventory is %+v", m)
	}
}
