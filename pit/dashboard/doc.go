// Package dashboard serves the pit's pages: the floor, each table, what is wrong, and past rounds.
//
// They are drawn here, section by section, and kept true over a stream of Server-Sent Events, as the table's own page
// is: display/web has the styles, the felt and the pages of past rounds, and they are used from there. What is shown
// comes from a Floor, which is live, and from a Past, which is kept; who may see what is one table of routes.
package dashboard
