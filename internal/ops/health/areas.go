package health

import "slices"

// Area is a part of a table in which something may be wrong, in words.
type Area string

// The areas.
const (
	AreaConfiguration Area = "configuration"
	AreaDaemon        Area = "daemon"
	AreaRecord        Area = "journal"
	AreaDevices       Area = "devices"
	AreaPit           Area = "pit"
	AreaPage          Area = "page"
	AreaDisk          Area = "disk"
	AreaBackup        Area = "backup"
	AreaComputer      Area = "computer"
	AreaClock         Area = "clock"
	AreaScreen        Area = "screen"
)

// Areas are all areas, in the order in which they are told.
var Areas = []Area{
	AreaConfiguration, AreaDaemon, AreaRecord, AreaDevices, AreaPit, AreaPage, AreaDisk, AreaBackup, AreaComputer,
	AreaClock, AreaScreen,
}

// AreaOf is the area of a reason. One of a newer daemon, which this program does not know, is the daemon's.
func AreaOf(code Code) Area {
	if row := Of(code); row != nil {
		return row.Area
	}
	return AreaDaemon
}

// Place is where an area stands in their order.
func (a Area) Place() int { return slices.Index(Areas, a) }
