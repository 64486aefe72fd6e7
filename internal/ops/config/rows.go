package config

import (
	"encoding"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// A setting is a field of Config, and its tags are its row: yaml is its key; default what it is where the file does not
// have it; range the least and the most of a whole number or a time, and one the words that it may be, where the file
// has it; ask the question of the first start, the kind of its answer, and optional for one that may be left open;
// label the key of what people call it; change is at-once for one that a running table takes on even in a round.
// What it means stands in deploy/sabot.example.yaml.

// rows visits the settings below a group, each with its key and with its place in the whole configuration.
func rows(group reflect.Type, above string, at []int, visit func(key string, f reflect.StructField)) {
	for i := range group.NumField() {
		f := group.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		f.Index = append(slices.Clone(at), i)
		switch {
		case name == "":
		case f.Type.Kind() == reflect.Struct:
			rows(f.Type, above+name+".", f.Index, visit)
		default:
			visit(above+name, f)
		}
	}
}

// Default returns the configuration as it is before the file is read.
func Default() Config { return defaults() }

var defaults = sync.OnceValue(func() (c Config) {
	all := reflect.ValueOf(&c).Elem()
	rows(all.Type(), "", nil, func(key string, f reflect.StructField) {
		text, has := f.Tag.Lookup("default")
		if !has {
			return
		}
		if err := set(all.FieldByIndex(f.Index).Addr().Interface(), text); err != nil {
			panic(fmt.Sprintf("the default of %s: %v", key, err)) // a fault of the build
		}
	})
	c.Log = configfile.Log{Level: configfile.Level{Level: slog.LevelInfo}, Format: "text"}
	return c
})

func set(value any, text string) (err error) {
	switch v := value.(type) {
	case encoding.TextUnmarshaler:
		return v.UnmarshalText([]byte(text))
	case *time.Duration:
		*v, err = time.ParseDuration(text)
	case *int:
		*v, err = strconv.Atoi(text)
	case *bool:
		*v, err = strconv.ParseBool(text)
	case *string:
		*v = text
	default:
		err = fmt.Errorf("a %T has none", value)
	}
	return err
}

// rows refuses what is outside of what a setting's row allows.
func (k checker) rows() {
	all := reflect.ValueOf(*k.config)
	rows(all.Type(), "", nil, func(key string, f reflect.StructField) {
		if !k.doc.Has(key) {
			return
		}
		of := f.Tag.Get("range")
		switch value := all.FieldByIndex(f.Index).Interface().(type) {
		case int:
			if low, high, is := ends[int](of); is {
				k.doc.Within(key, value, low, high)
			}
		case time.Duration:
			if low, high, is := ends[time.Duration](of); is {
				k.lasts(key, value, low, high)
			}
		}
		if known := strings.Fields(f.Tag.Get("one")); len(known) > 0 {
			k.doc.OneOf(key, all.FieldByIndex(f.Index).String(), known...)
		}
	})
}

// ends reads the range of a row, if it has one.
func ends[T any](of string) (low, high T, is bool) {
	least, most, _ := strings.Cut(of, " ")
	err := errors.Join(set(&low, least), set(&high, most))
	return low, high, err == nil
}

// lasts refuses a time outside of a range.
func (k checker) lasts(path string, d, least, most time.Duration) {
	if d < least || d > most {
		k.doc.Refuse(path, fmt.Sprintf("%s is out of range", brief(d)),
			fmt.Sprintf("write a time from %s to %s", brief(least), brief(most)))
	}
}

// brief leaves out zero minutes and seconds: 10m, not 10m0s.
func brief(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

// Asked is a setting that a first start asks for.
type Asked struct {
	// Key is its key in the file.
	Key string
	// Question is what it is asked with, Kind how it is answered.
	Question, Kind string
	// Optional is one that may be left open.
	Optional bool
	// Label is the key of what people call it, "" for a line of the panel.
	Label string
	// Is is the answer that a configuration has, "" for none.
	Is func(Config) string
}

// EveryAsked lists what a first start asks for, in the order of the settings.
func EveryAsked() (all []Asked) {
	rows(reflect.TypeFor[Config](), "", nil, func(key string, f reflect.StructField) {
		ask := strings.Fields(f.Tag.Get("ask"))
		if len(ask) == 0 {
			return
		}
		one := Asked{
			Key: key, Question: ask[0], Kind: ask[1], Optional: len(ask) > 2, Label: f.Tag.Get("label"),
			Is: func(c Config) string { return c.answer(reflect.ValueOf(c).FieldByIndex(f.Index).Interface()) },
		}
		each, is := reflect.Zero(f.Type).Interface().(strictyaml.Keyed)
		if !is {
			all = append(all, one)
			return
		}
		for _, name := range each.Keys() {
			one.Key = strings.TrimSuffix(key, "*") + name
			one.Is = func(c Config) string {
				value := reflect.ValueOf(c).FieldByIndex(f.Index).MapIndex(reflect.ValueOf(name))
				if !value.IsValid() { // the file does not have it
					return ""
				}
				return value.String()
			}
			all = append(all, one)
		}
	})
	return all
}

// answer writes a value as it is answered.
func (c Config) answer(value any) string {
	switch v := value.(type) {
	case Amount:
		if v == 0 {
			return ""
		}
		return v.Text(c.Digits())
	case []Supervisor:
		names := make([]string, len(v))
		for i, one := range v {
			names[i] = one.Name
		}
		return strings.Join(names, "\n")
	}
	return fmt.Sprint(value)
}
