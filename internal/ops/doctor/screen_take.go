package doctor

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/internal/terminal"
)

// copied is something of which a copy can be taken.
type copied struct {
	what string
	// word is the key of what the page calls it, says of what it says of it, "" for nothing.
	word, says string
	make       func(context.Context, *screen) (name, kind string, text []byte, err error)
}

// copies are all of which a copy can be taken. None has a secret in it.
var copies = []copied{
	{"bundle", "devices.bundle", "devices.bundle-has", makeBundle},
	{"configuration", "devices.configuration", "", copyConfiguration},
	{"log", "devices.log", "", copyLog},
}

// takeBundle answers with a copy. That it is taken is told first.
func (p *screen) takeBundle(w http.ResponseWriter, r *http.Request) {
	var given struct{ What string }
	err := site.Read(r, mostGiven, &given)
	at := slices.IndexFunc(copies, func(c copied) bool { return c.what == given.What })
	if err != nil || at < 0 {
		site.Answer(w, http.StatusBadRequest, answer{Error: `write it as {"what":"bundle"}, configuration or log`})
		return
	}
	done, still := p.alone(r.Context())
	if !still {
		return
	}
	defer done()
	name, kind, text, err := copies[at].make(r.Context(), p)
	if err != nil {
		said := p.Source().Cleaner()(terminal.Visible(err.Error()))
		site.Answer(w, http.StatusServiceUnavailable, answer{Error: said})
		return
	}
	if r.Context().Err() != nil { // the screen's session may be over
		return
	}
	p.Took(r.Context(), given.What)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	const piece = 64 << 10 // each has a time of its own to arrive
	for part := range slices.Chunk(text, piece) {
		if _, err := w.Write(part); err != nil {
			p.left(err)
			return
		}
	}
}

const plainText = "text/plain; charset=utf-8"

func makeBundle(ctx context.Context, p *screen) (name, kind string, text []byte, err error) {
	s := p.Source()
	text, _, err = MakeBundle(ctx, s)
	return s.FileName(), "application/gzip", text, err
}

func copyConfiguration(_ context.Context, p *screen) (name, kind string, text []byte, err error) {
	s := p.Source()
	text, err = securefile.Read(s.Ask.Config, strictyaml.MaxSize)
	if err == nil {
		text, _, err = config.Shown(text)
	}
	return named(s, "configuration.yaml"), plainText, []byte(s.Cleaner()(string(text))), err
}

func copyLog(_ context.Context, p *screen) (name, kind string, text []byte, err error) {
	s := p.Source()
	var b strings.Builder
	err = p.Ring.Write(&b)
	return named(s, "log.txt"), plainText, []byte(s.Cleaner()(b.String())), err
}

// named is a copy's name: of which table, and when.
func named(s BundleSource, name string) string {
	return strings.TrimSuffix(s.FileName(), ".tar.gz") + "-" + name
}
