package board

import (
	"context"
	"crypto/sha256"
	_ "embed" // the recipe
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// What is made from the packages depends on these files.
var (
	//go:embed workshop.go
	workshopText string
	//go:embed pc.go
	pcText string
	//go:embed pi.go
	piText string
)

// cache is the folder with what was fetched and made. One program uses it at a time. Everything under its final name is
// complete: it is made elsewhere and renamed.
type cache struct {
	dir  string
	lock *os.File
	told func(string)
}

// unusedLast is how long unused things are kept.
const unusedLast = 30 * 24 * time.Hour

// openCache waits until no other run uses the cache. A killed run releases it.
func openCache(told func(string)) (*cache, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("where to keep 300 MB of Debian's packages: %w; set XDG_CACHE_HOME", err)
	}
	c := &cache{dir: filepath.Join(root, "sabot", "board"), told: told}
	if err := os.MkdirAll(c.packages(), 0o755); err != nil {
		return nil, err
	}
	if c.lock, err = os.Create(filepath.Join(c.dir, "lock")); err != nil {
		return nil, err
	}
	if err := c.take(); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", c.lock.Name(), err), c.lock.Close())
	}
	return c, c.tidy()
}

func (c *cache) take() error {
	_, err := securefile.TryLock(c.lock)
	if !errors.Is(err, securefile.ErrLocked) {
		return err
	}
	c.told("waiting for another run that makes boards")
	_, err = securefile.WaitLock(c.lock)
	return err
}

func (c *cache) close() { c.lock.Close() }

// tidy removes what was never finished, and what has not been used for long.
func (c *cache) tidy() error {
	unfinished, err := filepath.Glob(filepath.Join(c.dir, unfinishedPrefix+"*"))
	for _, pattern := range []string{"*-*", "packages/*"} {
		found, globErr := filepath.Glob(filepath.Join(c.dir, pattern))
		err = errors.Join(err, globErr)
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > unusedLast {
				unfinished = append(unfinished, path)
			}
		}
	}
	for _, path := range unfinished {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

const unfinishedPrefix = "unfinished-"

// parts returns the folder of a board, and makes it if there is none for the packages that Debian has today.
func (c *cache) parts(ctx context.Context, b Board) (string, error) {
	a := apt{ctx: ctx, dir: filepath.Join(c.dir, "apt")}
	set, err := c.find(a, b)
	if err != nil {
		return "", err
	}
	folder := c.folder(b, set)
	if used(folder) {
		return folder, nil
	}
	if len(set.missing(c.packages())) > 0 && a.age() > freshLists {
		if err := a.update(); err != nil {
			return "", err
		}
		if set, err = a.find(b); err != nil {
			return "", err
		}
		if folder = c.folder(b, set); used(folder) {
			return folder, nil
		}
	}
	return folder, c.make(a, b, set, folder)
}

// make makes a board from packages, and fetches missing ones. The folder appears once it is complete.
func (c *cache) make(a apt, b Board, set packages, folder string) error {
	work, err := os.MkdirTemp(c.dir, unfinishedPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	packages := c.packages()
	c.told(fmt.Sprintf("fetching %d packages of Debian's for the %s board, kernel %s", len(set.missing(packages)),
		b.Name, set.release))
	if err := a.fetch(set, packages, work); err != nil {
		return err
	}
	for _, f := range set.files {
		used(f.path)
	}
	c.told(fmt.Sprintf("making the %s board", b.Name))
	out, err := b.build(a.ctx, work, set)
	if err != nil {
		return err
	}
	return os.Rename(out, folder)
}

// packages is where the packages are kept.
func (c *cache) packages() string { return filepath.Join(c.dir, "packages") }

// find finds a board's packages, in lists that are not too old. Old ones are used if no new ones are available.
func (c *cache) find(a apt, b Board) (packages, error) {
	if a.age() > listsLast {
		err := a.update()
		if _, old := os.Stat(a.stamp()); err != nil && old != nil {
			return packages{}, err
		}
		if err != nil {
			c.told(fmt.Sprintf("continuing with the packages as they were %v ago: %v", a.age().Round(time.Hour), err))
		}
	}
	return a.find(b)
}

// folder is where the result of this recipe with these packages is kept.
func (c *cache) folder(b Board, set packages) string {
	hash := sha256.New()
	for _, text := range []string{workshopText, pcText, piText, expanderSource} {
		hash.Write([]byte(text))
	}
	for _, f := range set.files {
		fmt.Fprintln(hash, f.name, f.hash)
	}
	return filepath.Join(c.dir, b.Name+"-"+set.release+"-"+hex.EncodeToString(hash.Sum(nil))[:16])
}

// used says whether something is there, and extends its life.
func used(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}
