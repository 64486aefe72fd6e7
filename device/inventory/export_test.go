package inventory

// ForKeys are the lines that a key may be on.
var ForKeys = forKeys
