package dashboard

import (
	"net/http"

	"github.com/sabot-table/sabot/pit/people"
)

// Page is a page of another part of the pit, such as the figures: it draws itself, and who may ask for it is said here.
type Page struct {
	// Path is a pattern of http.ServeMux, without a method; that is GET if it is not named.
	Method, Path string
	// Least is who may see it: this role, and those that include it.
	Least people.Role
	Serve http.HandlerFunc
}

// pages are the routes of the other parts' pages. As on every page, the address may choose the screen's language.
func (d *Dashboard) pages() (list []route) {
	for _, p := range d.options.Pages {
		one := route{http.MethodGet, p.Path, p.Least, true, d.choosing(p.Serve)}
		if p.Method != "" && p.Method != http.MethodGet {
			one.method, one.serve = p.Method, p.Serve
		}
		list = append(list, one)
	}
	return list
}
