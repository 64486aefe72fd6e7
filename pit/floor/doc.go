// Package floor is the live model of a floor: what stands at each table, and the alerts that wait for
// somebody. What tables say of themselves, and each as its records have it, comes in with the time at which it was
// heard; tiles and alerts come out. [Findings] says what needs a technician: of all tables' computers, shoes and links,
// what is wrong, where, and how urgent it is; it looks at no Floor. The package is pure but for a mutex: no clock, no
// network, no store. Who runs it calls [Floor.Tick] about once a second.
//
// A table's own rules of order hold: a late last will, and a heartbeat that the broker has kept since yesterday, change
// nothing. An alert is latched: it stays until it is put
// right and a named person has seen it, at the table or here.
package floor
