package doctor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/update"
)

// mostText is more than any file of the system that is read here has, in bytes.
const mostText = 1 << 20

// text is a file of the system, below its root; "" if there is none, or it may not be read.
func (x *exam) text(path string) string { return x.textOf(x.at(path)) }

func (x *exam) textOf(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostText))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// findPrograms lists the programs that run. The kernel shortens their names to 15 characters.
func (x *exam) findPrograms() {
	x.running = map[string]int{}
	entries, err := os.ReadDir(x.at("proc"))
	if err != nil {
		x.unseen(health.AreaDevices, "which programs run", why(err))
		return
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if name := x.text(filepath.Join("proc", e.Name(), "comm")); name != "" {
				x.running[name] = pid
			}
		}
	}
	if _, err := os.Stat(x.at("proc/1/comm")); err != nil {
		x.unseen(health.AreaDevices, "which programs run",
			"the system shows only one's own: ask again as root, sudo sabot doctor")
	}
}

// found lists those of the programs that run.
func (x *exam) found(names ...string) (list []string) {
	for _, name := range names {
		if pid, runs := x.running[name]; runs {
			list = append(list, fmt.Sprintf("%s (process %d)", name, pid))
		}
	}
	return list
}

// starts reports whether systemd starts a unit with the computer.
func (x *exam) starts(unit string) bool {
	links, _ := filepath.Glob(filepath.Join(x.at("etc/systemd/system"), "*.wants", unit)) // the pattern is right
	return len(links) > 0
}

// tableUnit is the table's service.
const tableUnit = "sabotd.service"

// lookAtUnit looks whether the table starts with the computer.
func (x *exam) lookAtUnit() {
	there := slices.ContainsFunc([]string{"etc/systemd/system", "usr/lib/systemd/system", "lib/systemd/system"},
		func(folder string) bool {
			_, err := os.Lstat(filepath.Join(x.at(folder), tableUnit))
			return err == nil
		})
	to, err := os.Readlink(filepath.Join(x.at("etc/systemd/system"), tableUnit))
	switch {
	case !there:
		x.untold("whether the table starts with it, since there is no " + tableUnit)
	case err == nil && to == "/dev/null":
		x.wrong("unit-disabled", tableUnit+" is masked",
			"sudo systemctl unmask sabotd, then sudo systemctl enable sabotd")
	case !x.starts(tableUnit):
		x.wrong("unit-disabled", "", "")
	}
}

// clocks are programs that set the clock.
var clocks = []string{"chronyd", "ntpd", "systemd-timesyn", "openntpd"}

// lookAtClocks looks whether several programs set the clock.
func (x *exam) lookAtClocks() {
	if found := x.found(clocks...); len(found) > 1 {
		x.wrong("clock-contested", strings.Join(found, ", "), "")
	}
}

// blankers are programs that blank a screen which nobody touches.
var blankers = []string{
	"swayidle", "hypridle", "xscreensaver", "gnome-screensav", "light-locker", "xss-lock",
	"xautolock",
}

// lookAtScreen looks for what switches the screen off while the table's page is on it.
func (x *exam) lookAtScreen() {
	if found := x.found(blankers...); len(found) > 0 {
		x.wrong("screen-blanks", strings.Join(found, ", "), "remove it from what starts with the screen's session")
	}
	if file, action := x.idleAction(); action != "" {
		x.wrong("screen-blanks", fmt.Sprintf("IdleAction=%s in %s", action, file),
			"write IdleAction=ignore there, then sudo systemctl restart systemd-logind")
	}
	outputs, _ := filepath.Glob(filepath.Join(x.at("sys/class/drm"), "card*-*")) // the pattern is right
	for _, output := range outputs {
		if x.textOf(filepath.Join(output, "status")) == "connected" &&
			x.textOf(filepath.Join(output, "dpms")) == "Off" {
			x.wrong("screen-blanks", filepath.Base(output)+" is off now", "")
		}
	}
}

// lookAtOwnScreen looks whether one of the screens that enter is the table's own.
func (x *exam) lookAtOwnScreen() {
	if x.config == nil || !x.config.Web.Guarded() {
		return
	}
	if !slices.ContainsFunc(x.config.Web.Screens, func(one config.Screen) bool { return one.Own }) {
		x.wrong("screen-own-none", "", "")
	}
}

// idleAction is what logind does when nobody touches anything, and where that is written; "" for nothing. The last file
// by its name counts, and those in /etc come before others of the same name.
func (x *exam) idleAction() (file, action string) {
	files := map[string]string{}
	for _, folder := range []string{
		"usr/lib/systemd/logind.conf.d", "run/systemd/logind.conf.d",
		"etc/systemd/logind.conf.d",
	} {
		found, _ := filepath.Glob(filepath.Join(x.at(folder), "*.conf")) // the pattern is right
		for _, path := range found {
			files[filepath.Base(path)] = "/" + folder + "/" + filepath.Base(path)
		}
	}
	list := []string{"/etc/systemd/logind.conf"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, files[name])
	}
	for _, path := range list {
		for line := range strings.Lines(x.text(path)) {
			if value, is := strings.CutPrefix(strings.TrimSpace(line), "IdleAction="); is {
				file, action = path, strings.TrimSpace(value)
			}
		}
	}
	if action == "ignore" {
		action = ""
	}
	return file, action
}

// lookAtUpdate looks what came of the last update.
func (x *exam) lookAtUpdate() {
	if x.Updates == "" {
		return
	}
	switch s, err := update.Look(x.Updates); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		x.unseen(health.AreaDaemon, "the last update", why(err))
	case s.Err() != nil:
		x.wrong("update-failed", fmt.Sprintf("%s: from %s to %s: %v", inFull(s.At), s.From, s.To, s.Err()), "")
	}
}
