//go:build !race

package main

import "testing"

// plain is the program as it is shipped.
func plain(t *testing.T) string { return binary(t) }
