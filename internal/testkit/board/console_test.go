package board

import (
	"context"
	"fmt"
	"testing"
)

func TestConsole(t *testing.T) {
	c := newConsole()
	shown := make(chan error)
	go func() { shown <- c.Await(t.Context(), "board is ready") }()
	fmt.Fprint(c, "the board ")
	fmt.Fprint(c, "is ready\n")
	if err := <-shown; err != nil || c.String() != "the board is ready\n" {
		t.Errorf("it shows %q, %v", c.String(), err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Await(ended, "another board"); err == nil {
		t.Error("it showed what it does not")
	}
}
