package angeleye

// counter follows the numbers of reports and counts the gaps in them.
//
// It is uncertain which numbers there are: of the public programs, one assumes the digits 0 to 9, another 1 to 9. Both
// then start again, so the numbers do not reveal ten reports lost in a row. A counter finds out which of the two it is;
// numbers that are not digits run through all bytes.
type counter struct {
	last    byte
	begun   bool // last is set
	restart bool // the last number is that of a start, which the next report may have too
	wide    bool // a number was not a digit
	zero    bool // 0 was a report's number
	skips   bool // 9 was followed by 1
}

// start takes the number of the report with which a shoe restarts. It says nothing about which numbers there are.
func (c *counter) start(number byte) {
	c.last, c.begun, c.restart = number, true, true
}

// next takes the number of a new report, and returns how many are missing before it: at least so many, since there are
// few numbers. It returns false if the numbers went back, and the count is unknown.
func (c *counter) next(number byte) (missing int, counted bool) {
	before, begun, restart := c.last, c.begun, c.restart
	c.last, c.begun, c.restart = number, true, false
	c.wide = c.wide || !isDigit(number)
	c.zero = c.zero || number == '0'
	switch {
	case !begun, restart && number == before:
		return 0, true
	case c.wide || !isDigit(before):
		missing = int(number - before - 1)
		return missing, missing < 128
	}
	missing = between(before, number, c.ring())
	if before == '9' && number == '1' && !c.zero {
		c.skips = true
	}
	return missing, true
}

// expects says whether a number is the next one: nothing is missing before it.
func (c counter) expects(number byte) bool {
	missing, counted := c.next(number)
	return counted && missing == 0
}

// behind says how many places a number is before the last.
func (c *counter) behind(number byte) int {
	if c.wide || !isDigit(number) || !isDigit(c.last) {
		return int(c.last - number)
	}
	return (int(c.last) - int(number) + c.ring()) % c.ring()
}

// ring is how many different numbers there are. Until 0 has come or has been skipped once, there may be ten.
func (c *counter) ring() int {
	switch {
	case c.wide:
		return 256
	case c.skips && !c.zero:
		return 9
	default:
		return 10
	}
}

// between counts the numbers of a ring between two digits.
func between(before, number byte, ring int) int {
	return (int(number) - int(before) - 1 + 2*ring) % ring
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
