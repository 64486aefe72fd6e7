package practice

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Step is what a dealer does next with a hole card on the table.
type Step uint8

// The steps.
const (
	StepOffer Step = iota + 1
	StepLook
	StepPlay
	StepTurn
)

var stepNames = plaintext.Enum[Step]{StepOffer: "offer", StepLook: "look", StepPlay: "play", StepTurn: "turn"}

// String returns the step's name in results.
func (s Step) String() string { return stepNames.Name(s) }

// Steps are all of them.
func Steps() []Step { return []Step{StepOffer, StepLook, StepPlay, StepTurn} }

// What the hole card's exercises are about.
const (
	holeOffer     = "hole/offer"
	holeLook      = "hole/look"
	holeNoLook    = "hole/no-look"
	holeLooked    = "hole/looked"
	holeBlackJack = "hole/black-jack"
	holeTurn      = "hole/turn"
)

func holeTopics(house *rules.Rules) (all []string) {
	if !house.Bank.HasHole() {
		return nil
	}
	all = []string{holeNoLook, holeTurn}
	ace, ten := house.Bank.LooksUnder(card.Ace), house.Bank.LooksUnder(card.Ten)
	if ace || ten {
		all = append(all, holeLook, holeLooked, holeBlackJack)
	}
	if house.Insurance.Offered || house.Insurance.EvenMoney || house.SurrendersFirst() {
		all = append(all, holeOffer)
	}
	return all
}

// askHole asks what comes next, from the hole card's deal until the first call, and when the last box has played.
func askHole(house *profile.House, _ ID) func(moment) []Exercise {
	var was vocab.To
	return func(m moment) []Exercise {
		before, due := was, m.table.Due().To
		was = due
		step, about := nextStep(m, before)
		if due == before || step == 0 {
			return nil
		}
		v := m.view()
		v.Phase, v.Due, v.Bank.Active = vocab.Deal, display.Due{}, false
		for i := range v.Boxes {
			v.Boxes[i].Offers = nil
			for k := range v.Boxes[i].Hands {
				v.Boxes[i].Hands[k].Active = false
			}
		}
		return []Exercise{{
			Shows: v, Right: Answer{Step: step}, About: about,
			Rules: append(rulesAt(house, "bank.hole_card", "insurance.offered", "surrender"),
				written(house, holeKeys)...),
		}}
	}
}

// holeKeys are the keys besides that decide it in a house that writes them.
var holeKeys = []string{"insurance.tens", "surrender_only.late", "surrender_only.not_against_ace"}

// nextStep is the step that is due after another one, and why; 0 where it is none of these.
func nextStep(m moment, before vocab.To) (Step, string) {
	switch due := m.table.Due().To; due {
	case vocab.ToInsurance:
		return StepOffer, holeOffer
	case vocab.ToLook:
		return StepLook, holeLook
	case vocab.ToTurn:
		if m.table.HoleSeen() == vocab.HoleBlackJack {
			return StepTurn, holeBlackJack
		}
		return StepTurn, holeTurn
	case vocab.ToCall:
		switch before {
		case vocab.ToLook:
			return StepPlay, holeLooked
		case vocab.ToHole, vocab.ToInsurance:
			return StepPlay, holeNoLook
		}
	}
	return 0, ""
}
