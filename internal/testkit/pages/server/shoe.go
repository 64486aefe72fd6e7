package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// simulateShoe is a simulated shoe for the tests of the first start: it prints where it is plugged in, and draws the
// cards that it is told, a line of them at a time.
func simulateShoe() error {
	shoe, err := shoesim.New(shoesim.Options{Listen: "127.0.0.1:0", Continuous: true, Seed: 1})
	if err != nil {
		return err
	}
	defer shoe.Close()
	fmt.Println(shoe.Path())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for name := range strings.FieldsSeq(lines.Text()) {
			c, err := card.Parse(name)
			if err != nil {
				return err
			}
			if err := shoe.DrawCard(c); err != nil {
				return err
			}
		}
		fmt.Println("drawn")
	}
	return nil
}
