// Package site is the kit under every site of Sabot's: the table's, its guests', its settings', the bench's and the
// pit's. A Site is made of rows, one for each thing that a program answers, and a Server serves a Site and nothing
// else, so that a page without a row cannot be mounted. With it come what every page begins with: its embedded files,
// under addresses that a browser may keep for good, the languages among which a screen may choose, and the stream that
// keeps it true.
//
// Every session with a site is made of the token that a browser keeps in a cookie, its hash (SessionID), which is all
// that a site keeps of it, and the requests that last no longer than the session (LiveRequests). Who has one, since when
// and until when, each site keeps itself: a table a screen's for good, in a file, and the pit a person's, in its
// database.
package site
