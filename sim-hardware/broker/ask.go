package broker

import (
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// The numbers of what a client asks and of what the broker sends it are each their own: a client may number a
// subscription as a message is numbered that it has not acknowledged. The library refuses that, with an answer that
// MQTT 3 does not have. So it is asked under a number that no message has, and its answer gets the client's number
// again. A client's questions are answered one after the other, before the next is read.

// renumbered is what a client has asked: by its number, and by the one under which the library answers.
type renumbered struct{ was, is uint16 }

// OnPacketRead is called with each packet of a client.
func (w *watch) OnPacketRead(client *mqtt.Client, read packets.Packet) (packets.Packet, error) {
	switch read.FixedHeader.Type {
	case packets.Subscribe, packets.Unsubscribe:
		number := renumbered{was: read.PacketID, is: free(client, read.PacketID)}
		if number.is != number.was {
			w.asked.Store(client, number)
			read.PacketID = number.is
		}
	}
	return read, nil
}

// OnPacketEncode is called before a packet is written to a client.
func (w *watch) OnPacketEncode(client *mqtt.Client, written packets.Packet) packets.Packet {
	switch written.FixedHeader.Type {
	case packets.Suback, packets.Unsuback:
		if number, asked := w.asked.LoadAndDelete(client); asked {
			written.PacketID = number.(renumbered).was
		}
	}
	return written
}

// free is a number that no message to the client has: the one that was asked for, or the next below, which messages
// reach last. A client that has acknowledged none of all of them is cut off.
func free(client *mqtt.Client, number uint16) uint16 {
	if number == 0 {
		return 0 // which no question has: the library refuses it
	}
	for is := number; is > 0; is-- {
		if _, used := client.State.Inflight.Get(is); !used {
			return is
		}
	}
	for is := uint16(maxUnacknowledged); is > number; is-- {
		if _, used := client.State.Inflight.Get(is); !used {
			return is
		}
	}
	return number
}
