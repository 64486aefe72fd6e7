package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/securefile"
)

// shoeKey writes a new key into a file that only its owner may read. It never overwrites a
// file: that may hold the key of a shoe.
func shoeKey(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	var key wire.Secret
	rand.Read(key[:]) // never fails
	if err := writeKey(path, hex.EncodeToString(key[:])+"\n"); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, `A new key is in %s, which only you may read. Next:

  chown sabot %s          the user that runs sabotd
  shoe: {key_file: %s}    in the table's configuration

Put the same 32 digits into the shoe, as its maker describes. Keep no other copy: anyone who
has the key can forge cards.
`, path, path, path)
	return err
}

func writeKey(path, line string) error {
	err := securefile.New(path, []byte(line))
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s already exists, and may hold the key of a shoe: give another name, or remove it", path)
	}
	if err != nil {
		return fmt.Errorf("writing the key file: %w", err)
	}
	return nil
}
