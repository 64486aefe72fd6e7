// Package replica is the pit's ear: it hears every table of a site over MQTT, feeds the live model of the
// floor, and fetches from the tables' journals what the store lacks.
//
// Tables say their records by themselves, and what is lost of them is fetched. The floor shows what follows from them,
// as they come. So live operation, a gap, a day's absence and an empty store are the same: the store is behind a table,
// and the table is asked for the records after the last that the store has. The pit may be killed at any time, and
// the broker may lose what it likes.
//
// A Table follows one table by its records: as its own program has it, by the table's own engine, display and totals.
// It knows no broker and no clock.
package replica
