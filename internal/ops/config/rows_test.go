package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// TestRows: what a setting's row allows is taken, and what is just outside of it is refused at its key.
func TestRows(t *testing.T) {
	ranges := 0
	rows(reflect.TypeFor[Config](), "", nil, func(key string, f reflect.StructField) {
		if bounds, has := f.Tag.Lookup("range"); has {
			ranges++
			for value, want := range around(t, key, f.Type, bounds) {
				if takes(t, key, value) != want {
					t.Errorf("%s: %s is taken: %t", key, value, !want)
				}
			}
		}
		known := strings.Fields(f.Tag.Get("one"))
		for _, value := range known {
			if !takes(t, key, value) {
				t.Errorf("%s does not take %s", key, value)
			}
		}
		if len(known) > 0 && takes(t, key, "neither") {
			t.Errorf("%s takes anything", key)
		}
	})
	if ranges == 0 {
		t.Error("no setting has a range")
	}
}

// around are the ends of a range, which are taken, and what is just outside of it.
func around(t *testing.T, key string, of reflect.Type, bounds string) map[string]bool {
	t.Helper()
	const step = time.Millisecond
	from, to, whole := ends[int](bounds)
	least, most, lasts := ends[time.Duration](bounds)
	switch {
	case of.Kind() == reflect.Int && whole && from <= to:
		return map[string]bool{
			fmt.Sprint(from - 1): false, fmt.Sprint(from): true, fmt.Sprint(to): true, fmt.Sprint(to + 1): false,
		}
	case of == reflect.TypeOf(least) && lasts && least <= most:
		return map[string]bool{
			fmt.Sprint(least - step): false, fmt.Sprint(least): true,
			fmt.Sprint(most): true, fmt.Sprint(most + step): false,
		}
	}
	t.Errorf("%s, a %s, has the range %q", key, of, bounds)
	return nil
}

// takes says whether the example with another value of a key has nothing wrong there.
func takes(t *testing.T, key, value string) bool {
	t.Helper()
	text, err := strictyaml.Change(deploy.Example, key, value)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("sabot.yaml", text, profile.Built())
	return err == nil || !strings.Contains(err.Error(), " "+key+": ")
}

// TestDefaults: what the rows say is what the parts take for usual.
func TestDefaults(t *testing.T) {
	c := Default()
	for name, is := range map[string][2]any{
		"keys.debounce":      {c.Keys.Debounce, keys.UsualDebounce},
		"keys.contradiction": {c.Keys.Contradiction, keys.UsualWindow},
		"keys.stuck":         {c.Keys.Stuck, keys.UsualStuck}, "long_press.after": {c.LongPress.After, keys.UsualLong},
		"shoe.driver": {c.Shoe.Driver, makes.All[0].Name}, "supervisors.proof": {c.Supervisors.Proof, authority.PIN},
		"supervisors.pin_digits": {c.Supervisors.PINDigits, authority.LeastDigits},
		"dealers.proof":          {c.Dealers.Proof, authority.AtTheirWord},
		"lcd.columns":            {c.LCD.Columns, lcd.Columns}, "lcd.rows": {c.LCD.Rows, lcd.Rows},
	} {
		if is[0] != is[1] {
			t.Errorf("the default of %s is %v, not %v", name, is[0], is[1])
		}
	}
}

// TestAsked: what is asked for is a setting, has a name for people, and is there once.
func TestAsked(t *testing.T) {
	seen := map[string]bool{}
	for _, one := range EveryAsked() {
		_, named := display.English.Lookup(one.Label)
		if seen[one.Key] || one.Question == "" || !named && one.Question != "keys" {
			t.Errorf("%+v is not whole", one)
		}
		if was := one.Is(Default()); was != "" && one.Question == "keys" {
			t.Errorf("a key that has no line has %q", was)
		}
		seen[one.Key] = true
	}
	if !seen["keys.card"] || !seen["mqtt.password_file"] {
		t.Errorf("%v are asked for", seen)
	}
}
