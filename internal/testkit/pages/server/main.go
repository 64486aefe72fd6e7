// Command server serves samples of Sabot's pages, for their tests in a browser and for looking at a page while it is
// being worked on. Its first argument says which, and package pages what it prints and takes besides:
//
//	go run ./internal/testkit/pages/server floor -sample bad
package main

import (
	"log/slog"
	"os"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "shoe" { // which has no page
		if err := simulateShoe(); err != nil {
			slog.Error("the shoe ended", "err", err)
			os.Exit(1)
		}
		return
	}
	serveAll(map[string]Make{
		"table": sampleTable, "entry": sampleEntry, "walk": sampleWalk, "floor": sampleFloor, "figures": sampleFigures,
		"login": sampleLogin,
	})
}
