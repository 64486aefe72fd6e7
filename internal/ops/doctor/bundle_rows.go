package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/recall"
)

// bundleRow is a file of a bundle, and what writes it. An error leaves it out, or is told with what was written before
// it.
type bundleRow struct {
	name, what string
	write      func(ctx context.Context, s *BundleSource, to io.Writer) error
}

// bundleRows are all files of a bundle.
var bundleRows = []bundleRow{
	{"doctor.txt", "what is right and what is wrong, as sabot doctor says it", writeDoctor},
	{"doctor.json", "the same for programs", writeDoctorJSON},
	{"versions.txt", "of Sabot, the system and the computer", writeVersions},
	{
		"configuration.yaml", "the configuration, without its comments, secrets and keys that no configuration has",
		writeConfig,
	},
	{"changes.txt", "when the configuration was changed", writeChanges},
	{
		"files.txt", "the files that the configuration names: owner, mode and size, and nothing of what is in them",
		writeFiles,
	},
	{"health.json", "what the daemon says of itself at /health", fromPage("health")},
	{"metrics.txt", "what it has measured, as /metrics says it", fromPage("metrics")},
	{"devices.txt", "what is plugged in, as sabot devices says it", writeDevices},
	{"journal.txt", "the journal's parts, its last record, and where the table stands", writeJournal},
	{"rounds.txt", "the last rounds, as sabot journal recall says them", writeRounds},
	{"log.txt", "the daemon's log", writeLog},
}

var (
	errNoConfig = errors.New("needs the configuration, which cannot be read")
	errNotAsked = errors.New("not asked for")
)

func writeDoctor(_ context.Context, s *BundleSource, to io.Writer) error { return s.page.Write(to) }

func writeDoctorJSON(_ context.Context, s *BundleSource, to io.Writer) error {
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(&s.page)
}

// at is a file of the system.
func (s *BundleSource) at(path string) string { return filepath.Join(s.Ask.Machine.Root, path) }

func writeVersions(ctx context.Context, s *BundleSource, to io.Writer) error {
	fmt.Fprintf(to, "sabot %s, %s\n", s.Ask.Version, s.Ask.Now.UTC().Format(time.RFC3339))
	for _, file := range []string{
		"proc/device-tree/model", "proc/version", "etc/os-release", "proc/uptime",
		"proc/loadavg", "proc/meminfo",
	} {
		text, err := os.ReadFile(s.at(file))
		if err != nil {
			fmt.Fprintf(to, "\n/%s: not there\n", file)
			continue
		}
		fmt.Fprintf(to, "\n/%s\n%s\n", file, strings.TrimRight(string(text), "\x00\n"))
	}
	if s.Ask.Machine.Root != "/" {
		return nil
	}
	packages, err := exec.CommandContext(ctx, "dpkg-query", "--show", "sabot*").Output()
	if err == nil {
		fmt.Fprintf(to, "\npackages\n%s", packages)
	}
	return nil
}

func writeConfig(_ context.Context, s *BundleSource, to io.Writer) error {
	text, err := securefile.Read(s.Ask.Config, strictyaml.MaxSize)
	if err != nil {
		return err
	}
	shown, _, err := config.Shown(text)
	if err == nil {
		_, err = to.Write(shown)
	}
	return err
}

func writeChanges(_ context.Context, s *BundleSource, to io.Writer) error {
	all, err := settings.At(s.Ask.Config).History()
	for _, one := range all {
		fmt.Fprintf(to, "%4d  before the change of %s\n", one.Number, one.Changed.UTC().Format(time.RFC3339))
	}
	if err == nil && len(all) == 0 {
		fmt.Fprintln(to, "neither the table's page nor sabot config restore has changed it")
	}
	return err
}

func writeFiles(_ context.Context, s *BundleSource, to io.Writer) error {
	if s.config == nil {
		return errNoConfig
	}
	list := append([]configfile.Named{
		{Role: "configuration", Path: s.Ask.Config},
		{Role: "journal.path", Path: s.config.Journal.Path},
	}, s.config.Files()...)
	for _, file := range list {
		fmt.Fprintf(to, "%-20s %s\n", file.Role, file.Path)
		info, err := os.Stat(file.Path)
		if err != nil {
			fmt.Fprintf(to, "%-20s %v\n", "", err)
			continue
		}
		fmt.Fprintf(to, "%-20s %s %s, %d bytes, %s\n", "", info.Mode(), owner(info), info.Size(),
			info.ModTime().UTC().Format(time.RFC3339))
	}
	return nil
}

// fromPage asks the daemon for one of its pages.
func fromPage(path string) func(context.Context, *BundleSource, io.Writer) error {
	return func(ctx context.Context, s *BundleSource, to io.Writer) error {
		if s.config == nil && s.Ask.URL == "" && s.Ask.Inside == nil {
			return errNoConfig
		}
		status, text, err := s.Ask.Get(ctx, s.config, path)
		if err != nil {
			return err
		}
		if status == 401 || status == 403 {
			return fmt.Errorf("the page answers %d: give a screen's key of role view, with --key FILE", status)
		}
		_, err = to.Write(text)
		return err
	}
}

func writeDevices(_ context.Context, s *BundleSource, to io.Writer) error {
	if s.Devices == nil {
		return errNotAsked
	}
	return s.Devices(to)
}

func writeJournal(_ context.Context, s *BundleSource, to io.Writer) error {
	if s.config == nil {
		return errNoConfig
	}
	folder := s.config.Journal.Path
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(to, "%-32s %10d  %s\n", e.Name(), info.Size(), info.ModTime().UTC().Format(time.RFC3339))
		}
	}
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		return err
	}
	record, hash, err := r.Head()
	if err == nil {
		fmt.Fprintf(to, "\njournal %s, last record %d, hash %x\n", r.ID(), record, hash)
		var line string
		if line, err = recall.New(r, s.config.Houses(s.Ask.Houses)).State(0); err == nil {
			fmt.Fprintln(to, line)
		}
	}
	return errors.Join(err, r.Close())
}

func writeRounds(_ context.Context, s *BundleSource, to io.Writer) error {
	switch {
	case s.Rounds == 0:
		return errNotAsked
	case s.config == nil:
		return errNoConfig
	}
	return lastRounds(to, s.config.Journal.Path, s.Rounds)
}

// writeLog takes the last lines of the daemon's log.
func writeLog(ctx context.Context, s *BundleSource, to io.Writer) error {
	switch {
	case s.Said != nil:
		return s.Said(to)
	case s.Log != "":
		return s.logFile(to)
	}
	if s.Ask.Machine.Root != "/" {
		return errors.New("give the log's file with --log")
	}
	cmd := exec.CommandContext(ctx, "journalctl", "--unit", "sabotd", "--unit", "sabot-update", "--unit", "sabot-kiosk",
		"--unit", "sabot-backup",
		"--lines", strconv.Itoa(s.Lines), "--output", "short-iso-precise", "--no-pager", "--quiet")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if _, wrong := to.Write(out); err == nil {
		err = wrong
	}
	switch {
	case err != nil:
		return fmt.Errorf("journalctl: %w: %s; give the log's file with --log", err, strings.TrimSpace(said.String()))
	case len(out) == 0:
		return errors.New("systemd's journal has nothing of sabotd that this user may read: ask again as root, or " +
			"give the log's file with --log")
	}
	return nil
}

func (s *BundleSource) logFile(to io.Writer) error {
	f, err := securefile.Open(s.Log)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Seek(max(0, info.Size()-mostPart), io.SeekStart); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostPart))
	if err != nil {
		return err
	}
	_, err = to.Write(lastLines(text, s.Lines))
	return err
}

// lastLines are the last lines of a text.
func lastLines(text []byte, lines int) []byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	if n := len(all); n > 0 && len(all[n-1]) == 0 {
		all = all[:n-1]
	}
	return bytes.Join(all[max(0, len(all)-lines):], nil)
}
