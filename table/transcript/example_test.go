package transcript_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

// A round that somebody has written down is played again: what follows from each line is
// written as lines, the same bytes each time.
func ExampleReplay() {
	const round = `{"in":"setup","house":"wiesbaden"}
{"in":"open"}
{"in":"stake","box":1,"bettor":"anna","wager":"main","amount":2000}
{"in":"close"}
{"in":"card","card":"AS"}
{"in":"card","card":"9D"}
{"in":"card","card":"KH"}
{"in":"paid"}
`
	err := transcript.Replay(strings.NewReader(round), transcript.NewParser(profile.Built()), os.Stdout)
	if err != nil {
		fmt.Println(err)
	}

	// Output:
	// {"out":"opened","round":1}
	// {"out":"closed-bets"}
	// {"out":"due","to":"box","box":1,"hand":1}
	// {"out":"dealt","card":"AS","to":"box","box":1,"hand":1,"total":11,"soft":true}
	// {"out":"due","to":"bank"}
	// {"out":"dealt","card":"9D","to":"bank","total":9,"soft":false}
	// {"out":"due","to":"box","box":1,"hand":1}
	// {"out":"dealt","card":"KH","to":"box","box":1,"hand":1,"total":21,"soft":true}
	// {"out":"done","box":1,"hand":1,"why":"blackjack"}
	// {"out":"settled","box":1,"bettor":"anna","wager":"main","hand":1,"outcome":"win","why":"blackjack","stake":2000,"returned":2000,"won":3000}
	// {"out":"round","round":1,"bank":["9D"],"bank_total":9,"staked":2000,"returned":2000,"won":3000}
	// {"out":"due","to":"payment"}
	// {"out":"finished","round":1}
	// {"out":"due","to":"nothing"}
}

// A line is an input of the engine. One that says what it may not is refused, with its
// place.
func ExampleParser_Parse() {
	p := transcript.NewParser(profile.Built())
	in, err := p.Parse([]byte(`{"in":"call","call":"split","t":"2026-11-22T20:15:00Z"}`), 6)
	fmt.Println(in.Kind, in.Call, in.Time, err)

	_, err = p.Parse([]byte(`{"in":"call","call":"hit"}`), 7)
	var wrong *transcript.Error
	fmt.Println(errors.As(err, &wrong), wrong.Line, wrong.Column)

	// Output:
	// call split 1795378500000000000 <nil>
	// true 7 21
}
