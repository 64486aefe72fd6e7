package topic_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/pit/topic"
)

// known are the keys that Home Assistant documents for a discovery of devices, by where they may be.
var known = map[string][]string{
	"":             {"device", "origin", "components"},
	"device":       {"identifiers", "name", "manufacturer", "model", "sw_version"},
	"origin":       {"name", "sw_version"},
	"availability": {"topic", "value_template"},
	"components": {
		"platform", "unique_id", "name", "state_topic", "value_template", "device_class", "unit_of_measurement",
		"state_class", "entity_category",
		"availability",
	},
}

func onlyKnown(t *testing.T, where string, keys map[string]any) {
	t.Helper()
	for key := range keys {
		if !slices.Contains(known[where], key) {
			t.Errorf("Home Assistant knows no %q in %q", key, where)
		}
	}
}

// TestHomeAssistantAnnouncement: the message is what Home Assistant's discovery of devices takes, and names the table's
// own topics.
func TestHomeAssistantAnnouncement(t *testing.T) {
	table, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	if at := topic.HomeAssistantTopic(
		table); !regexp.MustCompile(`^homeassistant/device/[a-zA-Z0-9_-]+/config$`).MatchString(at) {
		t.Errorf("it is announced at %q", at)
	}
	var message map[string]any
	if err := json.Unmarshal(topic.HomeAssistantAnnouncement(table, "v1"), &message); err != nil {
		t.Fatal(err)
	}
	onlyKnown(t, "", message)
	onlyKnown(t, "device", message["device"].(map[string]any))
	onlyKnown(t, "origin", message["origin"].(map[string]any))
	var ids []string
	for key, one := range message["components"].(map[string]any) {
		c := one.(map[string]any)
		onlyKnown(t, "components", c)
		if !slices.Contains([]string{"sensor", "binary_sensor"}, c["platform"].(string)) {
			t.Errorf("%s is a %v", key, c["platform"])
		}
		if tpl := c["value_template"].(string); strings.Count(tpl, "{{") != strings.Count(tpl, "}}") ||
			!strings.Contains(tpl, "{{") {
			t.Errorf("%s has the template %q", key, tpl)
		}
		if list, has := c["availability"].([]any); has != (key != "status") {
			t.Errorf("%s has the availability %v", key, list)
		} else if has {
			onlyKnown(t, "availability", list[0].(map[string]any))
		}
		of, kind, err := topic.Parse(c["state_topic"].(string))
		if err != nil || of != table || !kind.Retained() {
			t.Errorf("%s is read from %v", key, c["state_topic"])
		}
		ids = append(ids, c["unique_id"].(string))
	}
	slices.Sort(ids)
	if len(ids) < 5 || len(slices.Compact(ids)) != len(ids) {
		t.Errorf("the values are %v", ids)
	}
}

// TestHomeAssistantTopics: no two tables are announced at one topic, whatever their names are.
func TestHomeAssistantTopics(t *testing.T) {
	at := map[string]string{}
	for _, names := range [][2]string{
		{"a", "b"},
		{"a_", "b"},
		{"a", "_b"},
		{"a_t_b", "c"},
		{"a", "t_b_t_c"},
		{"a-b", "c"},
		{"a", "b-c"},
	} {
		table, err := topic.NewTable(names[0], names[1])
		if err != nil {
			t.Fatal(err)
		}
		if other, is := at[topic.HomeAssistantTopic(table)]; is {
			t.Errorf("%v is announced where %s is", names, other)
		}
		at[topic.HomeAssistantTopic(table)] = table.String()
	}
}
