package brokertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// accepts and refuses are answers to a client's introduction.
const accepts, refuses = "\x20\x02\x00\x00", "\x20\x02\x00"

// instead is an attack in place of the answer to the introduction.
func instead(name, raw string) Attack {
	return Attack{name, true, func(v *Victim) {
		v.Hear()
		v.Send(raw)
	}}
}

// greeted is an attack on a client that has been accepted, and has subscribed.
func greeted(name string, ends bool, play func(v *Victim)) Attack {
	return Attack{name, ends, func(v *Victim) {
		v.Greet()
		if v.Topic("health") != "" {
			play(v)
		}
	}}
}

// sending is an attack by a few bytes after the subscriptions, for which a client must hang up.
func sending(name, raw string) Attack {
	return greeted(name, true, func(v *Victim) { v.Send(raw) })
}

// Attacks is what a hostile broker does to any client of ours.
func Attacks() []Attack {
	return append(append(handshakes(), packetsOutOfTurn()...), messages()...)
}

// handshakes are attacks before the connection is accepted.
func handshakes() []Attack {
	return []Attack{
		{"it never answers", false, func(v *Victim) { v.Hear() }},
		{"it never reads", false, func(*Victim) {}},
		{"it closes at once", false, func(v *Victim) { v.Close() }},
		{"it closes after CONNECT", false, func(v *Victim) { v.Hear(); v.Close() }},
		{"it closes in the answer", false, func(v *Victim) { v.Hear(); v.Send("\x20\x02"); v.Close() }},
		{"it closes once it has accepted", false, func(v *Victim) { v.Hear(); v.Send(accepts); v.Close() }},
		{"half an answer", false, func(v *Victim) { v.Hear(); v.Send("\x20\x02\x00") }},
		instead("a length of 256 MiB instead of an answer", "\x20\xff\xff\xff\x7f"),
		instead("a length without an end", "\x20\xff\xff\xff\xff\xff\xff\xff"),
		instead("another protocol", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
		instead("refused with 6", refuses+"\x06"),
		instead("refused with 254", refuses+"\xfe"),
		instead("a message before the answer", Published("a", 0, "x")+accepts),
		instead("a pong before the answer", "\xd0\x00"+accepts),
		instead("accepted twice", accepts+accepts),
	}
}

// packetsOutOfTurn are attacks with packets that are no messages.
func packetsOutOfTurn() []Attack {
	everyNumber := func(kind byte) string {
		var b strings.Builder
		for n := 1; n < 1<<16; n++ {
			b.WriteString(numbered(kind, uint16(n)))
		}
		return b.String()
	}
	return []Attack{
		sending("256 MiB of a message", "\x30\xff\xff\xff\x7f"),
		sending("256 MiB of an answer", "\x90\xff\xff\xff\x7f"),
		sending("a length of five bytes", "\x30\xff\xff\xff\xff\x7f"),
		sending("an answer to every subscription", strings.Repeat("\x90\x03\xff\xfe\x00", 3)),
		sending("an answer with three codes", "\x90\x05\x00\x01\x00\x00\x00"),
		sending("an answer without a code", "\x90\x02\x00\x01"),
		sending("an answer without a number", "\x90\x00"),
		sending("every number acknowledged", everyNumber(0x40)),
		sending("every subscription given up", everyNumber(0xb0)),
		sending("half an acknowledgement", "\x40\x01\x00"),
		sending("PUBREC", numbered(0x50, 1)),
		sending("PUBREL", strings.Repeat(numbered(0x62, 1), 1000)),
		sending("PUBCOMP", numbered(0x70, 1)),
		sending("a flood of pings", strings.Repeat("\xc0\x00", 10_000)),
		sending("a flood of pongs", strings.Repeat("\xd0\x00", 10_000)),
		sending("a client's CONNECT", "\x10\x0c\x00\x04MQTT\x04\x02\x00\x00\x00\x00"),
		sending("a client's SUBSCRIBE", "\x82\x06\x00\x01\x00\x01#\x00"),
		sending("a client's goodbye", "\xe0\x00"),
		sending("kind 0", "\x00\x00"),
		sending("kind 15", "\xf0\x00"),
		greeted("closed within a packet", false, func(v *Victim) { v.Send("\x30\x7f\x00\x10sabot"); v.Close() }),
		greeted("noise", true, func(v *Victim) {
			chance, noise := rand.New(rand.NewPCG(16, 9)), make([]byte, 64<<10)
			for i := range noise {
				noise[i] = byte(chance.Uint32())
			}
			v.Send(string(noise))
		}),
		{"every subscription denied", false, func(v *Victim) {
			if v.Hear() && v.Send(accepts) {
				for n := uint16(1); n < 4; n++ {
					v.Hear()
					v.Send(numbered(0x90, n) + "\x80")
				}
			}
		}},
		{"a byte for each packet", false, func(v *Victim) {
			drips := "\x30\xff\x01\x00\xf0" + strings.Repeat("a", 250)
			v.Dripping(func(v *Victim) {
				if drips != "" {
					v.Send(drips[:1])
					drips = drips[1:]
				}
			})
		}},
	}
}

// messages are attacks with messages.
func messages() []Attack {
	onTopic := func(name, prefix string) Attack {
		return greeted(name, true, func(v *Victim) {
			topic := v.Topic("health")
			v.Send(prefix + string([]byte{byte(len(topic) + 4), 0, byte(len(topic))}) + topic + "\x00\x09")
		})
	}
	return []Attack{
		sending("a topic that was not subscribed to", Published("sabot/v1/test/bj-1/event/x", 0, "{}")),
		sending("NUL in a topic", Published("sabot/v1/test/\x00/health", 0, "{}")),
		sending("a wildcard in a topic", Published("sabot/v1/+/bj-1/health", 0, "{}")),
		sending("a hash in a topic", Published("#", 0, "{}")),
		sending("a topic that is not UTF-8", Published("sabot/v1/test/\xff\xfe/health", 0, "{}")),
		sending("no topic", Published("", 0, "{}")),
		sending("a topic past the end", "\x30\x04\x00\xffab"),
		sending("nothing of a message", "\x30\x00"),
		onTopic("quality 2", "\x34"),
		onTopic("quality 3", "\x36"),
		greeted("one number again and again", false, func(v *Victim) {
			v.Send(strings.Repeat(Published(v.Topic("health"), 9, "{}"), 1000))
		}),
		greeted("retained garbage", false, func(v *Victim) {
			for _, garbage := range []string{
				strings.Repeat("[", 60_000), `{"journal":{"head":{"record":-1}}}`, "\x00",
				strings.Repeat("\xff", 60_000), "null", "",
				`{"site":"test","table":"bj-1","journal":{"head":{"id":"` + strings.Repeat("0", 32) +
					`","record":18446744073709551615,"hash":"` + strings.Repeat("0", 64) +
					`"},"last_sequence":18446744073709551615}}`,
			} {
				raw := []byte(Published(v.Topic("health"), 0, garbage))
				raw[0] |= 1
				v.Send(string(raw))
			}
		}),
	}
}

// AttacksOnATable is what else a hostile broker does to a table.
func AttacksOnATable() []Attack {
	flood := func(name, kind, payload string, times int, ends bool) Attack {
		return Attack{name, ends, func(v *Victim) {
			v.Greet()
			if topic := v.Topic(kind); topic != "" {
				v.Repeat(Published(topic, 0, payload), times)
			}
		}}
	}
	return []Attack{
		greeted("a lie about the journal", false, func(v *Victim) {
			lie := []byte(Published(v.Topic("health"), 0,
				`{"site":"test","table":"bj-1","boot":1,"time":"2026-03-29T20:00:00Z","journal":{"last_sequence":4711,"head":{"id":"`+
					strings.Repeat("ab", 16)+`","record":4711,"hash":"`+strings.Repeat("cd", 32)+`"},"proof":"`+
					strings.Repeat("ef", 64)+`"}}`))
			lie[0] |= 1 // as if it were kept
			v.Send(string(lie))
		}),
		flood("a flood of commands", "command", strings.Repeat("0", 128)+"\nsabot-command/1 desk\n{}", 100_000, false),
		flood("a flood of garbage for commands", "command", "x", 200_000, true),
		flood("long commands", "command", strings.Repeat("0", 60<<10), 2000, true),
		flood("commands of 1 MiB", "command", strings.Repeat("0", 1<<20), 100, true),
		flood("a flood of requests for everything", "request", `{"from":1}`, 100_000, false),
		{"fetches by a thousand readers", false, func(v *Victim) {
			v.Greet()
			topic := v.Topic("fetch")
			for i := range 20_000 {
				if topic == "" ||
					!v.Send(Published(topic, 0, fmt.Sprintf(`{"reader":"r%d","journal":"","after":0}`, i%1000))) {
					return
				}
			}
		}},
	}
}

// pitHears are the topics of a table that a pit of the name pit hears: it hangs up on any other.
var pitHears = []string{"status", "health", "records/pit", "records/stream"}

// AttacksOnThePit is what else a hostile broker does to the pit: it has its tables say things, too.
func AttacksOnThePit() []Attack {
	long, deep := strings.Repeat(" ", 3<<20), strings.Repeat(`{"view":[`, 2000)
	return []Attack{
		saying("50 tables that say 3 MiB on every topic", 50, pitHears, func(string, int) string { return long }),
		saying("20,000 invented tables", 20_000, []string{"status", "health"}, func(table string, nth int) string {
			return []string{
				`{"site":"wiesbaden","table":"` + table + `","boot":1,"online":true}`,
				`{"site":"wiesbaden","table":"` + table +
					`","boot":1,"time":"2026-03-29T20:00:00Z","journal":{"head":{"id":"` +
					strings.Repeat("ab", 16) + `","record":9,"hash":"` + strings.Repeat("cd", 32) +
					`"}},"commands":{"session":"` + strings.Repeat("ef", 16) + `","clock":1}}`,
			}[nth]
		}),
		saying("a thousand tables with deep garbage", 1000, pitHears, func(string, int) string { return deep }),
		saying("a flood of tables that come and go", 20_000, []string{"status", "status"},
			func(table string, nth int) string {
				return fmt.Sprintf(`{"site":"wiesbaden","table":%q,"boot":1,"online":%v}`, table, nth == 0)
			}),
		saying("a flood of records", 200_000, []string{"records/stream"}, func(string, int) string {
			return `{"type":"acknowledged"}`
		}),
	}
}

// saying is an attack by so many tables, each of which says something on one topic after the other.
func saying(name string, count int, kinds []string, payload func(table string, nth int) string) Attack {
	return Attack{name, false, func(v *Victim) {
		v.Greet()
		for _, kind := range pitHears {
			if v.Topic(kind) == "" {
				return
			}
		}
		for i := range count {
			table := fmt.Sprintf("liar-%d", i)
			for nth, kind := range kinds {
				if !v.Send(Published("sabot/v1/wiesbaden/"+table+"/"+kind, 0, payload(table, nth))) {
					return
				}
			}
		}
	}}
}
