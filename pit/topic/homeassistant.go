package topic

import "encoding/json"

// homeAssistantPrefix is where Home Assistant listens, unless it was told otherwise.
const homeAssistantPrefix = "homeassistant"

// HomeAssistantTopic is where a table is announced. An empty message there takes it off.
func HomeAssistantTopic(table Table) string {
	return homeAssistantPrefix + "/device/" + homeAssistantID(table) + "/config"
}

// homeAssistantID names a table among all devices. No name of a site or a table has a capital letter, so no two tables
// share one.
func homeAssistantID(table Table) string { return "sabot_" + table.Site() + "_T_" + table.Name() }

// HomeAssistantAnnouncement announces a table that a program of this version runs to Home Assistant, in the format of
// its MQTT discovery: one retained message says which values Home Assistant finds in the table's messages to the pit.
// Nothing else is sent for it: who has no Home Assistant has nothing of it on the line.
func HomeAssistantAnnouncement(table Table, version string) []byte {
	message := announcement{
		Device: announcedDevice{
			Identifiers: []string{homeAssistantID(table)}, Name: "Sabot " + table.Name(), Manufacturer: "Sabot",
			Model: "Black Jack table", Version: version,
		},
		Origin:     announcedOrigin{Name: "sabotd", Version: version},
		Components: map[string]announcedComponent{},
	}
	reached := []announcedAvailability{{
		Topic:    table.Topic(KindStatus),
		Template: "{{ 'online' if value_json.online else 'offline' }}",
	}}
	for _, v := range announcedValues {
		one := announcedComponent{
			Platform: v.platform, UniqueID: homeAssistantID(table) + "_" + v.key, Name: v.name,
			StateTopic: table.Topic(v.from), Template: v.template,
			DeviceClass: v.class, Unit: v.unit, StateClass: v.state, Category: v.category,
		}
		if v.from != KindStatus { // of what is not connected the status is known, and nothing else
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

// announcedValue is something that Home Assistant shows of a table.
type announcedValue struct {
	key, platform, name string
	// from is the table's message that has it, and template where in the message.
	from     Kind
	template string
	// class, unit, state and category are Home Assistant's; "" for none.
	class, unit, state, category string
}

// announcedValues are all that Home Assistant shows, a row each.
var announcedValues = []announcedValue{
	{
		key: "status", platform: "binary_sensor", name: "Status", from: KindStatus,
		template: "{{ 'ON' if value_json.online else 'OFF' }}", class: "connectivity", category: "diagnostic",
	},
	{key: "phase", platform: "sensor", name: "Phase", from: KindState, template: "{{ value_json.view.phase }}"},
	{
		key: "alerts", platform: "sensor", name: "Alerts", from: KindState,
		template: "{{ value_json.view.alerts | default([]) | length }}", state: "measurement",
	},
	{
		key: "rounds_per_hour", platform: "sensor", name: "Rounds per hour", from: KindTotals,
		template: roundsPerHour, unit: "1/h", state: "measurement",
	},
	{
		key: "health", platform: "binary_sensor", name: "Health", from: KindHealth,
		template: "{{ 'ON' if value_json.journal.trouble is defined or value_json.denied is defined or not " +
			"value_json.shoe.up else 'OFF' }}", class: "problem", category: "diagnostic",
	},
	{
		key: "temperature", platform: "sensor", name: "Temperature", from: KindHealth,
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
	Device     announcedDevice               `json:"device"`
	Origin     announcedOrigin               `json:"origin"`
	Components map[string]announcedComponent `json:"components"`
}

type announcedDevice struct {
	Identifiers  []string `json:"identifiers"`
	Name         string   `json:"name"`
	Manufacturer string   `json:"manufacturer"`
	Model        string   `json:"model"`
	Version      string   `json:"sw_version"`
}

type announcedOrigin struct {
	Name    string `json:"name"`
	Version string `json:"sw_version"`
}

type announcedAvailability struct {
	Topic    string `json:"topic"`
	Template string `json:"value_template"`
}

type announcedComponent struct {
	Platform     string                  `json:"platform"`
	UniqueID     string                  `json:"unique_id"`
	Name         string                  `json:"name"`
	StateTopic   string                  `json:"state_topic"`
	Template     string                  `json:"value_template"`
	Availability []announcedAvailability `json:"availability,omitempty"`
	DeviceClass  string                  `json:"device_class,omitempty"`
	Unit         string                  `json:"unit_of_measurement,omitempty"`
	StateClass   string                  `json:"state_class,omitempty"`
	Category     string                  `json:"entity_category,omitempty"`
}
