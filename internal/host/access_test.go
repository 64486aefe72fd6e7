package host

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/vocab"
)

// guarded is a daemon that has opened nothing but its page's access.
func guarded(t *testing.T) *Daemon {
	t.Helper()
	dir := t.TempDir()
	page := config.Web{CertFile: filepath.Join(dir, "page.crt"), KeyFile: filepath.Join(dir, "page.key")}
	cert, key, err := site.SelfSigned([]string{"one.example"}, time.Now(), time.Now().AddDate(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{page.CertFile: cert, page.KeyFile: key} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page.Screens = []config.Screen{{
		Name: "touch", Role: web.Dealer,
		Key: config.ScreenKeyHash(web.NewKey().Hash().String()),
	}}
	c := config.Default()
	c.Web, c.Journal.Path = page, filepath.Join(t.TempDir(), "journal")
	d := &Daemon{config: c, log: slog.New(slog.DiscardHandler)}
	d.notices = newNotices(d.log, nil)
	return d
}

// TestKeptScreens: what cannot be a list of sessions is put aside, and told; the table goes on.
func TestKeptScreens(t *testing.T) {
	for text, told := range map[string]int{
		"":                      1,
		"{}":                    1,
		`[{"key":"sha256:00"}]`: 1,
		`[{"screen":"touch"}]`:  1,
		"[]":                    0,
		"null":                  0,
		`[{"screen":"gone","key":"` + web.NewKey().Hash().String() + `","session":"` +
			strings.Repeat("00", 32) + `"}]`: 0,
	} {
		d := guarded(t)
		if err := os.WriteFile(d.config.Journal.Path+".screens", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := d.openAccess(); err != nil || len(d.kept.unusable) != told {
			t.Errorf("%s gives %v, and tells %q", text, err, d.kept.unusable)
		}
	}
}

// TestReload takes over the screens, and nothing else; whether screens have to enter
// at all does not change.
func TestReload(t *testing.T) {
	d := guarded(t)
	if err := d.openAccess(); err != nil {
		t.Fatal(err)
	}
	next := d.config
	next.Web.Screens = append([]config.Screen{{
		Name: "pit", Role: web.View,
		Key: config.ScreenKeyHash(web.NewKey().Hash().String()),
	}}, next.Web.Screens...)
	if differs, err := d.Reload(next); differs || err != nil {
		t.Errorf("more screens differ %v, %v", differs, err)
	}
	next.Boxes = 5
	if differs, err := d.Reload(next); !differs || err != nil {
		t.Errorf("other boxes differ %v, %v", differs, err)
	}
	next.Web = config.Default().Web
	if _, err := d.Reload(next); !errors.Is(err, errNotGuarded) {
		t.Errorf("without screens: %v", err)
	}
	open := &Daemon{config: config.Default()}
	if _, err := open.Reload(d.config); !errors.Is(err, errNotGuarded) {
		t.Errorf("screens for an open page: %v", err)
	}
	if differs, err := open.Reload(open.config); differs || err != nil {
		t.Errorf("a reload where no screens enter: %t, %v", differs, err)
	}
}

// TestScreensOnRecord: what happens to screens is noted in few words.
func TestScreensOnRecord(t *testing.T) {
	d := guarded(t)
	for _, c := range []struct {
		notice web.AccessNotice
		want   vocab.Input
	}{
		{
			web.AccessNotice{
				What: web.ScreenIn, Screen: "touch", Role: web.Dealer, From: "2001:db8::1",
				Err: errors.New("disk full"),
			},
			vocab.Input{Kind: vocab.InNote, Code: "screen-in dealer 2001:db8::1", By: "touch"},
		},
		{
			web.AccessNotice{What: web.ScreenOut, Screen: "touch", Role: web.Dealer, Why: web.ScreenRevoked},
			vocab.Input{Kind: vocab.InNote, Code: "screen-out dealer revoked", By: "touch"},
		},
		{
			web.AccessNotice{What: web.ScreenRefused, From: "192.0.2.1", Why: web.WrongKeys},
			vocab.Input{Kind: vocab.InNote, Code: "screen-refused wrong-keys 192.0.2.1"},
		},
	} {
		d.screenNoted(c.notice)
		if got := <-d.notices.waiting; got.Kind != c.want.Kind || got.Code != c.want.Code || got.By != c.want.By {
			t.Errorf("%+v is recorded as %+v", c.notice, got)
		}
	}
}
