package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// edition says of which state of the source packages are made.
type edition struct {
	// version is as git describes it, which the programs print.
	version string
	// debian is the version by which dpkg orders packages.
	debian string
	// date is when the source was committed: nothing in a package is newer.
	date time.Time
}

// described matches what git describes: a release's tag, commits since, the commit, changes.
var described = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)(?:-(\d+)-g([0-9a-f]+))?(-dirty)?$`)

// bare matches what git describes in a repository without a tag.
var bare = regexp.MustCompile(`^([0-9a-f]{7,})(-dirty)?$`)

// debianVersion orders versions as they follow one another: a release, then the commits after
// it by number; without any release by the time of the commit, and below the first release. A
// source with changes is above the same without.
func debianVersion(version string, date time.Time) (string, error) {
	if found := described.FindStringSubmatch(version); found != nil {
		debian := found[1]
		if found[2] != "" {
			debian += "+" + found[2] + ".g" + found[3]
		}
		return debian + changed(found[4]), nil
	}
	if found := bare.FindStringSubmatch(version); found != nil {
		return "0~" + date.UTC().Format("20060102.150405") + ".g" + found[1] + changed(found[2]), nil
	}
	return "", fmt.Errorf("%q is no version: tag the release as v1.2.3, or give --version", version)
}

func changed(dirty string) string {
	if dirty != "" {
		return "+changes"
	}
	return ""
}

// editionOf asks git, except for what is given: a version, and the seconds since 1970 of
// SOURCE_DATE_EPOCH.
func editionOf(root, version, epoch string) (e edition, err error) {
	if e.version = version; version == "" {
		if e.version, err = git(root, "describe", "--tags", "--always", "--dirty"); err != nil {
			return e, err
		}
	}
	if epoch == "" {
		if epoch, err = git(root, "log", "-1", "--format=%ct"); err != nil {
			return e, err
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return e, fmt.Errorf("SOURCE_DATE_EPOCH is %q: set it to seconds since 1970, or unset it", epoch)
	}
	e.date = time.Unix(seconds, 0).UTC()
	e.debian, err = debianVersion(e.version, e.date)
	return e, err
}

func git(root string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w; outside a repository give --version, and set SOURCE_DATE_EPOCH",
			args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
