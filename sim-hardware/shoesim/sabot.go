package shoesim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Sabot is a shoe of our own protocol.
const Sabot Kind = "sabot"

func init() {
	simulators[Sabot] = simulator{start: startSabot, troubles: slices.Sorted(maps.Keys(sabotTroubles)), key: true}
}

// startSabot begins a life of a sabot shoe's firmware.
func startSabot(s *Shoe) firmware {
	id := Identity{
		Serial: s.options.Serial, Firmware: s.options.Firmware,
		Capabilities: wire.CanLock | wire.CanLight | wire.CanSeeCut | wire.HasKeys | wire.GivesConfidence,
	}
	if s.options.Continuous {
		id.Capabilities |= wire.IsShuffler
	}
	s.core = NewCore(id, s.boot)
	s.core.Begin(s.options.Last)
	s.options.Last = 0
	if s.options.Key != nil {
		s.core.Secure(*s.options.Key, rand.Uint64())
	}
	return sabotFirmware{s.core}
}

// sabotFirmware is a Core as any shoe's firmware.
type sabotFirmware struct{ *Core }

var sabotTroubles = map[Trouble]wire.AlarmCode{
	CannotRead: wire.AlarmSensor, ReversePull: wire.AlarmReversePull, ForeignCard: wire.AlarmForeignCard,
	Jam: wire.AlarmJam, Cover: wire.AlarmCover,
}

func (f sabotFirmware) card(now time.Duration, c card.Card) {
	r := read(c)
	f.Card(now, r.rank, r.suit, r.confidence)
}

func (f sabotFirmware) cutCard(now time.Duration) { f.CutCard(now) }

func (f sabotFirmware) trouble(now time.Duration, t Trouble, raised bool) {
	if raised {
		f.RaiseAlarm(now, sabotTroubles[t], 0)
		return
	}
	f.ClearAlarm(now, sabotTroubles[t], 0)
}

func (f sabotFirmware) locked() string {
	if locks := f.Locks(); locks != 0 {
		return fmt.Sprintf("reasons %#02x", uint8(locks))
	}
	return ""
}

func (f sabotFirmware) sending() int { return 0 }

// frame ends with a zero byte.
func (f sabotFirmware) frame(p []byte) int {
	return slices.Index(p, 0) + 1
}
