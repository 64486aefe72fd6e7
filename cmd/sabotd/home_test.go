package main

import (
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// retained are the messages that a broker keeps, as somebody sees them who subscribes now.
func retained(t *testing.T, address, filter string) func() map[string]string {
	t.Helper()
	var mu sync.Mutex
	kept := map[string]string{}
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID("home-" +
		t.Name()).SetConnectTimeout(processes.Deadline))
	for _, token := range []func() mqtt.Token{client.Connect, func() mqtt.Token {
		return client.Subscribe(filter, 1, func(_ mqtt.Client, m mqtt.Message) {
			mu.Lock()
			defer mu.Unlock()
			if kept[m.Topic()] = string(m.Payload()); len(m.Payload()) == 0 {
				delete(kept, m.Topic())
			}
		})
	}} {
		if done := token(); !done.WaitTimeout(processes.Deadline) || done.Error() != nil {
			t.Fatalf("nobody hears what the broker keeps: %v", done.Error())
		}
	}
	t.Cleanup(func() { client.Disconnect(uint(100 * time.Millisecond / time.Millisecond)) })
	return func() map[string]string {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(kept)
	}
}

// TestHomeAssistant: a table that is told to announces itself; one that is told so no more takes that off the broker,
// once.
func TestHomeAssistant(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	heard := retained(t, w.broker.Addr(), "homeassistant/#")
	begin := func(option string) *processes.Process {
		write(t, w.config, strings.Replace(w.text(w.path, w.page), `mqtt: {`, `mqtt: {`+option, 1))
		return processes.Start(t, sabotd(t), "--config", w.config)
	}
	process := begin("home_assistant: true, ")
	const at = "homeassistant/device/sabot_test_T_bj-1/config"
	brokertest.Until(t, "the table is announced", func() bool {
		return strings.Contains(heard()[at], `"state_topic":"sabot/v1/test/bj-1/totals"`)
	})
	process.Stop()
	if len(heard()) != 1 {
		t.Errorf("the broker keeps %v", heard())
	}
	process = begin("")
	brokertest.Until(t, "the table is taken off", func() bool { return len(heard()) == 0 })
	process.Stop()
	if kept := processes.Files(t, w.path+".home")[w.path+".home"]; kept != "[]\n" {
		t.Errorf("it remembers %q", kept)
	}
}
