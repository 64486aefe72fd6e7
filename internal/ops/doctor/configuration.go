package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// usualUser runs the daemon where it was installed as docs/install.md says.
const usualUser = "sabot"

// readConfig reads the configuration as the daemon does. One that cannot be used is read as far as it can be, since it
// may be the daemon's next one.
func (x *exam) readConfig() {
	text, err := securefile.Read(x.Config, strictyaml.MaxSize)
	switch {
	case errors.Is(err, fs.ErrPermission):
		x.unseen(health.AreaConfiguration, "all", why(err))
		return
	case errors.Is(err, fs.ErrNotExist):
		x.first, x.missing = true, err
		return
	case err != nil:
		x.wrong("config-unfit", err.Error(), "give the table's own with --config")
		return
	case settings.Fresh(text):
		x.first, x.fresh = true, text
		return
	}
	c, err := config.ParseFor(nil, x.Config, text, x.Houses)
	switch {
	case err == nil:
		x.config = &c
		x.lookAtModes()
	case x.notAllowed(text):
		x.unseen(health.AreaConfiguration, "whether it can be used",
			"some of the files that it names may not be read: ask again as root, sudo sabot doctor")
	default:
		x.wrong("config-unfit", firstLines(err.Error(), 3), "")
	}
	if x.config == nil {
		if c, told := config.Outline(x.Config, text); told {
			x.config = &c
		}
	}
	if x.config != nil {
		x.page.Site, x.page.Table = x.config.Site, x.config.Table
	}
}

// notAllowed reports whether whoever asks may not read a file that the configuration names: then its faults may be
// those of the asker alone.
func (x *exam) notAllowed(text []byte) bool {
	c, err := config.Sketch(x.Config, text)
	if err != nil {
		return false
	}
	for _, file := range c.Files() {
		f, err := securefile.Open(file.Path)
		if err == nil {
			f.Close()
		}
		if errors.Is(err, fs.ErrPermission) {
			return true
		}
	}
	_, err = os.Stat(c.Journal.Path)
	return errors.Is(err, fs.ErrPermission)
}

// lookAtModes looks for files that other users can read or change, and which the daemon puts right at its next start.
func (x *exam) lookAtModes() {
	open, err := x.config.PutsRight(nil)
	if err != nil {
		x.unseen(health.AreaConfiguration, "who may read the files", why(err))
		return
	}
	if len(open) > 0 {
		what := open[0].What
		if len(open) > 1 {
			what += fmt.Sprintf(", and %d more", len(open)-1)
		}
		x.wrong("files-open", what, "")
	}
}

// findUser finds the user who runs the daemon.
func (x *exam) findUser() {
	name := x.User
	if name == "" {
		name = usualUser
	}
	u, err := x.Machine.Named(name)
	switch {
	case err == nil:
		x.user = u
	case x.User != "":
		x.unseen(health.AreaDevices, "the rights of the user "+x.User, err.Error())
		x.user = x.Machine.Current()
	default:
		x.user = x.Machine.Current()
	}
}

// firstLines shortens what is said of many faults.
func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more lines: sabot config check has all", len(lines)-most))
	}
	return strings.Join(lines, "; ")
}
