package main

import (
	"context"
	"os"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/display/web/client"
)

// defaultTable is where a table's page is unless it is configured otherwise.
const defaultTable = "http://127.0.0.1:8080/"

// watch shows a running table in the terminal until it is interrupted.
func watch(ctx context.Context, args []string, e env) error {
	url := defaultTable
	switch {
	case len(args) > 1:
		return errUsage("watch takes one URL at most")
	case len(args) == 1:
		url = args[0]
	}
	following, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := func(err error) {
		if err != nil {
			stop(err)
		}
	}
	screen := terminal(e)
	err := client.Follow(following, url, client.Handler{
		View: func(v display.View) { ended(screen.Draw(e.out, v)) },
		Lost: func(cause error) { ended(screen.DrawLost(e.out, cause)) },
	}, client.Options{})
	switch {
	case ctx.Err() != nil: // the user has seen enough
		return nil
	case following.Err() != nil:
		return context.Cause(following)
	default:
		return err
	}
}

// terminal is the screen that standard output is, 80 by 24 if it is none.
func terminal(e env) term.Screen {
	var s term.Screen
	out, ok := e.out.(*os.File)
	if !ok {
		return s
	}
	size, err := unix.IoctlGetWinsize(int(out.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return s
	}
	s.Width, s.Height = int(size.Col), int(size.Row)
	s.Colour = term.Colours(os.Getenv)
	return s
}
