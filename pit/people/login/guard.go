package login

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// asking is what is found out about a request.
type asking struct {
	// from is the address of who asks, without port.
	from string
	// secure says that nobody on the way can read along.
	secure bool
	// who asks, once somebody wanted to know.
	who *people.Present
	// outcome is how it ended, for the log; "" where the answer's status says it all.
	outcome string
}

type askingKey struct{}

// asked is what the guard found out.
func asked(r *http.Request) *asking {
	if a, ok := r.Context().Value(askingKey{}).(*asking); ok {
		return a
	}
	return &asking{}
}

// From is the network address of who asks, as the trusted proxies say.
func From(r *http.Request) string { return asked(r).from }

// guard refuses what does not come from the pit's own pages, and what others could read.
func (d *Door) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Protect(w, r)
		a := d.ask(r)
		if a.secure {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch {
		case !written(r):
			http.Error(w, d.speaking(r).With("pit.not-understood"), http.StatusBadRequest)
		case d.public != nil && !strings.EqualFold(r.Host, d.public.Host):
			http.Error(w, d.speaking(r).With("people.other-address",
				"address", d.public.String()), http.StatusMisdirectedRequest)
		case !a.secure && !(site.Loopback(a.from) && site.Loopback(r.Host)):
			http.Error(w, d.speaking(r).With("people.only-https"), http.StatusForbidden)
		case site.FromElsewhere(r) || site.NotOf(r, a.secure):
			http.Error(w, d.speaking(r).With("pit.only-own"), http.StatusForbidden)
		default:
			// Only once all of it is there is anybody asked whether their session lasts, and what their role is.
			if status, err := site.Whole(w, r, site.LongestBody, site.BodyWithin); err != nil {
				d.o.Log.Debug("pit: a request was not sent to its end", "what", r.Method+" "+r.URL.Path, "from", a.from,
					"err", err)
				http.Error(w, d.speaking(r).With("pit.not-understood"), status)
				return
			}
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askingKey{}, a)))
		}
	})
}

// written says whether an address is text: others no page has, and a database may refuse to look for.
func written(r *http.Request) bool {
	asked, err := url.QueryUnescape(r.URL.RawQuery)
	return err == nil && isText(r.URL.Path) && isText(asked)
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// ask finds out who asks, and how. The last proxy is the one that asks us; each says who
// asked it, and so on, until one is not ours: everything before that may be invented.
func (d *Door) ask(r *http.Request) *asking {
	a := &asking{from: site.NameOf(r.RemoteAddr), secure: r.TLS != nil}
	if d.trusted(a.from) {
		a.secure = lastOf(r.Header.Values("X-Forwarded-Proto")) == "https"
		for _, one := range slices.Backward(listed(r.Header.Values("X-Forwarded-For"))) {
			ip, err := netip.ParseAddr(site.NameOf(one))
			if err != nil {
				break
			}
			if a.from = ip.Unmap().WithZone("").String(); !d.trusted(a.from) {
				break
			}
		}
	}
	return a
}

func (d *Door) trusted(address string) bool {
	ip, err := netip.ParseAddr(address)
	ip = ip.Unmap().WithZone("")
	return err == nil && slices.ContainsFunc(d.o.Proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// listed are the parts of a header that may come several times, with commas in each.
func listed(values []string) (all []string) {
	for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

func lastOf(values []string) string {
	all := listed(values)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}
