//go:build !linux

package device

// silences is empty: only Linux has such buses.
var silences []error
