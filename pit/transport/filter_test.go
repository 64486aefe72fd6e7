package transport

import "testing"

// TestMatches has the examples of MQTT 3.1.1, 4.7.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		filter, topic string
		want          bool
	}{
		{"a/b", "a/b", true},
		{"a/b", "a", false},
		{"a/b", "a/b/c", false},
		{"a/#", "a", true},
		{"a/#", "a/b/c", true},
		{"a/#", "b", false},
		{"#", "a/b", true},
		{"#", "$SYS/a", false},
		{"+/a", "$SYS/a", false},
		{"$SYS/#", "$SYS/a", true},
		{"+", "a", true},
		{"+", "/a", false},
		{"/+", "/a", true},
		{"+/+", "/a", true},
		{"a/+", "a/", true},
		{"a/+", "a", false},
		{"a/+/c", "a/b/c", true},
		{"a/+/c", "a/b/d", false},
		{"a/+/#", "a", false},
		{"a/+/#", "a/b", true},
	} {
		if got := (filter{text: c.filter}).matches(c.topic); got != c.want {
			t.Errorf("%q for %q: %t", c.filter, c.topic, got)
		}
	}
}
