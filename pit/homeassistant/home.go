// Package homeassistant announces a table to Home Assistant, in the format of its MQTT discovery: one retained message
// says which values Home Assistant finds in the table's messages to the pit. Nothing else is sent for it.
//
// It is no part of publish: who has no Home Assistant has nothing of it on the line, and it knows the topics alone.
package homeassistant

import (
	"encoding/json"

	"github.com/sabot-table/sabot/pit/topic"
)

// prefix is where Home Assistant listens, unless it was told otherwise.
const prefix = "homeassistant"

// Topic is where a table is announced. An empty message there takes it off.
func Topic(table topic.Table) string { return prefix + "/device/" + id(table) + "/config" }

// id names a table among all devices. No name of a site or a table has a capital letter, so no two tables share one.
func id(table topic.Table) string { return "sabot_" + table.Site() + "_T_" + table.Name() }

// Announcement is the message for a table that a program of this version runs.
func Announcement(table topic.Table, version string) []byte {
	message := announcement{
		Device: device{
			Identifiers: []string{id(table)}, Name: "Sabot " + table.Name(), Manufacturer: "Sabot",
			Model: "Black Jack table", Version: version,
		},
		Origin:     origin{Name: "sabotd", Version: version},
		Components: map[string]component{},
	}
	reached := []availability{{
		Topic:    table.Topic(topic.KindStatus),
		Template: "{{ 'online' if value_json.online else 'offline' }}",
	}}
	for _, v := range values {
		one := component{
			Platform: v.platform, UniqueID: id(table) + "_" + v.key, Name: v.name, StateTopic: table.Topic(v.from),
			Template:    v.template,
			DeviceClass: v.class, Unit: v.unit, StateClass: v.state, Category: v.category,
		}
		if v.from != topic.KindStatus { // of what is not connected the status is known, and nothing else
			one.Availability = reached
		}
		message.Components[v.key] = one
	}
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // an announcement is plain data and always encodes
	}
	return text
}

// value is something that Home Assistant shows of a table.
type value struct {
	key, platform, name string
	// from is the table's message that has it, and template where in the message.
	from     topic.Kind
	template string
	// class, unit, state and category are Home Assistant's; "" for none.
	class, unit, state, category string
}

// values are all that Home Assistant shows, a row each.
var values = []value{
	{
		key: "status", platform: "binary_sensor", name: "Status", from: topic.KindStatus,
		template: "{{ 'ON' if value_json.online else 'OFF' }}", class: "connectivity", category: "diagnostic",
	},
	{key: "phase", platform: "sensor", name: "Phase", from: topic.KindState, template: "{{ value_json.view.phase }}"},
	{
		key: "alerts", platform: "sensor", name: "Alerts", from: topic.KindState,
		template: "{{ value_json.view.alerts | default([]) | length }}", state: "measurement",
	},
	{
		key: "rounds_per_hour", platform: "sensor", name: "Rounds per hour", from: topic.KindTotals,
		template: roundsPerHour, unit: "1/h", state: "measurement",
	},
	{
		key: "health", platform: "binary_sensor", name: "Health", from: topic.KindHealth,
		template: "{{ 'ON' if value_json.journal.trouble is defined or value_json.denied is defined or not " +
			"value_json.shoe.up else 'OFF' }}", class: "problem", category: "diagnostic",
	},
	{
		key: "temperature", platform: "sensor", name: "Temperature", from: topic.KindHealth,
		template: "{{ (value_json.computer | default({})).celsius | default(none) }}", class: "temperature", unit: "°C",
		state: "measurement", category: "diagnostic",
	},
}

// roundsPerHour is the pace of the present dealer's shift; without one, that since the gaming day began.
const roundsPerHour = "{% set p = value_json.shift | default(value_json.day) %}" +
	"{% set hours = (as_timestamp(value_json.time) - as_timestamp(p.since)) / 3600 %}" +
	"{{ (p.rounds / hours) | round(1) if hours > 0 else 0 }}"

// The message, as Home Assistant documents it.
type announcement struct {
	Device     device               `json:"device"`
	Origin     origin               `json:"origin"`
	Components map[string]component `json:"components"`
}

type device struct {
	Identifiers  []string `json:"identifiers"`
	Name         string   `json:"name"`
	Manufacturer string   `json:"manufacturer"`
	Model        string   `json:"model"`
	Version      string   `json:"sw_version"`
}

type origin struct {
	Name    string `json:"name"`
	Version string `json:"sw_version"`
}

type availability struct {
	Topic    string `json:"topic"`
	Template string `json:"value_template"`
}

type component struct {
	Platform     string         `json:"platform"`
	UniqueID     string         `json:"unique_id"`
	Name         string         `json:"name"`
	StateTopic   string         `json:"state_topic"`
	Template     string         `json:"value_template"`
	Availability []availability `json:"availability,omitempty"`
	DeviceClass  string         `json:"device_class,omitempty"`
	Unit         string         `json:"unit_of_measurement,omitempty"`
	StateClass   string         `json:"state_class,omitempty"`
	Category     string         `json:"entity_category,omitempty"`
}
