// Agent is the last thing that an emulated board starts, and what a test outside speaks
// with. It runs until the board is switched off.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/sabot-table/sabot/sim-hardware/board/guest"
	"github.com/sabot-table/sabot/sim-hardware/gpiosim"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func serve() error {
	hand, err := net.Listen("tcp", fmt.Sprint(":", guest.Port))
	if err != nil {
		return err
	}
	page, err := net.Listen("tcp", fmt.Sprint(":", guest.PagePort))
	if err != nil {
		return err
	}
	go lead(page)
	fmt.Println(guest.Ready)
	s := guest.Server{Kernel: gpiosim.Usual, Console: os.Stdout}
	return http.Serve(hand, s.Handler())
}

// lead takes those who come in from outside to the table's page, which the table shows
// to the board alone.
func lead(from net.Listener) {
	for {
		outside, err := from.Accept()
		if err != nil {
			fmt.Fprintln(os.Stderr, "agent: the way to the page is closed:", err)
			return
		}
		inside, err := net.Dial("tcp", guest.Page)
		if err != nil { // no table runs
			outside.Close()
			continue
		}
		go carry(outside, inside)
		go carry(inside, outside)
	}
}

func carry(to, from net.Conn) {
	_, _ = io.Copy(to, from) // that it ends is all that matters
	to.Close()
	from.Close()
}
