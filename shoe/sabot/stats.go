package sabot

import "github.com/sabot-table/sabot/firmware-protocol/wire"

// Stats counts what a driver has seen since it started.
type Stats struct {
	Ports      uint64 // ports opened; one more than the reconnections
	Sessions   uint64 // hellos that answered ours
	Frames     uint64 // good messages
	BadFrames  uint64 // frames that could not be opened: COBS, CRC, length
	Refused    uint64 // intact frames of another protocol version
	Skipped    uint64 // intact messages of unknown types, and echoes of ours
	Invalid    uint64 // intact messages with wrong contents
	Dropped    uint64 // bytes of frames that could not be opened
	Events     uint64 // numbered events passed on
	Unread     uint64 // of these, cards with a wrong code, treated as unread
	Duplicates uint64 // events that came again
	Early      uint64 // events that came before a missing one, left for later
	Deferred   uint64 // events left with the shoe because the table was busy
	Gaps       uint64 // losses reported

	// With a key:
	Missing uint64 // sealed frames that never came, by their counters
	// intact frames without this table's key or of another session, while there was none
	Strays   uint64
	Tampered [len(tamperings)]uint64 // attacks on a session, by their wire.Tampering
}

// Counters returns the counts, by the names used for the pit.
func (d *Driver) Counters() map[string]uint64 {
	s := d.Stats()
	counters := map[string]uint64{
		"ports": s.Ports, "sessions": s.Sessions, "frames": s.Frames, "bad_frames": s.BadFrames,
		"refused": s.Refused, "skipped": s.Skipped, "invalid": s.Invalid, "dropped_bytes": s.Dropped,
		"events": s.Events, "unread": s.Unread, "duplicates": s.Duplicates, "early": s.Early,
		"deferred": s.Deferred, "gaps": s.Gaps, "missing": s.Missing, "strays": s.Strays,
		"forged": s.Tampered[wire.Forged], "replayed": s.Tampered[wire.Replayed], "vanished": s.Tampered[wire.Vanished],
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.meter.AddTo(counters)
	return counters
}
