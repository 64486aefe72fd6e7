// Package wire is the sabot shoe protocol's codec: framing, check and messages, as firmware-protocol/SPEC.md describes
// them. It does no I/O, keeps no time and allocates nothing for good frames; it imports nothing else of Sabot.
//
// On the line a frame is the COBS encoding of
//
//	version (1)  type (1)  payload (0 to 44)  CRC-32 (4, little-endian)
//
// followed by one zero byte; a sealed frame has a counter (4) and a tag (8) between
// payload and CRC. COBS costs one byte for frames as short as these,
// and keeps zero out of the frame, so that a zero always ends a frame and a
// receiver finds the next one after any garbage. All numbers are little-endian.
package wire

// The versions of frames that this package speaks.
const (
	// Version marks a frame that is not sealed.
	Version uint8 = 1
	// SealedVersion marks a frame with a counter and a tag.
	SealedVersion uint8 = 2
)

// Sizes in bytes.
const (
	// MaxFrame is the longest frame on the line, including its zero delimiter.
	MaxFrame = 64
	// MaxPayload is the longest payload of a message. It leaves 12 bytes of the
	// longest frame for the counter and the tag of a sealed one.
	MaxPayload = 44
	// MaxText is the longest log text.
	MaxText = 40
	// MaxSerial is the longest serial number.
	MaxSerial = 16
)

const (
	headSize  = 2     // version and type
	sealSize  = 4 + 8 // counter and tag
	crcSize   = 4
	maxPacket = MaxFrame - 2 // less the COBS code byte and the delimiter
)

// Type says what a message is. Types from 0x80 go from host to shoe, the others
// from shoe to host; 0x10 to 0x3F are numbered events.
type Type uint8

// Messages from shoe to host. Those from Card on are numbered: they stay in the
// shoe's queue until the host acknowledges them.
const (
	Hello        Type = 0x01
	Heartbeat    Type = 0x02
	Log          Type = 0x03
	Answer       Type = 0x04
	Card         Type = 0x11
	CutCard      Type = 0x12
	Key          Type = 0x13
	AlarmRaised  Type = 0x14
	AlarmCleared Type = 0x15
	LockState    Type = 0x16
)

// Messages from host to shoe.
const (
	HostHello   Type = 0x81
	Acknowledge Type = 0x82
	Lock        Type = 0x83
	Lamp        Type = 0x84
	Status      Type = 0x85
	Challenge   Type = 0x86
)

// Numbered says whether messages of this type carry a boot id, a sequence number and a time, and are kept by the shoe
// until they are acknowledged. It also holds for types of the range that this version does not know.
func (t Type) Numbered() bool { return t >= 0x10 && t <= 0x3F }

// FromHost says whether messages of this type go from host to shoe.
func (t Type) FromHost() bool { return t >= 0x80 }

// Rank is a card's rank on the line: 1 for the ace to 13 for the king, or one of
// the two constants.
type Rank uint8

// The values that are not ranks.
const (
	// RankUnread: a card left the shoe, but its identity could not be read.
	RankUnread Rank = 0
	// RankJoker: the Joker.
	RankJoker Rank = 255
)

// Suit is a card's suit on the line.
type Suit uint8

// The suits; an unread card and the Joker have none.
const (
	NoSuit Suit = iota
	Spades
	Hearts
	Diamonds
	Clubs
)

// ConfidenceUnknown is the confidence of a sensor that does not measure it;
// otherwise it is in percent, 0 to 100.
const ConfidenceUnknown uint8 = 255

// ValidCard says whether rank and suit together are a card, an unread card or
// the Joker.
func ValidCard(r Rank, s Suit) bool {
	if r == RankUnread || r == RankJoker {
		return s == NoSuit
	}
	return r >= 1 && r <= 13 && s >= Spades && s <= Clubs
}

// Capabilities are the bits by which a hello says what its sender can do. Bits without a name here are sent as 0, and a
// receiver ignores them.
type Capabilities uint32

// What a shoe can have.
const (
	CanLock         Capabilities = 1 << iota // the card exit can be locked
	CanLight                                 // a lamp
	CanSeeCut                                // the cut card is recognised
	HasKeys                                  // keys are wired to the shoe
	IsShuffler                               // a continuous shuffler: cards go back in
	GivesConfidence                          // the sensor measures its confidence

	// Sealed: its sender has a key, and accepts and sends nothing that matters without a seal.
	Sealed Capabilities = 1 << 16
)

// AlarmCode names a shoe's trouble. Codes from 128 on are the maker's own.
type AlarmCode uint8

// The alarms that every host knows.
const (
	AlarmSensor      AlarmCode = 1  // the card sensor fails or is dirty
	AlarmReversePull AlarmCode = 2  // a card was pushed back into the shoe
	AlarmTwoCards    AlarmCode = 3  // two cards left at once
	AlarmJam         AlarmCode = 4  // a card is stuck in the exit
	AlarmCover       AlarmCode = 5  // the cover is open
	AlarmQueueFull   AlarmCode = 6  // too many events unacknowledged; the exit is locked
	AlarmEventsLost  AlarmCode = 7  // the queue overflowed; the detail counts the events lost
	AlarmForced      AlarmCode = 8  // a card left through the locked exit
	AlarmForeignCard AlarmCode = 9  // a card that is not this house's
	AlarmMemory      AlarmCode = 10 // the firmware's self-test failed
	AlarmTampering   AlarmCode = 11 // frames that the host did not send in this session; the detail is a Tampering
)

// Tampering is what a side with a key can detect on the line.
type Tampering uint8

// What can be detected.
const (
	// Forged: an intact frame arrived that was not sealed in this session.
	Forged Tampering = iota + 1
	// Replayed: a sealed frame arrived a second time, or after a later one.
	Replayed
	// Vanished: sealed frames never arrived, and nothing damaged arrived in their place.
	Vanished
)

// LockBits say why the card exit is locked. It is locked while any bit is set.
type LockBits uint8

// The reasons to be locked.
const (
	LockedByHost  LockBits = 1 << iota // the host commanded it
	LockedByQueue                      // the queue of unacknowledged events is full
	LockedByFault                      // the shoe's own trouble
	LockedByHand                       // a key switch at the shoe
)

// Light is what the shoe's lamp shows.
type Light uint8

// The lights.
const (
	LightOff Light = iota
	LightGreen
	LightAmber
	LightRed
)

// Level is a log text's weight.
type Level uint8

// The levels.
const (
	LevelDebug Level = iota
	LevelInfo
	LevelWarn
	LevelError
)
