package command

import "github.com/sabot-table/sabot/internal/securefile"

// KeyFile is how a key's private half is kept at the pit.
var KeyFile = securefile.KeyKind{Make: "sabot key command NAME", User: "sabot-pit", Kept: "tables know its public half"}
