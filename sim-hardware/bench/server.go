package bench

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe/card"
)

// Path is the bench's path, with everything else below it.
const Path = "/bench"

// maxBody bounds what is posted, in bytes: a scenario may be long.
const maxBody = 64 << 10

// Routes are the bench's pages: the page at /bench, its stream at /bench/events,
// its assets; and what a person does, posted as JSON.
func (b *Bench) Routes() []site.Row {
	all := &rows{}
	all.get(Path, b.document)
	all.get(Path+"/events", b.events)
	all.get(Path+"/assets/{name}", files.Serve)
	all.post(Path+"/dealer", taking(func(ctx context.Context, in struct{ Deal bool }) error {
		if in.Deal {
			return b.HandBack(ctx)
		}
		return b.TakeOver(ctx)
	}))
	all.post(Path+"/shoe", taking(func(ctx context.Context, in struct{ Steps string }) error {
		return b.Shoe(ctx, in.Steps)
	}))
	all.post(Path+"/script", taking(func(ctx context.Context, in struct{ Text string }) error {
		return b.Play(context.WithoutCancel(ctx), in.Text)
	}))
	all.post(Path+"/script/stop", taking(func(context.Context, struct{}) error {
		b.Stop()
		return nil
	}))
	all.post(Path+"/keys", taking(func(_ context.Context, in struct {
		How  string
		Keys []string
		// Held is how many milliseconds the finger was on what it releases.
		Held uint32
	},
	) error {
		if in.How == "up" {
			return b.LetGo(time.Duration(in.Held)*time.Millisecond, in.Keys...)
		}
		return b.Keys(in.How, in.Keys...)
	}))
	all.post(Path+"/right", taking(func(ctx context.Context, in struct{ With, Card string }) error {
		named, err := parseNamed(in.Card)
		if err != nil {
			return err
		}
		return b.PutRight(ctx, in.With, named)
	}))
	if b.o.Practice != nil {
		b.practising(all)
	}
	return *all
}

// rows are routes of the bench. Whoever may do everything at the table may see them.
type rows []site.Row

func (r *rows) add(method, path string, page bool, serve http.HandlerFunc) {
	*r = append(*r, site.Row{
		Method: method, Path: path, Least: web.Own, Most: maxBody, Page: page, Serve: guard(serve),
	})
}

func (r *rows) get(path string, serve http.HandlerFunc) { r.add(http.MethodGet, path, false, serve) }

func (r *rows) page(path string, serve http.HandlerFunc) { r.add(http.MethodGet, path, true, serve) }

func (r *rows) post(path string, serve http.HandlerFunc) { r.add(http.MethodPost, path, false, serve) }

// parseNamed reads the card that a person names, None for none.
func parseNamed(name string) (card.Card, error) {
	if name == "" {
		return card.None, nil
	}
	return card.ParseFace(name)
}

// answer is the answer to a post.
type answer struct {
	// Error is why it was not done, and what to do.
	Error string `json:"error,omitempty"`
}

// taking reads what is posted, does it, and answers 200 if it was done, 409 if not, 400 if it cannot be read.
func taking[T any](do func(context.Context, T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !site.IsJSON(r) {
			site.Answer(w, http.StatusUnsupportedMediaType, answer{sayJSON})
			return
		}
		var in T
		if err := site.Read(r, maxBody, &in); err != nil {
			site.Answer(w, http.StatusBadRequest, answer{err.Error()})
			return
		}
		if err := do(r.Context(), in); err != nil {
			site.Answer(w, http.StatusConflict, answer{err.Error()})
			return
		}
		site.Answer(w, http.StatusOK, answer{})
	}
}

func (b *Bench) document(w http.ResponseWriter, _ *http.Request) { b.send(w, site.HTML, b.page) }

// send sends a page, or something else of another media type.
func (b *Bench) send(w http.ResponseWriter, kind string, draw func() ([]byte, error)) {
	page, err := draw()
	switch {
	case errors.Is(err, errNoSuchPage):
		http.Error(w, "There is no such page at the bench.", http.StatusNotFound)
		return
	case err != nil:
		b.o.Log.Error("bench: the page could not be drawn; report this", "err", err)
		http.Error(w, "The page could not be drawn: "+err.Error(), http.StatusInternalServerError)
		return
	}
	site.Send(w, http.StatusOK, kind, page)
}
