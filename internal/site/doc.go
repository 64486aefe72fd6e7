// Package site is the kit under every site of Sabot's: the table's, its guests', its settings', the bench's and the
// pit's. A Site is made of rows, one for each thing that a program answers, and a Server serves a Site and nothing
// else, so that a page without a row cannot be mounted. With it come what every page begins with: its embedded files,
// under addresses that a browser may keep for good, the languages among which a screen may choose, and the stream that
// keeps it true.
//
// # Sessions
//
// Every session with a site is made of the token that a browser keeps in a cookie, its hash (SessionID), which is all
// that a site keeps of it, and the requests that last no longer than the session (LiveRequests). Who has one, since
// when and until when, each site keeps itself: a table a screen's for good, in a file, and the pit a person's, in its
// database.
//
// # Templates
//
// They are written like those of html/template, with no more of its language than a page needs, and compiled once for
// the types of their models: filling one looks no name up and allocates nothing.
//
//	{{.Field}} {{.}}  a text, a number, a bool or Markup
//	{{text "key"}}    a text of the dealer's language
//	{{cut}}           a Cut
//	{{if .Field}} {{with}} {{range}} {{else}} {{end}} {{template "name" .Field}}
//
// There is one way to write a value. All texts are escaped, for where they stand between tags and in quoted attributes
// alike; only what is Markup by its type stands as it is. That this is right for each place in the templates,
// display/web's tests ask html/template, which works out what a place takes.
//
// # Limits
//
// Those who are on the network cannot use a server up: a Listener bounds how many connections there are, a Rate how
// often somebody asks, and Bursts how often the same thing is told. Each holds a bounded amount of memory, whoever
// calls it and however often. The table's own screen has connections in reserve that nothing on the network can take.
//
// Nor can those whom a program asks itself, such as a push service or a provider of identities: a Client takes no more
// from them than it wants, since whoever answers there may be anybody.
//
// # Certificates
//
// A Certificate is what a page is served with over TLS: as its files have it, so that replacing it needs no restart.
package site
