package host_test

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/creack/pty"
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// What the bare way carries is as long as what the table makes of a card: its frame on
// the line, its record, its first event.
const (
	bareFrame  = 24
	bareRecord = 480
	bareEvent  = 300
)

// timeBareCards times as many cards as the benchmark has operations, at the same pace:
// bytes from a pseudo-terminal, written and synced, published with QoS 1.
func timeBareCards(b *testing.B, dir string) []time.Duration {
	mqttd, err := broker.Listen("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer mqttd.Close()
	heard := make(chan struct{}, 1)
	floor := bareClient(b, mqttd.Addr(), "floor")
	wait(b, floor.Subscribe("cards", 1, func(mqtt.Client, mqtt.Message) { heard <- struct{}{} }))
	table := bareClient(b, mqttd.Addr(), "table")
	file, err := os.Create(filepath.Join(dir, "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	shoe, port := barePort(b)
	go func() {
		frame := make([]byte, bareFrame)
		for {
			if _, err := io.ReadFull(port, frame); err != nil {
				return // the line is closed
			}
			record := bytes.Repeat(frame[:1], bareRecord)
			if _, err := file.Write(record); err != nil {
				b.Error(err)
			}
			if err := unix.Fdatasync(int(file.Fd())); err != nil {
				b.Error(err)
			}
			table.Publish("cards", 1, false, record[:bareEvent])
		}
	}()
	times := make([]time.Duration, 0, b.N)
	frame := bytes.Repeat([]byte{'c'}, bareFrame)
	for range b.N {
		began := time.Now()
		if _, err := shoe.Write(frame); err != nil {
			b.Fatal(err)
		}
		<-heard
		times = append(times, time.Since(began))
		time.Sleep(handPace) // as in the benchmark with which it is compared
	}
	slices.Sort(times)
	return times
}

// barePort is a line of bytes as they are.
func barePort(b *testing.B) (shoe, port *os.File) {
	shoe, port, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := term.MakeRaw(int(port.Fd())); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		shoe.Close()
		port.Close()
	})
	return shoe, port
}

func bareClient(b *testing.B, address, name string) mqtt.Client {
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID(name))
	wait(b, client.Connect())
	b.Cleanup(func() { client.Disconnect(0) })
	return client
}

func wait(b *testing.B, token mqtt.Token) {
	b.Helper()
	if !token.WaitTimeout(processes.Deadline) || token.Error() != nil {
		b.Fatal(token.Error())
	}
}
