package figures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
)

// Signatures keeps who has signed which report: a store.Store. It is asked by several requests at once.
type Signatures interface {
	// SignedReports are the signatures under the report of a time, the first one first.
	SignedReports(ctx context.Context, from, until time.Time) ([]store.SignedReport, error)
	SignReport(context.Context, store.SignedReport) error
}

// signed is the text of a report that is signed: everything of it that a person could pay or be paid by.
type signed struct {
	Money  []taken          `json:"money"`
	Wrongs map[string]int64 `json:"wrongs,omitempty"`
}

// toSign is what there is to sign.
func (p *picture) toSign() signed {
	s := signed{Money: p.taken, Wrongs: map[string]int64{}}
	for _, c := range p.codes {
		s.Wrongs[c.code] = c.count
	}
	return s
}

// text is what is kept of it, and its digest what the page sends back: nobody signs what they have not seen.
func (s signed) text() (text, digest string, err error) {
	b, err := json.Marshal(s)
	sum := sha256.Sum256(b)
	return string(b), hex.EncodeToString(sum[:]), err
}

// mostChanged is how many changes a signature lists.
const mostChanged = 12

// since says what is otherwise now than in a report that was signed.
func (d drawing) since(was signed, is signed) (list []string) {
	known := slices.Clone(was.Money)
	find := func(in []taken, t *taken) taken {
		if at := slices.IndexFunc(in, func(o taken) bool { return t.same(&o) }); at >= 0 {
			return in[at]
		}
		return taken{}
	}
	for i := range is.Money {
		t := &is.Money[i]
		if !slices.ContainsFunc(known, func(o taken) bool { return t.same(&o) }) {
			known = append(known, *t)
		}
	}
	for i := range known {
		t := &known[i]
		a, b := find(was.Money, t), find(is.Money, t)
		if a.Rounds == b.Rounds && a.Void == b.Void && a.Staked == b.Staked && a.Given == b.Given && a.Due == b.Due &&
			a.Unknown == b.Unknown {
			continue
		}
		amount := func(t *taken) string { return d.in(known[i].Currency).price(t.won()) }
		list = append(list, d.with("pit.figures-changed", "name", d.takenName(t),
			"now", amount(&b), "was", amount(&a), "rounds", d.whole(b.Rounds), "before", d.whole(a.Rounds)))
	}
	for _, code := range slices.Sorted(maps.Keys(both(was.Wrongs, is.Wrongs))) {
		if a, b := was.Wrongs[code], is.Wrongs[code]; a != b {
			list = append(list, d.with("pit.figures-changed-wrong",
				"what", display.Capital(d.named("irregularity", code)), "now", d.whole(b), "was", d.whole(a)))
		}
	}
	if more := len(list) - mostChanged; more > 0 {
		list = append(list[:mostChanged], d.with("pit.figures-changed-more", "n", d.whole(int64(more))))
	}
	return list
}

func both(a, b map[string]int64) map[string]int64 {
	all := maps.Clone(b)
	if all == nil {
		all = map[string]int64{}
	}
	maps.Copy(all, a)
	return all
}

// signatureModel is who has signed, and what has changed since.
type signatureModel struct {
	Said    string
	Same    string
	Changed string
	List    []string
}

// signatures are those under the report.
func (d drawing) signatures(ctx context.Context, m *reportModel, p *picture) error {
	if d.options.Signatures == nil || !d.maySign() {
		return nil
	}
	is := p.toSign()
	_, digest, err := is.text()
	if err != nil {
		return err
	}
	list, err := d.options.Signatures.SignedReports(ctx, d.query.From, d.query.To)
	if err != nil {
		return err
	}
	mine := false
	for i := range list {
		one := &list[i]
		var was signed
		if err := json.Unmarshal([]byte(one.Report), &was); err != nil {
			return err
		}
		s := signatureModel{Said: d.with("pit.figures-signed-by", "name", d.signer(one), "time", d.moment(one.At))}
		if s.List = d.since(was, is); len(s.List) > 0 {
			s.Changed = d.say("pit.figures-changed-since")
		} else {
			s.Same, mine = d.say("pit.figures-same-since"), mine || one.Who == d.person.Name
		}
		m.Signatures = append(m.Signatures, s)
	}
	if mine { // nobody signs twice what is the same
		return nil
	}
	m.Sign = &signModel{
		Night: d.night.Format(time.DateOnly), Shift: d.shift, Seen: digest,
		AsksName: d.person.Name == "",
	}
	return nil
}

// signer names who has signed, with the role.
func (d drawing) signer(one *store.SignedReport) string {
	if role, ok := d.language.Lookup("people.role-" + one.Role); ok {
		return one.Who + " (" + role + ")"
	}
	return one.Who
}

// moment writes a time of the house's clock.
func (d drawing) moment(t time.Time) string {
	t = t.In(d.options.Day.Zone)
	return d.date(t) + " " + t.Format("15:04")
}

// maySign says whether what is asked for is the report of a shift, or of a gaming day: all of it, and nothing else.
func (a asked) maySign() bool {
	q := a.query
	return a.nights == 1 && q.Site == "" && q.Table == "" && q.Dealer == "" && q.House == "" && q.Wager == "" &&
		q.Code == ""
}

// signModel is what signing sends.
type signModel struct {
	Night, Seen string
	Shift       int
	// AsksName says that whoever signs must say their name: nobody was asked for it.
	AsksName bool
}

// asksToSign is what a page asks for.
type asksToSign struct {
	Night string `json:"night"`
	Shift int    `json:"shift"`
	Seen  string `json:"seen"`
	By    string `json:"by"`
}

const (
	longestAsked  = 4096
	longestSigner = 40
)

// posted reads what a page asks for.
func posted(r *http.Request, asks any) error {
	if !site.IsJSON(r) {
		return errors.New("it is no JSON")
	}
	return site.Read(r, longestAsked, asks)
}

// sign signs the report of a shift, as it was seen.
func (f *Figures) sign(w http.ResponseWriter, r *http.Request) {
	d := drawing{Figures: f, speaker: f.speaking(r)}
	if f.options.Signatures == nil {
		http.Error(w, d.say("pit.no-page"), http.StatusNotFound)
		return
	}
	var asks asksToSign
	err := posted(r, &asks)
	night, bad := time.ParseInLocation(time.DateOnly, asks.Night, f.options.Day.Zone)
	if err := errors.Join(err, bad); err != nil {
		f.options.Log.Warn("pit: a request to sign a shift report cannot be read, and nothing was signed: load the "+
			"page again",
			"from", r.RemoteAddr, "err", err)
		http.Error(w, d.say("pit.not-understood"), http.StatusBadRequest)
		return
	}
	d.asked = f.asked(night, 1, asks.Shift)
	by := f.options.who(r)
	if by.Name == "" {
		by.Name = signerName(asks.By)
	}
	switch {
	case by.Name == "":
		http.Error(w, d.say("pit.say-who"), http.StatusBadRequest)
	case d.shift != asks.Shift:
		http.Error(w, d.say("pit.not-understood"), http.StatusBadRequest)
	default:
		d.signFor(w, r, by, asks.Seen)
	}
}

func (d drawing) signFor(w http.ResponseWriter, r *http.Request, by people.Person, seen string) {
	p, err := d.look(r.Context(), d.query)
	if err != nil {
		d.unread(w, r, d.speaker, err)
		return
	}
	text, digest, err := p.toSign().text()
	switch {
	case err != nil:
	case p.all.Rounds == 0:
		http.Error(w, d.say("pit.figures-none"), http.StatusConflict)
		return
	case digest != seen:
		http.Error(w, d.say("pit.figures-not-seen"), http.StatusConflict)
		return
	default:
		err = d.options.Signatures.SignReport(r.Context(), store.SignedReport{
			Shift: d.shiftName(), From: d.query.From, Until: d.query.To, At: d.options.Now(), Who: by.Name,
			Role: by.Role.String(), Report: text,
		})
	}
	if err != nil {
		d.options.Log.Error("pit: a shift report could not be signed: it has no new signature; look at the "+
			"database, and sign again",
			"who", by.Name, "night", d.night.Format(time.DateOnly), "shift", d.shiftName(), "err", err)
		http.Error(w, d.say("people.store"), http.StatusServiceUnavailable)
		return
	}
	d.options.Log.Info("pit: a shift report was signed",
		"who", by.Name, "night", d.night.Format(time.DateOnly), "shift", d.shiftName())
	if d.options.Outcome != nil {
		d.options.Outcome(r, strings.TrimSpace(d.night.Format(time.DateOnly)+" "+d.shiftName()))
	}
	w.WriteHeader(http.StatusNoContent)
}

// signerName is a name as somebody has typed it: on one line, of what can be seen, and not too long.
func signerName(text string) string { return lineOf(text, longestSigner) }

// lineOf is a text as somebody has typed it, on one line.
func lineOf(text string, longest int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), longest)])
}
