package authority

// Place is where a PIN is entered or a badge is read: the name of a screen on the network, or Own.
type Place string

// Own is a screen of the table's own computer. What happens at other screens never locks anybody out there, so that
// there is always a way to put a round right.
const Own Place = ""
