// Package guest is the hand inside an emulated board: a Server that runs in it, and the Client with which a test
// outside starts programs, presses keys, checks lamps and reads files. They use HTTP over the board's emulated network.
//
// The keys and lamps are lines of a Chip, which the kernel simulates. What is tested in the board itself, device/gpio
// and device/inventory, makes chips of its own:
//
//	CGO_ENABLED=0 go test -c -tags gpiosim ./device/gpio
//	./gpio.test -test.v -test.run '^TestKernel'
//
// Without a simulator these tests are not skipped: they fail.
package guest

import "time"

// The ports on which the board listens in its own network: the Server, and the way to the page of a table, which the
// table itself serves only to the board.
const (
	Port     = 7000
	PagePort = 7080
)

// Page is where a table in the board must serve its page.
const Page = "127.0.0.1:8080"

// Ready is what the board's console says once both ports are open.
const Ready = "the board is ready"

// Ended is how a program ended, and its output.
type Ended struct {
	Status   int
	Out, Err string
}

// chip asks for a simulated GPIO chip. Held are its lines that the kernel itself has, and under which name.
type chip struct {
	Label string
	Lines []string
	Held  map[string]string
}

// presence asks for a chip to vanish or to come back.
type presence struct {
	Label string
	There bool
}

// pull asks for a line to be pulled up or down and, if Hold is not zero, back after Hold.
type pull struct {
	Line string
	Up   bool
	Hold time.Duration
}
