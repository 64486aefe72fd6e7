package command

import "github.com/sabot-table/sabot/internal/keyfile"

// KeyFile is how a key's private half is kept at the pit.
var KeyFile = keyfile.Kind{Make: "sabot key command NAME", User: "sabot-pit", Kept: "tables know its public half"}
