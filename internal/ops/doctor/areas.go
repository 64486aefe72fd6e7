package doctor

import (
	"slices"

	"github.com/sabot-table/sabot/internal/ops/health"
)

// Area is a part of a table in which something may be wrong, in words.
type Area string

// The areas.
const (
	configuration Area = "configuration"
	daemon        Area = "daemon"
	record        Area = "journal"
	devices       Area = "devices"
	pit           Area = "pit"
	page          Area = "page"
	diskArea      Area = "disk"
	backupArea    Area = "backup"
	computerArea  Area = "computer"
	clockArea     Area = "clock"
	screen        Area = "screen"
)

// areas are all areas in the order in which they are told, with the reasons that are found in each: every reason has
// one.
var areas = []struct {
	name  Area
	codes []health.Code
}{
	{configuration, []health.Code{"config-unfit", "files-open"}},
	{daemon, []health.Code{
		"daemon-silent", "first-start", "configuration-lost", "starting", "held", "restarts",
		"unit-disabled", "version-differs", "update-failed",
	}},
	{record, []health.Code{
		"storage-failing", "storage-slow", "journal-unreadable", "record-doubted",
		"journal-unsealed",
	}},
	{devices, []health.Code{
		"shoe-offline", "panel-missing", "device-unusable", "group-missing", "port-probed",
		"port-seized",
	}},
	{pit, []health.Code{"pit-offline", "pit-denied", "pit-behind", "pit-drops", "broker-certificate-ends"}},
	{page, []health.Code{"certificate-ends", "screen-own-none"}},
	{diskArea, []health.Code{"disk-low", "disk-full-soon", "disk-slow", "card-worn"}},
	{backupArea, []health.Code{"backup-late", "backup-none"}},
	{computerArea, []health.Code{"hot", "undervoltage", "throttled"}},
	{clockArea, []health.Code{"clock-unsynchronized", "clock-jumps", "clock-contested"}},
	{screen, []health.Code{"screen-blanks"}},
}

// AreaOf is the area of a reason. One of a newer daemon, which this program does not know, is the daemon's.
func AreaOf(code health.Code) Area {
	for _, a := range areas {
		if slices.Contains(a.codes, code) {
			return a.name
		}
	}
	return daemon
}

func place(name Area) int {
	for i, a := range areas {
		if a.name == name {
			return i
		}
	}
	return len(areas)
}

// Areas lists all areas, in the order in which they are told.
func Areas() (all []Area) {
	for _, a := range areas {
		all = append(all, a.name)
	}
	return all
}
