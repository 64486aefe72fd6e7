// Release makes what is released of Sabot: packages for Debian, and signatures.
//
//	go run ./internal/release packages
//	go run ./internal/release key ~/sabot-release.key
//	go run ./internal/release sign --key ~/sabot-release.key dist/packages
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"aead.dev/minisign"
	"golang.org/x/term"
)

// command is something that release does.
type command struct {
	name, args, what string
	run              func(ctx context.Context, set *flag.FlagSet, args []string, in *os.File, out io.Writer) error
}

var commands = []command{
	{
		"packages", "[--out FOLDER] [--arch LIST] [--version VERSION]", "make the packages, and SHA256SUMS beside them",
		makePackages,
	},
	{
		"image", "[--out FOLDER] [--version VERSION] [--keys FILE] [--slot]",
		"make the card of a table's computer, and the slot for the update of one; as root", makeCard,
	},
	{
		"key", "FILE", "make a key for signing: FILE, which nobody else may have, and FILE.pub, which everybody may",
		makeKey,
	},
	{
		"sign", "--key KEY FOLDER…",
		"sign SHA256SUMS in each folder, and all that it lists; a FILE is signed alone. FILE.minisig is what " +
			"minisign -V checks, and sabot update", signFiles,
	},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in *os.File, out io.Writer) error {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(ctx, flag.NewFlagSet(c.name, flag.ContinueOnError), args[1:], in, out)
			}
		}
	}
	var known []string
	for _, c := range commands {
		known = append(known, fmt.Sprintf("  release %s %s: %s", c.name, c.args, c.what))
	}
	return errors.New("say what to do:\n" + strings.Join(known, "\n"))
}

func makePackages(ctx context.Context, set *flag.FlagSet, args []string, _ *os.File, out io.Writer) error {
	folder := set.String("out", "dist/packages", "the `folder` for the packages")
	archs := set.String("arch", "", "dpkg's names of processors, separated by commas; without it all")
	version := set.String("version", "", "the version, as git describes one; without it that of the source")
	if err := set.Parse(args); err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	m := maker{root: root}
	if m.out, err = filepath.Abs(*folder); err != nil {
		return err
	}
	if m.archs, err = processorsNamed(*archs); err != nil {
		return err
	}
	if m.edition, err = editionOf(root, *version, os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	files, err := m.make(ctx)
	if err != nil {
		return err
	}
	for _, file := range append(files, sumsFile) {
		fmt.Fprintln(out, filepath.Join(*folder, file))
	}
	return nil
}

func makeKey(_ context.Context, set *flag.FlagSet, args []string, in *os.File, out io.Writer) error {
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return errors.New("key takes one file, which it makes")
	}
	password, err := passwordFrom(in, out)
	if err != nil {
		return err
	}
	return newKey(set.Arg(0), password, minisign.EncryptKey)
}

func signFiles(_ context.Context, set *flag.FlagSet, args []string, in *os.File, out io.Writer) error {
	key := set.String("key", "", "the `file` with the key")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *key == "" || set.NArg() == 0 {
		return errors.New("sign takes --key KEY, and the folders with what is released, or files")
	}
	password, err := passwordFrom(in, out)
	if err != nil {
		return err
	}
	return sign(*key, password, set.Args())
}

// passwordFrom asks for the key's password, or reads a line if nobody is asked.
func passwordFrom(in *os.File, out io.Writer) (string, error) {
	if !term.IsTerminal(int(in.Fd())) {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	fmt.Fprint(out, "password of the key: ")
	password, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(out)
	return string(password), err
}
