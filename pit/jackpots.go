package pit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// Jackpots says how the pit gives the jackpots that several tables play for. Without a key it keeps their meters, and
// tells the tables nothing.
type Jackpots struct {
	// KeyFile is the private half of the key by which tables believe it, of mode 0600.
	KeyFile string `yaml:"key_file"`
	// TogetherSeconds is how long a win waits for others, which share the jackpot with it.
	TogetherSeconds int `yaml:"together_seconds"`
}

const (
	// togetherDefault and togetherMost are in seconds.
	togetherDefault, togetherMost = 1, 30
	// decideEvery is how often the pit looks at most whether somebody has won, and whether there is something new to
	// say: when a meter may have changed, or something waits.
	decideEvery = 250 * time.Millisecond
	// repeatEvery is how often all is said again: what was said may be lost, and a table that hears nothing is alone.
	repeatEvery = 10 * time.Second
	// amountEvery is how often a table is told at most what is in it: each round of each table changes that.
	amountEvery = 2 * time.Second
)

func (j Jackpots) check(doc *strictyaml.Document) {
	if j.TogetherSeconds < 0 || j.TogetherSeconds > togetherMost {
		doc.Refuse("jackpots.together_seconds", fmt.Sprintf("%d is not how long a win waits", j.TogetherSeconds),
			fmt.Sprintf("write 0 to %d", togetherMost))
	}
}

// meters gives the jackpots, and says what is in them.
type meters struct {
	store    *store.Store
	line     replica.Line
	key      ed25519.PrivateKey
	together time.Duration
	log      *slog.Logger
	// said is what each table was told last, and when all was said again.
	said  map[string]saidWord
	again time.Time
	// waits says that there was something left to decide or to say.
	waits bool
	// failing says that it was logged.
	failing bool
}

// openMeters reads the key; nil without one.
func openMeters(c Jackpots, kept *store.Store, line replica.Line, log *slog.Logger) (*meters, error) {
	if c.KeyFile == "" {
		return nil, nil
	}
	key, err := command.KeyFile.Read(c.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("the key for jackpots: %w", err)
	}
	return &meters{
		store: kept, line: line, key: key, together: time.Duration(c.TogetherSeconds) * time.Second, log: log,
		said: map[string]saidWord{},
	}, nil
}

// run gives what was won, and says what is committed, until ctx ends.
func (m *meters) run(ctx context.Context) {
	if m == nil {
		return
	}
	look := time.NewTicker(decideEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.store.JackpotsChanged():
			m.waits = true // several changes are looked at together
			continue
		case <-look.C:
		}
		if !m.due() {
			continue
		}
		err := m.look(ctx)
		if failed := err != nil && ctx.Err() == nil; failed != m.failing {
			if m.failing = failed; failed {
				m.log.Error("THE JACKPOTS CANNOT BE KEPT: who has won waits; look at the pit's database", "err", err)
			} else {
				m.log.Info("the jackpots are kept again")
			}
		}
	}
}

// due says whether there is something to look at: a house in which nobody plays leaves the database alone.
func (m *meters) due() bool { return m.waits || time.Since(m.again) >= repeatEvery }

// look gives what was won, and then says what is committed: nothing is said before.
func (m *meters) look(ctx context.Context) (err error) {
	m.waits = false
	defer func() { m.waits = m.waits || err != nil || m.store.JackpotWaits() }()
	if _, err := m.store.DecideJackpots(ctx, m.together); err != nil {
		return err
	}
	words, err := m.store.JackpotTables(ctx)
	if err != nil {
		return err
	}
	again := time.Since(m.again) >= repeatEvery
	if again {
		m.again = time.Now()
	}
	for i := range words {
		if err := m.say(ctx, &words[i], again); err != nil {
			return err
		}
	}
	return nil
}

// saidWord is what a table was told, and when.
type saidWord struct {
	jackpot.Word
	at time.Time
}

// news says whether a table is to be told: a win at once, and all else not more often than a screen needs it.
func (s *saidWord) news(w *jackpot.Word) (given, is bool) {
	given = w.Given != nil && (s.Given == nil || *s.Given != *w.Given)
	return given, given || s.Entry != w.Entry && time.Since(s.at) >= amountEvery
}

// say tells a table what is new to it, or everything again. What it has won is told once that outlives the database's
// server.
func (m *meters) say(ctx context.Context, w *jackpot.Word, again bool) error {
	name := w.Site + "/" + w.Table
	was := m.said[name]
	given, news := was.news(w)
	if !news && !again {
		m.waits = m.waits || was.Entry != w.Entry // it is told a little later
		return nil
	}
	table, err := topic.NewTable(w.Site, w.Table)
	if err != nil {
		return nil // no table of that name can be heard
	}
	if given {
		if err := m.store.DurableJackpot(ctx, w); err != nil {
			return err
		}
	}
	payload, err := jackpot.Seal(w, m.key)
	if err == nil {
		err = m.line.Say(table.Topic(topic.KindJackpot), payload)
	}
	if err == nil {
		m.said[name] = saidWord{*w, time.Now()}
	} else if m.waits = true; !errors.Is(err, replica.ErrAway) {
		m.log.Error("a table was not told of its jackpot; report this", "table", name, "err", err)
	}
	return nil
}
