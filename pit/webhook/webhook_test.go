package webhook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/webhook"
)

// pager answers as it is told, and keeps what it took.
type pager struct {
	t      *testing.T
	mu     sync.Mutex
	answer func(try int) (int, error)
	tries  int
	took   []string
	last   http.Header
	body   []byte
}

func (p *pager) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	p.tries++
	code := http.StatusNoContent
	if p.answer != nil {
		if code, err = p.answer(p.tries); err != nil {
			return nil, err
		}
	}
	if code < 300 {
		var m webhook.Message
		if err := json.Unmarshal(body, &m); err != nil {
			p.t.Error(err)
		}
		p.took = append(p.took, fmt.Sprintf("%s %s %s %s", m.Table, m.Code, m.What, m.By))
		p.last, p.body = r.Header, body
	}
	return &http.Response{StatusCode: code, Status: http.StatusText(code), Body: http.NoBody}, nil
}

func (p *pager) has() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.took, "; ")
}

// watched is a floor whose alerts are sent to a pager, in virtual time.
func watched(t *testing.T, p *pager, before func(*floor.Floor)) *floor.Floor {
	t.Helper()
	p.t = t
	f := floor.New(floor.Options{})
	if before != nil {
		before(f)
	}
	go webhook.Run(t.Context(), webhook.Options{
		Floor: f, URL: "http://pager/alerts", Secret: []byte("secret"), Client: &http.Client{Transport: p},
		Log: slog.New(slog.DiscardHandler),
	})
	synctest.Wait()
	return f
}

func bj3(t *testing.T) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wien", "bj-3")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// raise raises an alert, and takes it up.
func raise(t *testing.T, f *floor.Floor) {
	t.Helper()
	f.Raise(bj3(t), floor.JournalRewritten, "record 7", time.Now())
	synctest.Wait()
}

func TestEachStepIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pager{}
		f := watched(t, p, func(f *floor.Floor) { f.Raise(bj3(t), floor.RecordsMissing, "old", time.Now()) })
		raise(t, f)
		id := f.Alerts()[0].ID
		if err := f.Coming(id, "anna"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		bubble.Pass(time.Second)
		f.Clear(bj3(t), floor.JournalRewritten, time.Now())
		if err := f.Acknowledge(id, "anna", "restored"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		bubble.Pass(time.Hour)
		const want = "bj-3 journal-rewritten raised ; bj-3 journal-rewritten coming anna; bj-3 journal-rewritten " +
			"put-right ; " +
			"bj-3 journal-rewritten acknowledged anna; bj-3 journal-rewritten over "
		if got := p.has(); got != want {
			t.Errorf("sent: %s\nwant: %s", got, want)
		}
		if got := p.last.Get(webhook.Signature); got != webhook.Sign([]byte("secret"), p.body) ||
			len(got) != len("sha256=")+64 {
			t.Errorf("signed with %q", got)
		}
	})
}

func TestItIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pager{answer: func(try int) (int, error) {
			switch try {
			case 1:
				return 0, io.ErrUnexpectedEOF
			case 2:
				return http.StatusBadGateway, nil
			case 3:
				return http.StatusTooManyRequests, nil
			}
			return http.StatusOK, nil
		}}
		f := watched(t, p, nil)
		began := time.Now()
		raise(t, f)
		for p.has() == "" && time.Since(began) < time.Hour {
			bubble.Settle(time.Second)
		}
		if took := time.Since(began); p.has() != "bj-3 journal-rewritten raised " || p.tries != 4 ||
			took > 10*time.Second {
			t.Errorf("after %d tries and %v: %s", p.tries, took, p.has())
		}
	})
}

func TestItIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		code, least, most int
	}{
		"refused": {http.StatusNotFound, 2, 2}, "led elsewhere": {http.StatusFound, 2, 2},
		"away": {http.StatusServiceUnavailable, 20, 60},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pager{answer: func(int) (int, error) { return c.code, nil }}
				f := watched(t, p, nil)
				raise(t, f)
				if err := f.Coming(f.Alerts()[0].ID, "anna"); err != nil {
					t.Fatal(err)
				}
				bubble.Settle(24 * time.Hour)
				if p.tries < c.least || p.tries > c.most || p.has() != "" {
					t.Errorf("%d tries, want %d to %d; sent: %s", p.tries, c.least, c.most, p.has())
				}
			})
		})
	}
}
