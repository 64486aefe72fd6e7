package main

import (
	"log/slog"
	"net"
	"testing"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// freeAddress returns a loopback address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
