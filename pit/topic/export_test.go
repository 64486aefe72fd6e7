package topic

// Update says that files are to be written anew.
var Update = update
