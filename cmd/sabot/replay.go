package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

// replay puts a transcript, a journal or a part of one through the engine. Outputs go to
// standard output, as JSON lines in the order in which they happened.
func replay(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	recorded := set.Bool("as-recorded", false,
		"take names as journals of before may hold them, which no table takes any more")
	house := set.String("house", "",
		"replay by the rules of this `house` or of a house's own file, whatever the transcript says")
	path, err := one(set, args, "transcript", e)
	if err != nil {
		return err
	}
	parser, err := parserFor(*house)
	if err != nil {
		return err
	}
	return jsonTo(e, false, func(w io.Writer) error {
		if isFolder(path) {
			return replayFolder(ctx, path, parser, w)
		}
		return replayFile(path, parser, !*recorded, w, e)
	})
}

// replayFile puts a transcript or a part of a journal through the engine. strict is for a
// transcript whose names nobody vouches for.
func replayFile(path string, parser *transcript.Parser, strict bool, w io.Writer, e env) error {
	file, err := open(path, e)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, err := transcript.Unpack(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer lines.Close()
	from := bufio.NewReader(lines)
	part, err := isPart(from)
	switch {
	case err != nil:
	case part:
		err = replayPart(path, from, parser, w)
	default:
		parser.Outside = strict
		err = transcript.Replay(from, parser, w)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// parserFor returns a parser that replays by the rules of a house or, if house is empty,
// by those that the transcript names.
func parserFor(house string) (*transcript.Parser, error) {
	if house == "" {
		return transcript.NewParser(profile.Built()), nil
	}
	book, name, err := openHouse(house)
	if err != nil {
		return nil, err
	}
	parser := transcript.NewParser(book)
	parser.House = name
	return parser, nil
}

// checkConfig lists everything that is wrong with a configuration at once.
func checkConfig(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	name := set.String("user", "",
		"the `name` of the user who runs sabotd; without it you are or, for root, whoever has the journal's folder")
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	by, err := userNamed(*name)
	if err != nil {
		return err
	}
	c, err := loadConfigFor(by, path)
	if err != nil {
		return err
	}
	open, err := c.PutsRight(by)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(e.out, "%s is good: table %s of site %s plays %s\n", path, c.Table, c.Site,
		c.House); err != nil {
		return err
	}
	for _, f := range open {
		if _, err := fmt.Fprintf(e.out, "sabotd puts right when it starts: %s\n", f.What); err != nil {
			return err
		}
	}
	return nil
}

// userNamed is a user of this computer, nil where none is named.
func userNamed(name string) (*securefile.User, error) {
	if name == "" {
		return nil, nil
	}
	user, err := securefile.Named(name)
	return &user, err
}

func loadConfig(path string) (config.Config, error) { return loadConfigFor(nil, path) }

func loadConfigFor(by *securefile.User, path string) (config.Config, error) {
	c, err := config.LoadFor(by, path, profile.Built())
	if err != nil {
		return c, fmt.Errorf("the configuration cannot be used:\n%w", err)
	}
	return c, nil
}
