package vectors_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
)

// sessions are keys with what follows from them.
var sessions = []vectors.Session{
	session("session-zero", "Everything zero: only the labels keep the results apart.", vectors.Key{}, 0, 0, 0),
	session("session-ordered", "The key whose bytes count up.", vectors.Key(counting(0, 16)), 1, 2, 3),
	anySession,
}

// anySession is the one of all sealed vectors.
var (
	anySession = session("session-any", "A typical key, two nonces and a seed.",
		vectors.Key{0x5a, 0xb0, 0x70, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc},
		0x0123456789abcdef, 0xfedcba9876543210, 6534846262044065793)
	fromHost, fromShoe = &anySession.FromHost, &anySession.FromShoe
)

func counting(from byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

// good is a message and the only frame that a sender makes of it.
func good(name, about, message string) vectors.Case {
	return vectors.Case{Name: name, About: about, Bytes: frame(plain(message)), Reports: says(message), Encode: true}
}

// goodSealed is a message that is sealed with a counter, after the counter seen.
func goodSealed(name, about string, key *vectors.Key, seen, counter uint32, message string) vectors.Case {
	word, fields, _ := strings.Cut(message+" ", " ")
	reported := strings.TrimSuffix(fmt.Sprintf("%s counter=%d %s", word, counter, fields), " ")
	c := under(key, seen, read(name, about, frame(sealed(key, counter, message)), reported))
	c.Encode = true
	return c
}

// under is a case in the session of a key.
func under(key *vectors.Key, seen uint32, c vectors.Case) vectors.Case {
	c.Key, c.Seen = key, seen
	return c
}

// read is bytes whose frames are intact, and what is said of each.
func read(name, about string, line []byte, messages ...string) vectors.Case {
	return vectors.Case{Name: name, About: about, Bytes: line, Reports: says(messages...)}
}

func says(messages ...string) (r []vectors.Report) {
	for _, m := range messages {
		r = append(r, vectors.Report{Frame: "ok", Message: m})
	}
	return r
}

// damaged is bytes of one frame that cannot be opened.
func damaged(name, about, fault string, line []byte) vectors.Case {
	return vectors.Case{Name: name, About: about, Bytes: line, Reports: []vectors.Report{{Frame: fault}}}
}

// changed is the bytes with one of them, counted from the end if negative, exchanged.
func changed(b []byte, at int, to byte) []byte {
	b = slices.Clone(b)
	b[(at+len(b))%len(b)] = to
	return b
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// What many faults are planted in.
const (
	fiveOfHearts = "card boot=523124044 seq=9 time=9000000 rank=5 suit=2 confidence=90"
	king         = "card boot=523124044 seq=3 time=3000000 rank=13 suit=2 confidence=99"
	kingTwo      = "card counter=2 boot=523124044 seq=3 time=3000000 rank=13 suit=2 confidence=99"
)

var (
	status    = plain("status")
	amber     = plain("lamp light=2")
	sealedTwo = sealed(fromShoe, 2, king)
)

var recipes = slices.Concat(goodOnes, damagedFrames, wrongMessages, sealedOnes, wrongSeals)

// goodOnes are what every sender must make exactly so.
var goodOnes = []vectors.Case{
	good("acknowledge-nothing", "Nothing is stored yet.",
		"acknowledge boot=523124044 seq=0"),
	good("acknowledge", "Everything up to event 9 is stored.",
		"acknowledge boot=523124044 seq=9"),
	good("alarm-cleared-cover", "The cover is closed.",
		"alarm-cleared boot=523124044 seq=80 time=92000000 alarm=5 detail=0"),
	good("alarm-raised-cover", "The cover is open.",
		"alarm-raised boot=523124044 seq=80 time=92000000 alarm=5 detail=0"),
	good("alarm-raised-events-lost", "300 events were not kept.",
		"alarm-raised boot=523124044 seq=80 time=92000000 alarm=7 detail=300"),
	good("alarm-raised-maker", "An alarm of the maker's own.",
		"alarm-raised boot=523124044 seq=80 time=92000000 alarm=200 detail=65535"),
	good("answer", "The shoe answers the challenge, with its own nonce and the proof that it has the key.",
		"answer host=81985529216486895 shoe=18364758544493064720 proof=9620860173760763572"),
	good("card-ace-spades", "The first card of a boot, an ace of spades.",
		"card boot=523124044 seq=1 time=1500000 rank=1 suit=1 confidence=98"),
	good("card-highest-numbers", "The highest boot id, number and time.",
		"card boot=4294967295 seq=4294967295 time=18446744073709551615 rank=12 suit=2 confidence=1"),
	good("card-joker", "A Joker, from a sensor that does not measure its confidence.",
		"card boot=523124044 seq=4 time=4000000 rank=255 suit=0 confidence=255"),
	good("card-king-clubs", "A king of clubs.",
		"card boot=523124044 seq=300 time=600000000 rank=13 suit=4 confidence=60"),
	good("card-low-confidence", "No confidence at all in a two of hearts.",
		"card boot=523124044 seq=5 time=5000000 rank=2 suit=2 confidence=0"),
	good("card-lowest-numbers", "The lowest boot id, number and time.",
		"card boot=1 seq=1 time=0 rank=9 suit=1 confidence=1"),
	good("card-ten-diamonds", "A ten of diamonds.",
		"card boot=523124044 seq=2 time=2750123 rank=10 suit=3 confidence=100"),
	good("card-unread", "A card that could not be read.",
		"card boot=523124044 seq=3 time=3000000 rank=0 suit=0 confidence=12"),
	good("challenge", "The host asks a shoe with a key for a session.",
		"challenge host=81985529216486895"),
	good("cut-card", "The cut card.",
		"cut-card boot=523124044 seq=77 time=90000000"),
	good("heartbeat-full", "A full queue that locked the exit, the lamp is red.",
		"heartbeat boot=523124044 last=600 queued=512 locks=3 light=3"),
	good("heartbeat-quiet", "Nothing waits, the exit is open, the lamp is off.",
		"heartbeat boot=523124044 last=0 queued=0 locks=0 light=0"),
	good("hello-longest", "The longest serial number, and the highest numbers.",
		"hello protocol=255 session=1 capabilities=4294967295 boot=4294967295 first=4294967295 last=4294967295 "+
			"major=255 minor=255 patch=255 serial=0123456789ABCDEF"),
	good("hello-session", "The answer to a host-hello; events 6 to 9 wait in the queue.",
		"hello protocol=1 session=1 capabilities=63 boot=523124044 first=6 last=9 major=2 minor=10 patch=0 "+
			"serial=SB-0042"),
	good("hello-spaces", "A serial number with spaces in it and at its end.",
		"hello protocol=1 session=0 capabilities=0 boot=1 first=1 last=0 major=0 minor=0 patch=0 serial=No 7 "),
	good("hello-waiting", "A shoe that has just started and waits for its host.",
		"hello protocol=1 session=0 capabilities=7 boot=523124044 first=1 last=0 major=1 minor=0 patch=2 "+
			"serial=SB-0042"),
	good("host-hello-known", "A host that has stored up to event 5.",
		"host-hello protocol=1 capabilities=0 boot=523124044 seq=5"),
	good("host-hello-new", "A host that has stored nothing yet.",
		"host-hello protocol=1 capabilities=0 boot=0 seq=0"),
	good("host-hello-newer", "A host of a later version that can speak version 1.",
		"host-hello protocol=3 capabilities=65536 boot=523124044 seq=5"),
	good("key-down", "The first key is pressed.",
		"key boot=523124044 seq=78 time=91000000 key=1 down=1"),
	good("key-up", "The last key is released.",
		"key boot=523124044 seq=79 time=91200000 key=8 down=0"),
	good("lamp-amber", "The lamp amber.",
		"lamp light=2"),
	good("lamp-green", "The lamp green.",
		"lamp light=1"),
	good("lamp-off", "The lamp off.",
		"lamp light=0"),
	good("lamp-red", "The lamp red.",
		"lamp light=3"),
	good("lock-state-open", "The card exit is unlocked.",
		"lock-state boot=523124044 seq=81 time=93000000 locks=0"),
	good("lock-state-reserved", "Locked for all reasons, including reserved ones.",
		"lock-state boot=523124044 seq=82 time=93000001 locks=255"),
	good("lock", "Lock the card exit.",
		"lock locked=1"),
	good("log-longest", "The longest log text, with the first and the last printable character.",
		"log level=0 text= ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~"),
	good("log-warning", "A log text.",
		"log level=2 text=sensor dusty"),
	good("status", "Ask for a heartbeat.",
		"status"),
	good("unlock", "Unlock the card exit.",
		"lock locked=0"),
	read("two-frames", "Two frames with nothing in between.", slices.Concat(frame(status), frame(amber)), "status",
		"lamp light=2"),
}

// damagedFrames cannot be opened.
var damagedFrames = []vectors.Case{
	damaged("bad-crc", "One bit of the CRC is wrong.", "bad-crc", changed(frame(plain(fiveOfHearts)), -3, 0xda)),
	damaged("bad-crc-rank", "The rank of a card changed from 5 to 6 on the line.", "bad-crc",
		changed(frame(plain(fiveOfHearts)), -8, 6)),
	damaged("bad-crc-byte-order", "The CRC with its highest byte first.", "bad-crc",
		stuffed(slices.Concat(status, reversed(crc(status))))),
	damaged("bad-crc-no-final-xor", "The CRC without the final XOR.", "bad-crc",
		stuffed(slices.Concat(status, inverted(crc(status))))),
	damaged("bad-crc-lost-zero", "The zero between two frames was lost.", "bad-crc",
		slices.Concat(bytes.TrimRight(frame(status), "\x00"), frame(status))),
	{
		Name: "good-bad-good", About: "A frame with a wrong CRC between two good ones.",
		Bytes:   slices.Concat(frame(status), changed(frame(status), -2, 0xc4), frame(amber)),
		Reports: []vectors.Report{{"ok", "status"}, {"bad-crc", ""}, {"ok", "lamp light=2"}},
	},
	damaged("too-short-empty", "The frame of an empty packet.", "too-short", stuffed(nil)),
	damaged("too-short-sealed", "A frame of version 2 without room for counter and tag.", "too-short",
		frame(slices.Concat([]byte{2, 0x85}, counting(1, 5), bytes.Repeat([]byte{5}, 6)))),
	damaged("too-long", "65 bytes with the zero, and a correct CRC.", "too-long",
		frame(slices.Concat([]byte{1, 0x7f}, bytes.Repeat([]byte{0x55}, 57)))),
	{
		Name: "too-long-then-good", About: "200 bytes without a zero, then a good frame.",
		Bytes:   slices.Concat(bytes.Repeat([]byte{0x55}, 200), []byte{0}, frame(status)),
		Reports: []vectors.Report{{"too-long", ""}, {"ok", "status"}},
	},
	read("longest-frame", "64 bytes with the zero, of a type that a later version may have.",
		frame(slices.Concat([]byte{1, 0x7f}, bytes.Repeat([]byte{0x55}, 56))), "error unknown-type type=127"),
}

func inverted(b []byte) []byte {
	b = slices.Clone(b)
	for i := range b {
		b[i] ^= 0xff
	}
	return b
}

// wrongMessages are in intact frames.
var wrongMessages = []vectors.Case{
	read("unknown-version", "A status of version 3.", frame(packet(3, "status")), "error unknown-version got=3 want=2"),
	read("unknown-version-0", "A status of version 0.", frame(packet(0, "status")),
		"error unknown-version got=0 want=2"),
	read("unknown-version-card", "A card of a later version: nothing about it is known, not even its number.",
		frame(packet(3, "card boot=523124044 seq=9 time=9000000 rank=5 suit=4 confidence=99")),
		"error unknown-version got=3 want=2"),
	read("unknown-type", "A type that version 1 does not have.", frame([]byte{1, 0x7f, 1, 2, 3}),
		"error unknown-type type=127"),
	read("unknown-type-0", "Type 0, which is never used.", frame([]byte{1, 0}), "error unknown-type type=0"),
	read("unknown-type-host", "A type from a host that version 1 does not have.", frame([]byte{1, 0x8f}),
		"error unknown-type type=143"),
	read("unknown-event", "An event of a later version: it cannot be understood, but its number counts.",
		frame(changed(plain("card boot=523124044 seq=9 time=9000000 rank=1 suit=2 confidence=3"), 1, 0x1f)),
		"error unknown-type type=31 boot=523124044 seq=9 time=9000000"),
	read("unknown-event-boot", "An event of a later version with boot id 0: it has no number that could count.",
		frame(changed(plain("card boot=0 seq=9 time=9000000 rank=1 suit=2 confidence=3"), 1, 0x1f)),
		"error wrong-field type=31 field=boot value=0"),
	read("unknown-type-empty",
		"A type that version 1 does not have, from the host, without a payload: only events need one.",
		frame(changed(plain("status"), 1, 0xfe)), "error unknown-type type=254"),
	read("unknown-event-short", "An event of a later version without room for its number.",
		frame(changed(plain("cut-card boot=523124044 seq=9 time=9000000"), 1, 0x3f)[:17]),
		"error wrong-length type=63 got=15"),

	read("wrong-length-answer", "An answer without its proof.",
		frame(plain("answer host=81985529216486895 shoe=18364758544493064720 proof=0")[:18]),
		"error wrong-length type=4 got=16"),
	read("wrong-length-card", "A card without confidence.", frame(plain(fiveOfHearts)[:20]),
		"error wrong-length type=17 got=18"),
	read("wrong-length-card-long", "A card with a byte too many.", frame(append(plain(fiveOfHearts), 0)),
		"error wrong-length type=17 got=20"),
	read("wrong-length-challenge", "A challenge with 7 bytes.", frame(plain("challenge host=81985529216486895")[:9]),
		"error wrong-length type=134 got=7"),
	read("wrong-length-serial", "A hello without a serial number.",
		frame(plain("hello protocol=1 session=0 capabilities=0 boot=523124044 first=1 last=0 major=1 minor=2 "+
			"patch=3 serial=")), "error wrong-length type=1 got=21"),
	read("wrong-length-status", "A status with a byte too many.", frame(append(plain("status"), 1)),
		"error wrong-length type=133 got=1"),
	read("wrong-length-text", "A log text of 41 characters.",
		frame(plain("log level=1 text=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")), "error wrong-length type=3 got=42"),

	wrong("wrong-field-acknowledge", "An acknowledgement for boot id 0.", "acknowledge boot=0 seq=1",
		"type=130 field=boot value=0"),
	wrong("wrong-field-card-boot", "A card with boot id 0.", "card boot=0 seq=9 time=1 rank=5 suit=2 confidence=90",
		"type=17 field=boot value=0"),
	wrong("wrong-field-card-seq", "A card with number 0.",
		"card boot=523124044 seq=0 time=1 rank=5 suit=2 confidence=90", "type=17 field=seq value=0"),
	wrong("wrong-field-heartbeat-boot", "A heartbeat with boot id 0.",
		"heartbeat boot=0 last=1 queued=0 locks=0 light=0", "type=2 field=boot value=0"),
	wrong("wrong-field-heartbeat-queued", "More events wait than there have been.",
		"heartbeat boot=523124044 last=1 queued=2 locks=0 light=4", "type=2 field=queued value=2"),
	wrong("wrong-field-heartbeat-light", "A light that no lamp has.",
		"heartbeat boot=523124044 last=1 queued=0 locks=0 light=4", "type=2 field=light value=4"),
	wrong("wrong-field-hello-boot", "A hello with boot id 0.",
		"hello protocol=1 session=0 capabilities=0 boot=0 first=1 last=0 major=1 minor=0 patch=2 serial=SB",
		"type=1 field=boot value=0"),
	wrong("wrong-field-hello-first-wrapped",
		"An empty queue after the last number there is: a shoe cannot say that, and starts anew.",
		"hello protocol=1 session=1 capabilities=0 boot=523124044 first=0 last=4294967295 major=1 minor=0 patch=2 "+
			"serial=SB", "type=1 field=first value=0"),
	wrong("wrong-field-hello-protocol", "A shoe that speaks no version.",
		"hello protocol=0 session=2 capabilities=0 boot=523124044 first=1 last=0 major=1 minor=0 patch=2 serial=SB",
		"type=1 field=protocol value=0"),
	wrong("wrong-field-host-hello-protocol", "A host that speaks no version.",
		"host-hello protocol=0 capabilities=0 boot=523124044 seq=9", "type=129 field=protocol value=0"),
	wrong("wrong-field-hello-first-0", "A hello whose first event has number 0.",
		"hello protocol=1 session=0 capabilities=0 boot=523124044 first=0 last=0 major=1 minor=0 patch=2 serial=SB",
		"type=1 field=first value=0"),
	wrong("wrong-field-hello-first", "A hello whose first event is two beyond its last.",
		"hello protocol=1 session=0 capabilities=0 boot=523124044 first=9 last=7 major=1 minor=0 patch=2 serial=SB",
		"type=1 field=first value=9"),
	wrong("wrong-field-hello-serial", "A serial number with a line feed.",
		"hello protocol=1 session=0 capabilities=0 boot=523124044 first=1 last=0 major=1 minor=0 patch=2 serial=S\nB",
		"type=1 field=serial value=10"),
	wrong("wrong-field-hello-session", "A session of 2.",
		"hello protocol=1 session=2 capabilities=0 boot=523124044 first=1 last=0 major=1 minor=0 patch=2 serial=SB",
		"type=1 field=session value=2"),
	wrong("wrong-field-key-0", "Key 0; the event's number counts.",
		"key boot=523124044 seq=9 time=9000000 key=0 down=1",
		"type=19 field=key value=0 boot=523124044 seq=9 time=9000000"),
	wrong("wrong-field-key", "Key 9; the event's number counts.",
		"key boot=523124044 seq=9 time=9000000 key=9 down=1",
		"type=19 field=key value=9 boot=523124044 seq=9 time=9000000"),
	wrong("wrong-field-key-down", "A key neither pressed nor released; the event's number counts.",
		"key boot=523124044 seq=9 time=9000000 key=1 down=2",
		"type=19 field=down value=2 boot=523124044 seq=9 time=9000000"),
	wrong("wrong-field-lamp", "A light that no lamp has.", "lamp light=4", "type=132 field=light value=4"),
	wrong("wrong-field-lock", "Neither lock nor unlock.", "lock locked=2", "type=131 field=locked value=2"),
	wrong("wrong-field-log-level", "A level that does not exist.", "log level=4 text=text",
		"type=3 field=level value=4"),
	wrong("wrong-field-log-text", "A text with a byte beyond ASCII.", "log level=1 text=du\xe9",
		"type=3 field=text value=233"),

	noCard("wrong-card-rank", "Rank 14: the event is an unread card.", "rank=14 suit=1"),
	noCard("wrong-card-rank-254", "Rank 254: the event is an unread card.", "rank=254 suit=0"),
	noCard("wrong-card-suit", "Suit 5: the event is an unread card.", "rank=1 suit=5"),
	noCard("wrong-card-no-suit", "An ace without a suit: the event is an unread card.", "rank=1 suit=0"),
	noCard("wrong-card-joker-suit", "A Joker with a suit: the event is an unread card.", "rank=255 suit=2"),
	noCard("wrong-card-unread-suit", "An unread card with a suit: the event is an unread card.", "rank=0 suit=4"),
}

func wrong(name, about, message, field string) vectors.Case {
	return read(name, about, frame(plain(message)), "error wrong-field "+field)
}

func noCard(name, about, code string) vectors.Case {
	const number = "boot=523124044 seq=9 time=9000000 "
	return read(name, about, frame(plain("card "+number+code+" confidence=90")), "error wrong-card-code "+number+code)
}

// sealedOnes are good, in a session.
var sealedOnes = []vectors.Case{
	goodSealed("sealed-card", "A sealed card.", fromShoe, 1, 2, king),
	goodSealed("sealed-hello", "The first sealed frame of a session from the shoe.", fromShoe, 0, 1,
		"hello protocol=2 session=1 capabilities=65543 boot=523124044 first=1 last=2 major=1 minor=0 patch=2 "+
			"serial=SB-0042"),
	goodSealed("sealed-host-hello", "The first sealed frame of a session from the host.", fromHost, 0, 1,
		"host-hello protocol=2 capabilities=65536 boot=523124044 seq=2"),
	goodSealed("sealed-acknowledge", "A sealed acknowledgement.", fromHost, 6, 7, "acknowledge boot=523124044 seq=3"),
	goodSealed("sealed-status", "The shortest sealed frame.", fromHost, 7, 8, "status"),
	goodSealed("sealed-longest-log", "The longest log, sealed.", fromShoe, 16909059, 16909060,
		"log level=1 text=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
	goodSealed("sealed-last-counter", "The highest counter.", fromShoe, 4294967294, 4294967295, king),
	goodSealed("sealed-skipped", "Frames were lost: the counter may go forward.", fromShoe, 2, 1000, king),
	under(fromShoe, 1, read("sealed-two", "Two sealed frames, the second after one that was lost.",
		slices.Concat(frame(sealedTwo), frame(sealed(fromShoe, 4,
			"card boot=523124044 seq=4 time=4000000 rank=1 suit=1 confidence=99"))),
		kingTwo, "card counter=4 boot=523124044 seq=4 time=4000000 rank=1 suit=1 confidence=99")),
	under(fromShoe, 8, read("sealed-longest", "The longest frame there is: an unknown type with 44 bytes, sealed.",
		frame(tagged(fromShoe, 9, slices.Concat([]byte{2, 0x7f}, counting(1, 44)))), "error unknown-type type=127")),
	under(fromShoe, 1, read("sealed-wrong-card",
		"A sealed card with a code that is not a card: an unread card, as without a seal.",
		frame(sealed(fromShoe, 2, "card boot=523124044 seq=3 time=3000000 rank=14 suit=2 confidence=99")),
		"error wrong-card-code boot=523124044 seq=3 time=3000000 rank=14 suit=2")),
}

// wrongSeals are those of other keys, of other sessions, or of frames changed after sealing.
var wrongSeals = []vectors.Case{
	read("no-key", "A sealed frame without a session to which it could belong.", frame(sealedTwo),
		"error no-key type=17 counter=2"),
	badTag("bad-tag-rank", "One bit of the rank was changed, and the CRC made to match.", changed(sealedTwo, 18, 15)),
	badTag("bad-tag-tag", "One bit of the tag was changed, and the CRC made to match.", changed(sealedTwo, -1, 0xca)),
	badTag("bad-tag-big-endian", "The tag's bytes are in the wrong order.",
		slices.Concat(sealedTwo[:25], reversed(sealedTwo[25:]))),
	badTag("bad-tag-direction", "A frame with the seal of the other direction: an echo, or an attack.",
		sealed(fromHost, 2, king)),
	badTag("bad-tag-without-version", "The tag does not cover the version byte.",
		slices.Concat(sealedTwo[:25], little(siphash(fromShoe, sealedTwo[1:25])))),
	under(fromShoe, 1, read("bad-tag-counter", "The counter was changed, and the CRC made to match.",
		frame(changed(sealedTwo, 21, 3)), "error bad-tag type=17 counter=3")),
	under(fromShoe, 1, read("bad-tag-type", "The type was changed, and the CRC made to match.",
		frame(changed(sealedTwo, 1, 0x10)), "error bad-tag type=16 counter=2")),
	under(fromShoe, 1, read("replayed-reordered", "Two sealed frames in the wrong order.",
		slices.Concat(frame(sealed(fromShoe, 3, "cut-card boot=523124044 seq=4 time=4000000")), frame(sealedTwo)),
		"cut-card counter=3 boot=523124044 seq=4 time=4000000", "error old-counter type=17 counter=2")),
	under(fromShoe, 1, read("replayed-twice", "The same sealed frame arrives twice.",
		slices.Concat(frame(sealedTwo), frame(sealedTwo)), kingTwo, "error old-counter type=17 counter=2")),
	under(fromShoe, 0, read("replayed-zero", "No sealed frame has counter 0.", frame(sealed(fromShoe, 0, king)),
		"error old-counter type=17 counter=0")),
}

func badTag(name, about string, packet []byte) vectors.Case {
	return under(fromShoe, 1, read(name, about, frame(packet), "error bad-tag type=17 counter=2"))
}
