package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/profile"
)

// Every key, sensor and output in the file reaches the panel.
func TestWires(t *testing.T) {
	wires := config.Config{}.Wires()
	texts := map[string][]string{}
	for i, w := range wires {
		group, key, _ := strings.Cut(w.Path, ".")
		texts[group] = append(texts[group], fmt.Sprintf("  %s: gpiochip0:%d\n", key, i))
	}
	text := "boxes: 9\n" // of the houses, St. Moritz has so many
	for group, lines := range texts {
		text += group + ":\n" + strings.Join(lines, "")
	}
	c, err := config.Parse("sabot.yaml", []byte(strings.Replace(least, "wiesbaden", "st-moritz", 1)+text+proven),
		profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range c.Wires() {
		line, err := w.Parse()
		if err != nil || line.Address() != fmt.Sprintf("gpiochip0:%d", i) || line.Use != w.Path ||
			w.Path != wires[i].Path {
			t.Errorf("line %d of %s is %s for %q, %v", i, wires[i].Path, line, line.Use, err)
		}
		if output := strings.HasSuffix(line.String(), "active-high"); output != strings.HasPrefix(w.Path, "signals.") {
			t.Errorf("%s is wired as %s", w.Path, line)
		}
	}
	if keys := len(config.PerKey{}.Keys()); len(wires) != keys+1+9+6 {
		t.Errorf("there are %d lines for %d keys, the supervisor, nine boxes and six signals", len(wires), keys)
	}
}

// Every key's long press belongs to that key, and does what is written.
func TestLongPresses(t *testing.T) {
	var all []panel.Key
	lines, longs := "keys:\n", "long_press:\n"
	for key := range panel.EveryKey {
		all = append(all, key)
	}
	name := func(k panel.Key) string { return strings.ReplaceAll(k.String(), "-", "_") }
	next := func(k panel.Key) panel.Key { return all[(slices.Index(all, k)+1)%len(all)] }
	for i, key := range all {
		lines += fmt.Sprintf("  %s: gpiochip0:%d\n", name(key), i)
		longs += fmt.Sprintf("  %s: %s\n", name(key), name(next(key)))
	}
	c, err := config.Parse("sabot.yaml", []byte(least+lines+longs+proven), houses)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range c.Buttons() {
		if b.Long != next(b.Key) || b.Path != "keys."+name(b.Key) {
			t.Errorf("a long press of %s at %s is %s", b.Key, b.Path, b.Long)
		}
	}
}
