package audit

import (
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/rules"
)

// Kind says what is wrong, by a name that does not change: docs/audit.md explains each.
type Kind string

// The kinds of fault.
const (
	Chain      Kind = "chain"
	Missing    Kind = "missing"
	Seals      Kind = "seal"
	Code       Kind = "code"
	SetAside   Kind = "set-aside"
	Behind     Kind = "behind"
	Unseen     Kind = "unseen"
	Accepted   Kind = "accepted"
	Head       Kind = "head"
	Boots      Kind = "boot"
	Input      Kind = "input"
	Rules      Kind = "rules"
	Answer     Kind = "answer"
	Opinion    Kind = "second-opinion"
	Checkpoint Kind = "checkpoint"
	Round      Kind = "round"
	Column     Kind = "column"
	ShoeNumber Kind = "shoe-number"
	HoleCard   Kind = "hole-card"
)

// The kinds of remark: what an auditor should know, and what is no fault of the
// journal.
const (
	Clock        Kind = "clock"
	ForeignCard  Kind = "foreign-card"
	ShoeReused   Kind = "shoe-reused"
	NotSealed    Kind = "not-sealed"
	OwnKey       Kind = "own-key"
	NoAuditKey   Kind = "no-audit-key"
	NotWitnessed Kind = "not-witnessed"
	RoundOpen    Kind = "round-open"
	OtherVersion Kind = "other-version"
	Away         Kind = "away"
	OwnRules     Kind = "own-rules"
	PaidOther    Kind = "paid-otherwise"
	AdjustedPast Kind = "adjusted"
	DeadWager    Kind = "dead"
	TrayDiffers  Kind = "tray-difference"
	SlipUnderWay Kind = "slip-under-way"
)

// Kinds are all kinds of fault, the gravest first, and Remarks all kinds of remark.
var (
	Kinds = []Kind{
		Seals, Code, Head, SetAside, Behind, Unseen, Accepted, Missing, Chain, Boots, Input, Rules, Answer,
		Opinion, Checkpoint, Round, Column, ShoeNumber, HoleCard,
	}
	Remarks = []Kind{
		Clock, ForeignCard, ShoeReused, NotSealed, OwnKey, NoAuditKey, NotWitnessed, RoundOpen,
		OtherVersion, Away, OwnRules, PaidOther, AdjustedPast, DeadWager, TrayDiffers, SlipUnderWay,
	}
)

// Finding is a fault or a remark.
type Finding struct {
	Kind Kind `json:"kind"`
	// Round is 0 where it belongs to none, Record where it belongs to none.
	Round  uint64 `json:"round,omitempty"`
	Record uint64 `json:"record,omitempty"`
	// At is when the record was written, by its own word; zero for none.
	At time.Time `json:"at,omitzero"`
	// Boot is the start of the program in which it was written, and Program what ran.
	Boot    uint64 `json:"boot,omitempty"`
	Program string `json:"program,omitempty"`
	// What says it in a sentence.
	What string `json:"what"`
	// Input is what was put in, Recorded what was recorded to follow from it, and
	// Should what does follow, line by line in words: the lines that differ.
	Input    string   `json:"input,omitempty"`
	Recorded []string `json:"recorded,omitempty"`
	Should   []string `json:"should,omitempty"`
	// Rule names the rule of the game that was broken, by the second book; "" where it
	// sees none.
	Rule string `json:"rule,omitempty"`
	// Behind counts the records right behind that do not follow from their inputs
	// either: mostly they are the consequence.
	Behind int `json:"records_behind,omitempty"`
}

// mostFindings bounds how many faults of one kind are listed, and mostRemarks how many
// remarks; mostInRound how many faults of one kind in one round. The others are counted.
const (
	mostFindings = 50
	mostInRound  = 5
	mostRemarks  = 20
)

// Report is what an audit found.
type Report struct {
	Path    string `json:"journal"`
	ID      string `json:"id"`
	Records uint64 `json:"records"`
	Rounds  uint64 `json:"rounds"`
	// Unchecked counts the rounds that could not be played again.
	Unchecked uint64 `json:"rounds_unchecked"`
	// First and Last are the times of the first and of the last record.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	Boots int       `json:"boots"`
	Parts int       `json:"parts"`
	// Away are parts that were moved away, by the journal's own word, and were not checked.
	Away []uint64 `json:"away,omitempty"`
	// Houses are the rules that were in force, in order.
	Houses []House `json:"houses"`
	// Shoes are those that dealt, in the order in which they came, as far as they are known.
	Shoes  []Shoe `json:"shoes,omitempty"`
	Sealed Sealed `json:"seals"`
	Codes  Codes  `json:"codes"`
	// Witness says what of the pit's it was compared with; nil for nothing.
	Witness *Witness `json:"witness,omitempty"`
	// Head and Hash are the last record: to be noted where the administrator cannot
	// change it.
	Head uint64 `json:"head_record"`
	Hash string `json:"head_hash"`

	Faults      []*Finding `json:"faults"`
	MoreFaults  uint64     `json:"more_faults"`
	Remarks     []*Finding `json:"remarks"`
	MoreRemarks uint64     `json:"more_remarks"`
	// FaultyRounds counts the rounds with a fault, listed or not.
	FaultyRounds uint64 `json:"faulty_rounds"`

	lastFaulty uint64
	// dealing is the shoe that dealt last, by its place in Shoes.
	dealing int
	// inRound are the faults of the last faulty round, and listed those in the list.
	inRound, listed map[Kind]int
}

// House is a house whose rules were in force from a record on.
type House struct {
	Name        string `json:"house"`
	Fingerprint string `json:"fingerprint"`
	Record      uint64 `json:"record"`
}

// Sealed says how far the journal is sealed.
type Sealed struct {
	// Key is what the seals were checked against; nil where there are none.
	Key ed25519.PublicKey `json:"-"`
	// Line is the key as the auditor has it.
	Line string `json:"key,omitempty"`
	// Given says that the auditor gave the key. Otherwise it is the one that the
	// journal names, which whoever wrote the journal may have made.
	Given bool `json:"key_given"`
	// Seals counts them, and Record is the last record that a valid one covers, 0 for
	// none, At its time by the table's clock.
	Seals uint64 `json:"seals"`
	// Checked counts the signatures that were checked: each vouches for the seals before.
	Checked uint64    `json:"signatures_checked"`
	Record  uint64    `json:"covered_to_record"`
	Round   uint64    `json:"covered_to_round"`
	At      time.Time `json:"at,omitzero"`
}

// Codes says which lines have a code that only the table could make.
type Codes struct {
	// Given says that the auditor gave an audit key.
	Given bool `json:"key_given"`
	// Lines are those with a code, and Checked those whose code was checked and is the table's; a record with all that
	// belongs to it counts as one.
	Lines   uint64 `json:"lines"`
	Checked uint64 `json:"checked"`
}

// Well says that there is no fault, and that all could be checked.
func (r *Report) Well() bool { return len(r.Faults) == 0 && r.Unchecked == 0 }

// MarshalJSON writes the report with whether all is well.
func (r *Report) MarshalJSON() ([]byte, error) {
	type plain Report
	lists := *r
	lists.Faults, lists.Remarks = append([]*Finding{}, r.Faults...), append([]*Finding{}, r.Remarks...)
	return json.Marshal(struct {
		Well bool `json:"well"`
		plain
	}{r.Well(), plain(lists)})
}

// fault adds a fault, as far as there is room for it. It comes back nil where it is
// only counted.
func (r *Report) fault(f *Finding) *Finding {
	if r.listed == nil {
		r.listed, r.inRound = map[Kind]int{}, map[Kind]int{}
	}
	if f.Round != 0 && f.Round != r.lastFaulty {
		r.FaultyRounds++
		r.lastFaulty = f.Round
		clear(r.inRound)
	}
	if f.Round != 0 {
		r.inRound[f.Kind]++
	}
	if r.listed[f.Kind] >= mostFindings || f.Round != 0 && r.inRound[f.Kind] > mostInRound {
		r.MoreFaults++
		return nil
	}
	r.listed[f.Kind]++
	r.Faults = append(r.Faults, f)
	return f
}

// sort puts the gravest faults first: what says that the journal as a whole is not what
// was written, before what is wrong with one record.
func (r *Report) sort() {
	slices.SortStableFunc(r.Faults, func(a, b *Finding) int {
		return cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind))
	})
}

func (r *Report) remark(f *Finding) {
	if len(r.Remarks) >= mostRemarks {
		r.MoreRemarks++
		return
	}
	r.Remarks = append(r.Remarks, f)
}

// house notes the rules that are in force from a record on.
func (r *Report) house(record uint64, by *rules.Rules) {
	if n := len(r.Houses); n == 0 || r.Houses[n-1].Fingerprint != by.Fingerprint {
		r.Houses = append(r.Houses, House{by.House, by.Fingerprint, record})
	}
}
