package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/table/profile"
)

// usualConfig is where a table's configuration is.
const usualConfig = "/etc/sabot/sabot.yaml"

// configFlag is --config of the commands of a configuration's history.
func configFlag(set *flag.FlagSet) *string {
	return set.String("config", usualConfig, "the configuration `file`")
}

func configHistory(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path := configFlag(set)
	if err := none(set, args, e); err != nil {
		return err
	}
	all, err := settings.At(*path).History()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(e.out,
			"%s has no history: neither its page nor sabot config restore has changed it yet\n", *path)
		return err
	}
	for _, one := range all {
		if _, err := fmt.Fprintf(e.out, "%4d  before the change of %s\n", one.Number,
			one.Changed.Format(time.DateTime+" MST")); err != nil {
			return err
		}
	}
	return nil
}

// edition is a text of the configuration, and what it is called.
type edition struct {
	name string
	text []byte
}

func configDiff(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path := configFlag(set)
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() > 2 {
		return errUsage("it takes one number of sabot config history")
	}
	store := settings.At(*path)
	numbers, err := numbersOf(set.Args(), store)
	if err != nil {
		return err
	}
	var two [2]edition
	for i := range two {
		if i == len(numbers) {
			two[i].name = *path
			two[i].text, err = store.Read()
		} else {
			two[i].name = fmt.Sprintf("%s as it was before change %d", *path, numbers[i])
			_, two[i].text, err = store.Snapshot(numbers[i])
		}
		if err != nil {
			return err
		}
	}
	return writeDiff(e.out, two[0], two[1])
}

// numbersOf reads the numbers that were given, or takes that of the newest snapshot.
func numbersOf(args []string, store *settings.Store) (numbers []uint64, err error) {
	for _, arg := range args {
		n, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return nil, errUsage(fmt.Sprintf("%q is not a number of sabot config history", arg))
		}
		numbers = append(numbers, n)
	}
	if len(numbers) > 0 {
		return numbers, nil
	}
	all, err := store.History()
	if err == nil && len(all) == 0 {
		err = errors.New("there is nothing to compare with: sabot config history says why")
	}
	if err != nil {
		return nil, err
	}
	return []uint64{all[0].Number}, nil
}

// hash is a hash of a PIN or a badge. From all of it a short PIN can be found by trying; its end shows that it is
// another.
var hash = regexp.MustCompile(`\$argon2id\$[A-Za-z0-9+/=,$]*`)

func writeDiff(out io.Writer, before, after edition) error {
	short := func(v edition) string {
		return hash.ReplaceAllStringFunc(string(v.text), func(h string) string {
			return "$argon2id$…" + h[max(len(h)-6, 0):]
		})
	}
	_, err := io.WriteString(out, udiff.Unified(before.name, after.name, short(before), short(after)))
	return err
}

func configRestore(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path := configFlag(set)
	name := set.String("user", "", "the `name` of the user who runs sabotd, as of sabot config check")
	text, err := one(set, args, "number of sabot config history", e)
	if err != nil {
		return err
	}
	by, err := userNamed(*name)
	if err != nil {
		return err
	}
	store := settings.At(*path)
	numbers, err := numbersOf([]string{text}, store)
	if err != nil {
		return err
	}
	was, data, err := store.Snapshot(numbers[0])
	if err != nil {
		return err
	}
	if _, err := config.ParseFor(by, *path, data, profile.Built()); err != nil {
		return fmt.Errorf("%s stays as it is: what it was before change %d cannot be used:\n%w", *path, was.Number, err)
	}
	if err := store.Replace(data); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out,
		"%s is what it was before the change of %s; sabotd reads it at its next start: systemctl restart sabotd\n",
		*path, was.Changed.Format(time.DateTime+" MST"))
	return err
}
