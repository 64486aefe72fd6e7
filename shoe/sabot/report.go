package sabot

import (
	"context"
	"log/slog"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// report logs an event that the operator should know about, as it goes to the table.
func (d *Driver) report(e shoe.Event) {
	switch {
	case e.Kind == shoe.Up:
		d.log.Info("shoe: link is up", "serial", e.Shoe.Serial, "firmware", e.Shoe.Firmware)
	case e.Kind == shoe.Down:
		d.log.Warn("shoe: link is down: deal no card until it is up; look at the cable and at the shoe", "why", e.Err)
	case e.Kind == shoe.Gap:
		d.log.Error("shoe: events are lost; any of them may have been a card", "up-to", e.Position,
			"missing", e.Missing)
	case e.Kind == shoe.Reused:
		d.log.Error("shoe: it restarted under a boot id that it had before, so nothing shows which of its events "+
			"are new: have its firmware mended", "boot", e.Code)
	case e.Kind == shoe.AlarmRaised && strings.HasPrefix(e.Code, tamperingPrefix):
		d.log.Error("shoe: somebody may be tampering with the line: look at the cable and at the shoe",
			"alarm", e.Code, "found-by", foundBy(e), "why", e.Err)
	case e.Err != nil:
		d.log.Warn("shoe: event was wrong; if it comes again, look at the line and at the shoe",
			"event", e.Kind, "position", e.Position, "why", e.Err)
	}
}

// foundBy names the side that noticed an attack: the shoe reports what it finds by numbered events.
func foundBy(e shoe.Event) string {
	if e.Position == (shoe.Position{}) {
		return "table"
	}
	return "shoe"
}

var levels = [...]slog.Level{
	wire.LevelDebug: slog.LevelDebug, wire.LevelInfo: slog.LevelInfo, wire.LevelWarn: slog.LevelWarn,
	wire.LevelError: slog.LevelError,
}

func (d *Driver) reportRemarks(sums []shoe.RemarkSum, lines []logLine) {
	for _, s := range sums {
		s.Log(d.log)
	}
	for _, l := range lines {
		d.log.Log(context.Background(), levels[l.level], "shoe says", "text", l.text.String())
	}
}
