package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	pitcommand "github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// jackpotKey is the key by which tables believe what the pit says of a jackpot, made as a house makes it.
type jackpotKey struct{ file, line string }

func newJackpotKey(t *testing.T, folder string) jackpotKey {
	t.Helper()
	k := jackpotKey{file: filepath.Join(folder, "jackpot.key")}
	made := processes.Run(t, processes.Binary(t, "sabot"), "key", "command", "jackpot", k.file)
	public := publicHalf.FindStringSubmatch(made.Out)
	if made.Status != 0 || public == nil {
		t.Fatal(made.Out + made.Err)
	}
	k.line = public[1]
	return k
}

// linkedSeat is what a table hears of the jackpot that it plays for with others.
type linkedSeat struct {
	key  ed25519.PublicKey
	pack []card.Card

	mu   sync.Mutex
	last *jackpot.Word
}

func (k jackpotKey) seat(t *testing.T) *linkedSeat {
	t.Helper()
	public, err := pitcommand.KeyFile.ParseLine(k.line)
	if err != nil {
		t.Fatal(err)
	}
	l := &linkedSeat{key: public}
	for name := range strings.FieldsSeq("AS KS AH KH 9D TC 7C 5D") { // so that it is won now and then
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		l.pack = append(l.pack, c)
	}
	return l
}

// ear takes what is said, nil for a table that plays for none.
func (l *linkedSeat) ear() func([]byte) {
	if l == nil {
		return nil
	}
	return func(payload []byte) {
		w, err := jackpot.Open(payload, l.key)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err == nil && (l.last == nil || w.Entry >= l.last.Entry) {
			l.last = w
		}
	}
}

// heard is the last word.
func (l *linkedSeat) heard() *jackpot.Word {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// answer takes what the pit has said, if the table stands to hear it; false where it goes on standing.
func (d *dealt) answer() bool {
	round, asks := d.night.Asks()
	w := d.plays.heard()
	switch {
	case !asks && w != nil:
		d.night.Take(vocab.Input{Kind: vocab.InMeter, Amount: w.Amount, Entry: int(w.Entry), Stated: true})
	case !asks:
	case w == nil || w.Given == nil || w.Given.Journal != d.night.Journal.ID() || w.Given.Round != round:
		return false
	default:
		d.night.Take(vocab.Input{
			Kind: vocab.InJackpot, Amount: w.Given.Amount, Entry: int(w.Given.Decision), Stated: true,
		})
	}
	return true
}

// round deals a round. One that wins the jackpot waits for the pit, also after dealing has ended.
func (s *seated) round(ctx context.Context) {
	for until := (<-chan time.Time)(nil); ; {
		s.mu.Lock()
		ended := s.dealt.stop == nil
		if !ended && s.plays == nil {
			s.dealsNow(1)
			ended = true
		} else if !ended {
			s.night.Now, s.night.Apart = time.Now().Add(s.ahead), 10*time.Millisecond
			ended = s.answer() && s.night.Play()
		}
		s.mu.Unlock()
		if ended {
			return
		}
		if until == nil && ctx.Err() != nil {
			until = time.After(processes.Deadline)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-until:
			s.t.Errorf("%s has won the jackpot, and nobody says how much that is", s.name)
			return
		}
	}
}

// jackpotAddsUp refuses a meter that does not follow from the tables' journals.
func jackpotAddsUp(t *testing.T, kept *store.Store, tables []*dealt) {
	t.Helper()
	var all audit.Linked
	for _, d := range tables {
		if d.plays == nil {
			continue
		}
		r, err := journal.OpenReadOnly(d.folder)
		if err == nil {
			err = all.Add(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Close() //nolint:errcheck // it was read
	}
	sums := all.Sums()
	meters, err := kept.Jackpots(t.Context())
	if err != nil || len(sums) != len(meters) {
		t.Fatalf("%d jackpots, of which the pit has %d: %v", len(sums), len(meters), err)
	}
	for i := range sums {
		left := sums[i].Meter() - meters[i].Amount
		t.Logf("jackpot %s: %d tables, %d rounds, won %d times; fed and put in, less what was paid and is in the "+
			"meter: %d",
			sums[i].Name, sums[i].Tables, sums[i].Rounds, sums[i].Wins, left)
		if left != 0 || sums[i].Waiting != 0 {
			t.Errorf("%+v, and the meter has %+v", sums[i], meters[i])
		}
	}
}

// pageGaps is for how long the floor's page was away.
type pageGaps struct {
	looks sync.WaitGroup
	// one is the longest gap at one node, and all the longest in which no node had it.
	one, all time.Duration
}

func (g *pageGaps) wait() { g.looks.Wait() }

// visits looks at each node's page, twice a second, as somebody does who has entered.
func (r *room) visits(ctx context.Context) {
	r.t.Helper()
	const token = "somebody-who-looks-on"
	err := openAlone(r.t, r.dsn(r.watch)).ChangePeople(ctx, func(tx people.Tx) error {
		return tx.PutSession(people.Session{
			ID: sha256.Sum256([]byte(token)), Name: "manager", Began: time.Now(), Used: time.Now(), From: "127.0.0.1",
		})
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var mu sync.Mutex
	anywhere := time.Now()
	client := http.Client{Timeout: 2 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	for _, n := range r.nodes {
		url := n.run.URL
		r.gaps.looks.Go(func() {
			// How long a page is away is what is measured.
			for here := time.Now(); ctx.Err() == nil; time.Sleep(500 * time.Millisecond) {
				if !shown(ctx, &client, url, token) {
					continue
				}
				mu.Lock()
				now := time.Now()
				r.gaps.one, r.gaps.all = max(r.gaps.one, now.Sub(here)), max(r.gaps.all, now.Sub(anywhere))
				here, anywhere = now, now
				mu.Unlock()
			}
		})
	}
}

// shown says whether a page of the floor is shown.
func shown(ctx context.Context, by *http.Client, url, token string) bool {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	ask.AddCookie(&http.Cookie{Name: "sabot-pit", Value: token})
	got, err := by.Do(ask)
	if err != nil {
		return false
	}
	defer got.Body.Close()
	return got.StatusCode == http.StatusOK
}

// TestJackpotOverABroker: a table that plays for a jackpot wins it; the pit says how much that is over a broker with
// the access lists of the documents, the table pays, and the pit's page shows it.
func TestJackpotOverABroker(t *testing.T) {
	mosquitto := guarded(t, false, "jackpot.md")
	folder := processes.FastDir(t)
	password := func(of string) string {
		file := filepath.Join(folder, of+".password")
		if err := os.WriteFile(file, []byte(brokertest.Password(of)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	key := newJackpotKey(t, folder)
	file := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"), "username: pit",
		"password_file: "+password("pit"))
	add(t, file, "jackpots: {key_file: "+key.file+", together_seconds: 0}\n")
	h := house{t: t, config: file}
	if err := h.add("manager", "manager"); err != nil {
		t.Fatal(err)
	}
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", file)
	s := &seat{
		t: t, name: "bj-1", site: "wiesbaden", house: "linked", journal: filepath.Join(folder, "bj-1"),
		broker: mosquitto.Addr(), jackpot: key.line, user: "bj-1", password: password("bj-1"),
	}
	s.start()
	if err := s.play(t.Context(), tabletest.WinsJackpot); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), processes.Deadline)
	defer stop()
	if _, err := s.daemon.Board.Await(ctx, func(v display.View) bool { return v.Phase == vocab.Payment }); err != nil {
		t.Fatalf("nobody says how much is won: %v\n%s", err, p.Log())
	}
	if err := s.play(t.Context(), "paid"); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, p.URL)
	b.post("/enter", map[string]string{"name": "manager", "password": housePass})
	b.shows("/jackpots", "10,003.50") // the seed, and what this round has fed
	p.Stop()
	s.end()
	r, err := journal.OpenReadOnly(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all audit.Linked
	if err := all.Add(r); err != nil {
		t.Fatal(err)
	}
	sums := all.Sums()
	if len(sums) != 1 || sums[0].Wins != 1 || sums[0].Paid != 1_000_000 || sums[0].Meter() != 1_000_350 {
		t.Errorf("the journal says %+v", sums)
	}
}
