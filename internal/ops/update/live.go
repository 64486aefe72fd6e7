package update

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/table/journal"
)

// Live is the table of a configuration on this machine.
type Live struct {
	// Path is the configuration's. It is read at each look: the first start may write it meanwhile.
	Path string
	// Unit is the table's service.
	Unit string
	// Steady is how long the table must stay ready after it is first seen to be.
	Steady time.Duration
}

// config is what says where the table's journal and its page are. The page of one that waits for its first start is all
// that there is of it: no round can be open, whatever an earlier table has left.
func (l *Live) config() (c config.Config, waits bool, err error) {
	text, err := settings.At(l.Path).Read()
	if err != nil {
		return c, false, err
	}
	if settings.Fresh(text) {
		c = config.Default()
		c.Web.Listen = settings.FirstPage(text)
		return c, true, nil
	}
	c, err = config.Sketch(l.Path, text)
	if err != nil {
		if outline, is := config.Outline(l.Path, text); is {
			return outline, false, nil // one that a newer version has written
		}
	}
	return c, false, err
}

var opened = []byte(`{"out":"opened"`)

// Open reports whether a round is open. The journal knows: what the table has not recorded has not happened.
func (l *Live) Open() (bool, error) {
	c, waits, err := l.config()
	if err != nil || waits {
		return false, err
	}
	r, err := openJournal(&c)
	if r == nil {
		return false, err
	}
	last, _, _, err := r.Checkpoint()
	open := false
	for rec, wrong := range r.Records(last + 1) {
		if wrong != nil {
			err = wrong
			break
		}
		open = open || bytes.HasPrefix(rec.Outputs, opened) ||
			bytes.Contains(rec.Outputs, append([]byte("\n"), opened...))
	}
	return open, errors.Join(err, r.Close())
}

// openJournal is nil for a table that was never started.
func openJournal(c *config.Config) (*journal.Reader, error) {
	r, err := journal.OpenReadOnly(c.Journal.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r, err
}

// Boot is the number of the journal's last start, 0 for none.
func (l *Live) Boot() (uint64, error) {
	c, waits, err := l.config()
	if err != nil || waits {
		return 0, err
	}
	return lastBoot(&c)
}

func lastBoot(c *config.Config) (uint64, error) {
	r, err := openJournal(c)
	if r == nil {
		return 0, err
	}
	boots, err := r.Boots(context.Background())
	if err = errors.Join(err, r.Close()); err != nil || len(boots) == 0 {
		return 0, err
	}
	return boots[len(boots)-1].Number, nil
}

// Ready is nil if the table was started after the numbered start, answers at its page, and goes on to. One that waits
// for its first start has no journal: it answers.
func (l *Live) Ready(ctx context.Context, after uint64) error {
	first, err := l.started(ctx, after)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(l.Steady):
	}
	again, err := l.started(ctx, after)
	if err == nil && again != first {
		err = fmt.Errorf("it was started anew, for the %d. time", again-after)
	}
	return err
}

func (l *Live) started(ctx context.Context, after uint64) (uint64, error) {
	c, waits, err := l.config()
	if err != nil {
		return 0, err
	}
	if waits {
		return 0, answers(ctx, &c)
	}
	boot, err := lastBoot(&c)
	if err != nil {
		return 0, err
	}
	if boot <= after {
		return 0, errors.New("the daemon has not opened its journal")
	}
	return boot, answers(ctx, &c)
}

// answers is nil if the page answers, whatever it says: a screen would have to enter first.
func answers(ctx context.Context, c *config.Config) error {
	page, err := c.Web.FromHere()
	if err != nil {
		return err
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, page, http.NoBody)
	if err != nil {
		return err
	}
	// Nothing is sent to it, and nothing that it says is believed but that it answers.
	client := http.Client{
		Timeout:       5 * time.Second,
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(ask)
	if err != nil {
		return fmt.Errorf("the page does not answer: %w", err)
	}
	return answer.Body.Close()
}

// Restart starts the table with what is installed.
func (l *Live) Restart(ctx context.Context) error {
	_, err := output(ctx, "systemctl", "restart", l.Unit)
	return err
}
