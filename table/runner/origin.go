package runner

import "github.com/sabot-table/sabot/table/vocab"

// The origins of what no person puts in. Each is shared by all its inputs: a card costs none
// of its own.
var (
	byShoe          = &vocab.Origin{From: vocab.FromShoe}
	byConfiguration = &vocab.Origin{From: vocab.FromConfiguration}
	byProgram       = &vocab.Origin{From: vocab.FromProgram}
)
