package main

import (
	"context"
	"flag"
	"os"
	"time"

	tty "golang.org/x/term"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/profile"
)

// defaultTable is the address of a table's page unless it is configured otherwise.
const defaultTable = "http://127.0.0.1:8080/"

// silence is how long nothing may be heard before the table counts as lost; 0 is the usual time. The tests are less
// patient.
var silence time.Duration

// watch shows a running table in the terminal until it is interrupted.
func watch(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	screen := screenOf(e)
	url, language, o, err := parseWatch(set, args, e)
	if err != nil {
		return err
	}
	screen.Language = language
	out := terminal.Raw(e.out) // the screen steers the terminal, and shows visibly what it is told
	following, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := func(err error) {
		if err != nil {
			stop(err)
		}
	}
	err = term.Follow(following, url, term.Follower{
		View: func(v display.View) { ended(screen.Draw(out, v)) },
		Lost: func(cause error) { ended(screen.DrawLost(out, cause)) },
	}, o)
	switch {
	case ctx.Err() != nil: // the user has seen enough
		return nil
	case following.Err() != nil:
		return context.Cause(following)
	default:
		return err
	}
}

// parseWatch reads which page to watch, in which language, and how to enter it.
func parseWatch(set *flag.FlagSet, args []string, e env) (url string, language display.Language, o term.FollowOptions,
	err error,
) {
	book := profile.Built()
	speaks := languageFlag(set, display.BuiltIn().With(book.Words(), book.Shufflers()...), "say it in this `language`")
	ca := set.String("ca", "",
		"the PEM `file` with the certificate that vouches for the page's; by default the system's certificates")
	keyFile := set.String("key", "",
		"the `file` with the screen's key, for a page on a network; by default the variable "+keyVariable)
	if err := parse(set, args, e); err != nil {
		return "", display.English, o, err
	}
	if language, err = speaks(); err != nil {
		return "", display.English, o, err
	}
	if set.NArg() > 1 {
		return "", display.English, o, errUsage("it takes at most one URL; options come before it")
	}
	if url = set.Arg(0); url == "" {
		url = defaultTable
	}
	o, err = entering(url, *ca, *keyFile)
	o.Silence = silence
	return url, language, o, err
}

// screenOf describes the terminal at standard output; without one it is 80 by 24.
func screenOf(e env) term.Screen {
	var s term.Screen
	out, ok := terminal.Raw(e.out).(*os.File)
	if !ok {
		return s
	}
	width, height, err := tty.GetSize(int(out.Fd()))
	if err != nil {
		return s
	}
	s.Width, s.Height = width, height
	s.Colour = term.Colours(os.Getenv)
	return s
}
