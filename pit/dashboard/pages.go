package dashboard

import "net/http"

// Page is a page of another part of the pit, such as the figures: it draws itself, and who may ask for it is said here.
type Page struct {
	// Path is a pattern of http.ServeMux, without a method: pages are only looked at.
	Path string
	// Least is who may see it: this role, and those that include it.
	Least Role
	Serve http.HandlerFunc
}

// pages are the routes of the other parts' pages. As on every page, the address may choose the screen's language.
func (d *Dashboard) pages() (list []route) {
	for _, p := range d.options.Pages {
		list = append(list, route{http.MethodGet, p.Path, p.Least, true, d.choosing(p.Serve)})
	}
	return list
}
