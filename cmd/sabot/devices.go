package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/ops/devices"
)

// listDevices lists what a table can be wired to.
func listDevices(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	return listFound(set, args, inventory.System(), e)
}

// listing holds the flags of sabot devices.
type listing struct {
	config, user string
	probe, json  bool
}

// listFound lists what a machine has.
func listFound(set *flag.FlagSet, args []string, s inventory.Source, e env) error {
	var l listing
	set.StringVar(&l.config, "config", "",
		"a table's configuration `file`: show what it uses, and what is wrong with that")
	set.StringVar(&l.user, "user", "",
		"the `name` of the user whose rights are checked, such as sabot; default: whoever runs this")
	set.BoolVar(&l.probe, "probe", false,
		"read a byte from every address of the I2C buses, to see which devices answer")
	set.BoolVar(&l.json, "json", false, "print JSON, on one line")
	if err := none(set, args, e); err != nil {
		return err
	}
	uses, err := l.uses()
	if err != nil {
		return err
	}
	user := s.Current()
	if l.user != "" {
		if user, err = s.Named(l.user); err != nil {
			return err
		}
	}
	m, err := inventory.Read(s, user, l.probe)
	if err != nil {
		return err
	}
	found := inventory.Check(s, m, uses)
	if l.json {
		err = jsonTo(e, false, func(w io.Writer) error {
			return json.NewEncoder(w).Encode(devices.List{Machine: m, Uses: found.Users, Problems: found.Problems})
		})
	} else {
		err = devices.Write(e.out, m, found, devices.Options{Config: l.config, Probed: l.probe})
	}
	return errors.Join(err, verdict(found, l.config))
}

// uses returns what the configuration uses: nothing without a configuration.
func (l listing) uses() (inventory.Uses, error) {
	if l.config == "" {
		return inventory.Uses{}, nil
	}
	c, err := loadConfig(l.config)
	if err != nil {
		return inventory.Uses{}, err
	}
	return devices.UsesOf(c)
}

// verdict is an error if the configuration uses something that cannot be used.
func verdict(found inventory.Finding, path string) error {
	wrong := 0
	for _, p := range found.Problems {
		if !p.Hint {
			wrong++
		}
	}
	switch wrong {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("one thing is wrong with what %s uses", path)
	}
	return fmt.Errorf("%d things are wrong with what %s uses", wrong, path)
}

// watchDevices shows what comes from the table's devices until it is interrupted.
func watchDevices(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var path string
	set.StringVar(&path, "config", "", "the table's configuration `file`")
	bytes := set.Bool("bytes", true, "also show the bytes on the wires and the frames in them")
	if err := none(set, args, e); err != nil {
		return err
	}
	if path == "" {
		return errUsage("it needs a configuration")
	}
	c, err := loadConfig(path)
	if err != nil {
		return err
	}
	return devices.Watch(ctx, c, e.out, *bytes)
}
