// Package simtest is a table in bad weather: shoes, a dealer with players, a supervisor, a disk, a broker and a pit,
// all simulated, around a table under test, in the virtual time of testing/synctest. A script says which faults happen
// and when; after each storm checkers ask whether anything was lost, doubled or kept silent. README.md describes it.
package simtest
