package login

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/sabot-table/sabot/pit/people"
)

// noting writes into the log who changes what on the site's pages, and with what success.
func (d *Door) noting(site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			site.ServeHTTP(w, r)
			return
		}
		by, known, err := d.actor(r)
		if err != nil || !known {
			site.ServeHTTP(w, r) // which lets nobody do anything
			return
		}
		answered := &outcome{ResponseWriter: w, status: http.StatusOK}
		site.ServeHTTP(answered, r)
		detail := asked(r).outcome
		if answered.status >= http.StatusBadRequest {
			detail = strconv.Itoa(answered.status) + " " + http.StatusText(answered.status)
			if !d.paces.refusals.First(refusal{by.Name, by.From, detail}) {
				return // it is counted, and on record with the others like it
			}
		}
		// It is done: that the browser has left does not keep it out of the log.
		if err := d.o.People.Note(context.WithoutCancel(r.Context()), by, people.Acted, r.URL.Path,
			detail); err != nil {
			d.o.Log.Error("pit: what somebody did could not be written to the log: it is noted here alone; look at "+
				"the database",
				"who", by.Name, "what", r.Method+" "+r.URL.Path, "outcome", detail, "err", err)
		}
	})
}

// Note writes into the log what the person of a request is about to do on the site's pages.
func (d *Door) Note(r *http.Request, about, detail string) error {
	by, known, err := d.actor(r)
	if err != nil || !known {
		return errors.Join(errors.New("the request has no session"), err)
	}
	return d.o.People.Note(r.Context(), by, people.Acted, about, detail)
}

// actor is who does what a request asks for, as the log names them.
func (d *Door) actor(r *http.Request) (by people.Actor, known bool, err error) {
	who, known, err := d.present(r, false)
	switch {
	case err != nil:
		return by, false, err
	case known:
		by = who.Actor()
	default:
		by.Name = d.o.Strangers
	}
	by.From = From(r)
	return by, by.Name != "", nil
}

// Outcome adds to the log's entry for a request, which is made when it is over, how it ended.
func (d *Door) Outcome(r *http.Request, detail string) { asked(r).outcome = detail }

// outcome remembers how a request was answered.
type outcome struct {
	http.ResponseWriter
	status int
}

// WriteHeader remembers the status.
func (o *outcome) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a ResponseController reach the connection.
func (o *outcome) Unwrap() http.ResponseWriter { return o.ResponseWriter }
