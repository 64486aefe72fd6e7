// What follows gives tests a computer with Debian 12 and a running systemd: a new root
// from Debian's packages alone, booted by systemd-nspawn. It shares the kernel and the network
// with the machine that runs the test, and nothing else.

package board

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Suite is the Debian that runs there, and holds what is installed besides the least.
const (
	Suite = "bookworm"
	holds = "systemd,systemd-sysv,dbus,udev"
)

// keptFor is how long a root is used before Debian is asked for a newer one.
const keptFor = 7 * 24 * time.Hour

// debianArchive returns the packed root. It is made once, and kept in the user's cache.
func debianArchive() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("where to keep 210 MB of Debian: %w; set XDG_CACHE_HOME", err)
	}
	folder := filepath.Join(cache, "sabot", "debianroot")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(filepath.Join(folder, "lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close() // which releases it
	if _, err := securefile.WaitLock(lock); err != nil {
		return "", err
	}
	path := filepath.Join(folder, Suite+".tar")
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) < keptFor {
		return path, nil
	}
	return path, bootstrap(path)
}

// bootstrap makes the packed root. One that is not finished never has its name.
func bootstrap(path string) error {
	unfinished := path + ".unfinished"
	out, err := exec.Command("mmdebstrap", "--format=tar", "--variant=minbase", "--include="+holds, Suite,
		unfinished).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w; apt-get install mmdebstrap", err)
	}
	if err != nil {
		return fmt.Errorf("mmdebstrap: %w\n%s", err, out)
	}
	return os.Rename(unfinished, path)
}
