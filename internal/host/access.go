package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/vocab"
)

// openAccess opens the page to the network's screens; if none are configured, only this
// machine can reach it.
func (d *Daemon) openAccess() error {
	w := d.config.Web
	if !w.Guarded() {
		return nil
	}
	var err error
	if d.page.certificate, err = site.OpenCertificate(w.CertFile, w.KeyFile, d.log); err != nil {
		return err
	}
	screens, err := w.MayEnter()
	if err != nil {
		return err
	}
	const without = "every screen then enters again"
	file := keptFile[[]web.Kept]{
		path:   d.config.Journal.Path + ".screens",
		unread: ", which keeps the screens' sessions, cannot be read", without: without,
	}
	kept, err := file.restore(d)
	if err != nil {
		return err
	}
	o := web.AccessOptions{
		Screens: screens, Host: d.page.certificate.Has, Kept: kept, Keep: file.keep,
		Noted: d.screenNoted,
	}
	if d.page.access, err = web.NewAccess(o); err != nil && kept != nil {
		o.Kept = nil
		if err = file.putAside(d, err); err == nil {
			d.page.access, err = web.NewAccess(o)
		}
	}
	return err
}

var errNotGuarded = errors.New("whether screens must enter cannot change while the table runs: start the daemon again")

// Reload adopts the screens that may enter. The rest of a configuration is for the next
// start; differs says whether any of it has changed.
func (d *Daemon) Reload(c config.Config) (differs bool, err error) {
	guarded := d.page.access != nil
	if guarded != c.Web.Guarded() {
		return false, errNotGuarded
	}
	screens, err := c.Web.MayEnter()
	if err != nil {
		return false, err
	}
	if _, _, err := d.putModesRight(); err != nil { // what it has found is in the log
		return false, err
	}
	if guarded {
		d.page.access.Change(screens)
	}
	return d.config.Effect(c) == config.Between, nil
}

// screenNoted logs and records everything that happens to screens.
func (d *Daemon) screenNoted(n web.AccessNotice) {
	level := slog.LevelInfo
	if n.What == web.ScreenRefused {
		level = slog.LevelWarn
	}
	about := []slog.Attr{slog.String("what", string(n.What))}
	code := []string{string(n.What)}
	for _, part := range []struct{ name, value string }{
		{"screen", n.Screen},
		{"role", n.Role.String()},
		{"why", string(n.Why)},
		{"from", n.From},
	} {
		if part.value == "" {
			continue
		}
		about = append(about, slog.String(part.name, part.value))
		if part.name != "screen" {
			code = append(code, part.value)
		}
	}
	if d.noteOften(from(vocab.FromScreen, n.Screen, vocab.Input{
		Kind: vocab.InNote, Code: strings.Join(code, " "),
		By: n.Screen,
	})) {
		d.log.LogAttrs(context.Background(), level, "screens of the page", about...)
	}
	if n.Err != nil {
		d.log.Error("which screens have entered could not be kept: they enter again after the next start", "err", n.Err)
	}
}

// URL is where the page is: under a name that its certificate has, if it has one.
func (d *Daemon) URL() string {
	address := d.page.listener.Addr().String()
	if d.page.certificate == nil {
		return "http://" + address + "/"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || !d.page.certificate.Has(host) {
		host = d.page.certificate.Name()
	}
	return "https://" + net.JoinHostPort(host, port) + "/"
}
