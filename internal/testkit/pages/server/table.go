package main

import (
	"flag"
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// proofs are how supervisors and dealers are proven.
type proofs struct {
	supervisors authority.Proof
	dealers     authority.DealerProof
}

// sampleTable is a table's page. It takes the names of sample views, one a line, and answers each with "shown" or with
// what is wrong, and "holds" with the names of those that hold a round. Past rounds are always the same night's. With
// -live there is a real table behind the page, and the lines are played at it.
func sampleTable(set *flag.FlagSet) func(string) (Sample, error) {
	setup := set.String("live", "", "a transcript's setup line: serve a real table instead of samples")
	amounts := set.Bool("amounts", true, "whether stakes are entered with their amounts at a real table")
	language := set.String("language", "en", "what the table speaks")
	night := set.String("night", "",
		"a house whose past rounds are shown, instead of those with all the trouble; own are those of the real table")
	var proof proofs
	set.TextVar(&proof.supervisors, "proof", authority.None,
		"at a real table, how the supervisors anna and bruno are proven, whose PIN is 4711")
	set.TextVar(&proof.dealers, "dealers", authority.AtTheirWord,
		"at a real table, how the dealers d7 and d9 are proven, whose PINs are 2580 and badges 00417788 and 00ab99cc")
	return func(string) (Sample, error) {
		return tableOf(*setup, *language, *night, *amounts, proof)
	}
}

func tableOf(setup, language, night string, amounts bool, proof proofs) (Sample, error) {
	recall := displaytest.Rounds()
	if night != "" && night != ownNight {
		recall = displaytest.Night(night)
	}
	spoken, ok := display.BuiltIn().With(profile.Built().Words(), profile.Built().Shufflers()...).Speak(language)
	if !ok {
		return Sample{}, fmt.Errorf("-language %s: nobody speaks that", language)
	}
	o := web.Options{Language: spoken, Recall: recall, Houses: profile.Built(), Press: ignore}
	if setup == "" {
		page := web.New(o)
		return Sample{Handler: page.Handler(), Obey: newSamples(page).obey}, nil
	}
	return newLive(o, setup, amounts, night == ownNight, proof)
}

// ownNight says that the past rounds are those that were dealt at the real table.
const ownNight = "own"
