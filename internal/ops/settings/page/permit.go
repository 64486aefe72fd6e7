package page

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
)

// sealer names what was shown at a screen, so that whoever is proven is proven for that. Its names mean nothing to
// anybody else, and nothing after the table has begun anew.
type sealer []byte

func newSealer() sealer {
	key := make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return key
}

func (s sealer) seal(screen string, text []byte, answers []settings.Answer) string {
	shown, err := json.Marshal(struct {
		Screen  string
		Text    []byte
		Answers []settings.Answer
	}{screen, text, answers})
	if err != nil {
		panic(err) // answers are plain texts and always encode
	}
	sum := hmac.New(sha256.New, s)
	sum.Write(shown)
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}

// A permit lets one screen try one thing for a while; nothing is changed by it.
type permit struct {
	token, screen, what string
	until               time.Time
}

// permitted is how long something may be tried, and mostPermits how many permits are kept.
const permitted, mostPermits = 10 * time.Minute, 16

type permits struct {
	mu  sync.Mutex
	all []permit
}

func (p *permits) give(screen, what string, now time.Time) string {
	var secret [16]byte
	rand.Read(secret[:]) // never fails
	one := permit{base64.RawURLEncoding.EncodeToString(secret[:]), screen, what, now.Add(permitted)}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) >= mostPermits {
		p.all = p.all[1:]
	}
	p.all = append(p.all, one)
	return one.token
}

func (p *permits) has(token, screen, what string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.all, func(one permit) bool {
		return hmac.Equal([]byte(one.token), []byte(token)) && one.screen == screen && one.what == what &&
			now.Before(one.until)
	})
}

// trial is what somebody is proven for who only tries something: what it is, and how the page says it.
type trial struct{ what, said string }

// triesBroker is to try one broker as one user.
func (p *page) triesBroker(g given, c config.Config) trial {
	address := c.MQTT.Broker
	said := p.language(g.Lang).Say(display.Message{
		Key:  "first.tries",
		Args: []display.Arg{{Name: "broker", Text: address}},
	})
	return trial{"broker " + c.MQTT.Username + " " + address, said}
}

// triesKeys is to listen to the computer's lines.
func (p *page) triesKeys(g given) trial {
	return trial{"keys", saying(p.language(g.Lang))("first.listens")}
}

// may reports whether something may be tried; said is the answer if it may not. At a first start nobody can be asked.
func (p *page) may(ctx context.Context, g given, t trial) (said answer, ok bool) {
	if p.First || p.permits.has(g.Permit, web.ScreenOf(ctx), t.what, time.Now()) {
		return answer{}, true
	}
	return answer{Untried: true, Changes: []string{t.said}}, false
}

// permit proves a supervisor for trying something, who then may for a while, at this screen.
func (p *page) permit(ctx context.Context, g given) answer {
	t := p.triesKeys(g)
	switch g.About {
	case "keys":
	case "pit":
		c, err := p.with(g.Answers)
		if err != nil {
			return wrong(err)
		}
		t = p.triesBroker(g, c)
	default:
		return wrong(errors.New("this is nothing that is tried"))
	}
	_, err := p.Prove(ctx, g.Given)
	if said, refused := unproven(err); refused {
		said.Changes = []string{t.said}
		return said
	}
	if err != nil {
		return wrong(err)
	}
	return answer{Permit: p.permits.give(web.ScreenOf(ctx), t.what, time.Now())}
}
