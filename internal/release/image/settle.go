package image

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// staying are the folders that lie on the card's data, as etc/fstab mounts them.
var staying = []string{"etc/sabot", "var/lib/sabot", "var/lib/sabot-update", "var/lib/systemd/timesync"}

// versionFile says inside which version the card has: internal/ops/update knows by it that it runs from a slot.
const versionFile = "usr/lib/sabot/slot"

// settle makes of Debian's part that of a table: the recipe's files, and Sabot's packages. The users come first, with
// numbers of their own, and then the packages, which would take any.
func (b *builder) settle() error {
	if err := os.Rename(b.at("firmware"), filepath.Join(b.work, "firmware")); err != nil {
		return err
	}
	for _, step := range []func() error{
		b.layOver, b.users, b.install, b.switches, b.identity, b.clock,
		b.forget, b.data,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) users() error { return b.inside("systemd-sysusers", "sabot-card.conf") }

func (b *builder) install() error {
	b.Told("installing Sabot's packages")
	args := []string{"/usr/bin/dpkg", "--force-confold", "--install"}
	for _, p := range b.Packages {
		to := filepath.Join("/tmp", filepath.Base(p))
		if _, err := b.run("cp", p, b.at(to)); err != nil {
			return err
		}
		args = append(args, to)
	}
	return b.inside(args...)
}

// layOver copies the recipe's files into the system. All belong to root; what is a program there is one here.
func (b *builder) layOver() error {
	from := b.in("root")
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(b.at(rel), 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		switch {
		case info.Mode()&0o111 != 0:
			mode = 0o755
		case strings.HasPrefix(rel, "etc/sudoers.d/"):
			mode = 0o440
		}
		return errors.Join(os.WriteFile(b.at(rel), text, mode), os.Chmod(b.at(rel), mode))
	})
}

// switches says which units run, and which do not.
func (b *builder) switches() error {
	for _, args := range [][]string{
		{
			"systemctl", "enable", "systemd-networkd.service", "systemd-timesyncd.service", "ssh.service",
			"sabot-card.service", "sabot-card-settings.service", "sabot-card-name.service",
		},
		{"systemctl", "set-default", "graphical.target"},
		// What only makes sense where the root stays, or on a computer with people at its console.
		{
			"systemctl", "mask", "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer",
			"e2scrub_all.timer",
			"e2scrub_reap.service", "fstrim.timer", "systemd-networkd-wait-online.service",
		},
	} {
		if err := b.inside(args...); err != nil {
			return err
		}
	}
	return nil
}

// identity says which version this is, and whom it trusts. A computer's own identity is made when it starts.
func (b *builder) identity() error {
	if err := os.MkdirAll(b.at("usr/lib/sabot"), 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{
		versionFile: b.Version + "\n", "etc/apt/sources.list": sources,
		// empty, not missing: systemd makes one at each start, and does not take it for the first
		"etc/machine-id":  "",
		"etc/resolv.conf": "",
	} {
		if err := os.WriteFile(b.at(name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if b.Keys == "" {
		return nil
	}
	text, err := os.ReadFile(b.Keys)
	if err != nil {
		return err
	}
	return os.WriteFile(b.at("etc/sabot-release.pub"), text, 0o644)
}

// zone is the clock of the built-in houses, by which a gaming day begins. A table elsewhere names its own on the card.
const zone = "Europe/Zurich"

// clock sets the time zone.
func (b *builder) clock() error {
	at := b.at("etc/localtime")
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink("/usr/share/zoneinfo/"+zone, at)
}

// forget removes what must not be the same on two computers, and what nobody needs.
func (b *builder) forget() error {
	var errs []error
	for _, pattern := range []string{
		"etc/ssh/ssh_host_*", "var/lib/dbus/machine-id", "var/lib/systemd/random-seed", "tmp/*", "var/tmp/*",
		"var/cache/apt/*.bin", "var/cache/apt/archives/*.deb",
		"var/lib/apt/lists/*", "var/log/*.log", "var/log/apt/*", "var/cache/ldconfig/aux-cache",
	} {
		found, err := filepath.Glob(b.at(pattern))
		errs = append(errs, err)
		for _, path := range found {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}

// data moves what stays to where the data's partition is made from.
func (b *builder) data() error {
	if err := os.MkdirAll(b.at("data"), 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(b.at("boot/firmware"), 0o755); err != nil {
		return err
	}
	for _, name := range staying {
		to := filepath.Join(b.work, "data", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.MkdirAll(b.at(name), 0o755); err != nil {
			return err
		}
		// The folder with its owner and mode on both sides: one is mounted over the other.
		if _, err := b.run("cp", "--archive", b.at(name), to); err != nil {
			return err
		}
	}
	return nil
}
