// Agent is the last thing that an emulated board starts; tests outside communicate with it. It runs until the board is
// switched off.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/sabot-table/sabot/internal/testkit/board/guest"
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
	s := guest.Server{Kernel: guest.UsualKernel, Console: os.Stdout}
	return http.Serve(hand, s.Handler())
}

// lead forwards connections from outside to the table's page, which the table shows only to the board.
func lead(from net.Listener) {
	for {
		outside, err := from.Accept()
		if err != nil {
			fmt.Fprintln(os.Stderr, "agent: the connection to the page is closed:", err)
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
	_, _ = io.Copy(to, from) // only its end matters
	to.Close()
	from.Close()
}
