package shoesim

// line is what a shoe is plugged into.
type line interface {
	// read waits for bytes from the host. An error means that the line has ended.
	read(p []byte) (int, error)
	// send sends bytes to the host. It never waits: what does not fit is lost.
	send(p []byte) error
	// hosted says whether a host has the line open, as far as this side can tell.
	hosted() bool
	// close removes the line; a host that has it open sees it vanish.
	close() error
}
