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
)

// shoeKey writes a new key into a file that only its owner may read. A file that is
// there is left as it is: it may be the key that a shoe has.
func shoeKey(_ context.Context, args []string, e env) error {
	path, err := one(flag.NewFlagSet("shoe-key", flag.ContinueOnError), args, "file", e)
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

Put the same 32 digits into the shoe, as its maker says. Keep no other copy: whoever
has the key can make cards.
`, path, path, path)
	return err
}

func writeKey(path, line string) error {
	err := writeNew(path, []byte(line), 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already, and may be the key that a shoe has: give another name, or remove it", path)
	}
	if err != nil {
		return fmt.Errorf("making the file for the key: %w", err)
	}
	return nil
}
