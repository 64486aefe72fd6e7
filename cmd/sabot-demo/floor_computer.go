//go:build !onetable

package main

import (
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
)

// Which tables of the floor the technician should see to, by their number.
const (
	certificateEnds = 4
	runsHot         = 9
)

// simulatedComputer is the small computer of a table: its disk, its temperature, and the certificate of a page that it
// would serve to the network. The size of the journal is the true one.
func simulatedComputer(at int, began time.Time) func(*health.Computer) {
	const gigabyte, day = 1 << 30, 24 * time.Hour
	number := at + 1
	size, free := uint64(29*gigabyte), uint64(24-number%5)*gigabyte
	until := began.Add(time.Duration(120+17*number) * day).Truncate(day)
	if number == certificateEnds {
		until = began.Add(12 * day).Truncate(day)
	}
	return func(c *health.Computer) {
		celsius := uint64(43 + 5*number%11)
		if number == runsHot {
			celsius = 73
		}
		left := free
		if c.JournalBytes != nil {
			left -= min(left, *c.JournalBytes)
		}
		c.DiskSize, c.DiskFree, c.Celsius, c.Certificate = &size, &left, &celsius, &until
	}
}
