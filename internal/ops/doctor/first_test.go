package doctor

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/table/profile"
)

// TestFirstStart: a table that nobody has set up yet waits at its page, and its configuration has no fault.
func TestFirstStart(t *testing.T) {
	asking := func(b *bench) string {
		b.report = health.Judge(health.Facts{Asks: "http://table/"})
		server := httptest.NewServer(b.page())
		b.t.Cleanup(server.Close)
		return server.URL
	}
	for name, c := range map[string]struct {
		// file is the configuration with %s for the page, "" for none; daemon has one answer, and says where.
		file   string
		daemon func(*bench) string
		// url has the doctor be told the address.
		url   bool
		codes []health.Code
		says  string
	}{
		"it waits": {
			"web: {listen: \"%s\"}\n", asking, false,
			[]health.Code{"first-start"},
			"at http://table/",
		},
		"without a file": {"", asking, true, []health.Code{"first-start"}, "at http://table/"},
		"not even started": {
			"web: {listen: \"%s\"}\n",
			func(b *bench) string { return "http://" + system.Address(b.t) }, false,
			[]health.Code{"daemon-silent", "first-start"},
			"as soon as the daemon runs",
		},
		"the wrong name": {
			"", func(b *bench) string { return "http://" + system.Address(b.t) }, true,
			[]health.Code{"config-unfit", "daemon-silent"},
			"no such file",
		},
		"another table answers": {
			"web: {listen: \"%s\"}\n",
			func(b *bench) string { s := httptest.NewServer(b.page()); b.t.Cleanup(s.Close); return s.URL }, false,
			[]health.Code{"config-unfit"},
			"which table it is of",
		},
		"something else answers": {"web: {listen: \"%s\"}\n", func(b *bench) string {
			s := httptest.NewServer(http.NotFoundHandler())
			b.t.Cleanup(s.Close)
			return s.URL
		}, false, []health.Code{"daemon-silent", "first-start"}, "as soon as the daemon runs"},
	} {
		b := newBench(t)
		url := c.daemon(b)
		b.config = filepath.Join(t.TempDir(), "sabot.yaml")
		if c.file != "" {
			b.put(b.config, strings.Replace(c.file, "%s", strings.TrimPrefix(url, "http://"), 1))
		}
		ask := Ask{
			Config: b.config, Machine: b.machine, Houses: profile.Built(), Version: "v1", Now: b.now,
			Outside: new(OverHTTP).Get,
		}
		if c.url {
			ask.URL = url
		}
		p := Examine(t.Context(), ask)
		for _, code := range c.codes {
			if !p.Holds(code) {
				t.Errorf("%s: it does not find %s", name, code)
			}
		}
		var text strings.Builder
		if err := p.Write(&text); err != nil || len(found(p)) != len(c.codes) ||
			!strings.Contains(text.String(), c.says) {
			t.Errorf("%s: it says\n%s", name, text.String())
		}
	}
}
