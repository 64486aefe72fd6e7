package pit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
)

// Serve runs the pit of a configuration, with its pages, until the context ends. It calls ready with their
// address once they can be asked for.
func Serve(ctx context.Context, c Config, log *slog.Logger, ready func(url string)) (err error) {
	p, err := Open(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	houses := c.Houses(profile.Built())
	language, ok := display.BuiltIn().With(houses.Words(), houses.Shufflers()...).Speak(c.Language)
	if !ok {
		return fmt.Errorf("the language %q is not known", c.Language)
	}
	in, err := OpenEntrance(c, p.Store, language, log)
	if err != nil {
		return err
	}
	calls, err := openPush(c, p)
	if err != nil {
		return err
	}
	pages, err := p.Pages(PagesOptions{
		Name: c.Name, Language: language, Houses: houses, People: in.Door, Audit: in.Door,
		Menu: Menu(), calls: calls,
	})
	if err != nil {
		return err
	}
	hook, err := openWebhook(c, p, log)
	if err != nil {
		return err
	}
	ready(in.URL())
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if hook != nil {
		go hook.Run(ctx)
	}
	if calls != nil {
		go calls.Run(ctx)
	}
	served := make(chan error, 1)
	go func() {
		defer stop()
		served <- in.Serve(ctx, pages)
	}()
	err = p.Run(ctx)
	stop()
	return errors.Join(err, <-served)
}
