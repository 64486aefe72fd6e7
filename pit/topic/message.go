package topic

import (
	"encoding/json"
	"time"
)

// The reasons of a Status.
const (
	// ReasonConnected stands while the table is online.
	ReasonConnected = "connected"
	// ReasonShutDown is a table that was switched off properly.
	ReasonShutDown = "shut down"
	// ReasonLost is the last will: the table went without a word.
	ReasonLost = "connection lost"
)

// The codes of a Trouble.
const (
	// TroubleFailing is a journal that cannot be written.
	TroubleFailing = "storage-failing"
	// TroubleSlow is a write to the journal that has been under way for too long.
	TroubleSlow = "storage-slow"
)

// TypeUnreadable is the type of an Event whose line in the journal is not an output.
// Its data tell what is wrong: {"out":"unreadable","error":"…"}.
const TypeUnreadable = "unreadable"

// Status says whether a table is connected to the broker. A reader that knows a
// higher boot, or of the same boot a higher connection, passes over the message: it
// is the late last will of an earlier connection.
type Status struct {
	Site       string    `json:"site" kind:"name" doc:"The house or hall."`
	Table      string    `json:"table" kind:"name" doc:"The table's name within its site."`
	Online     bool      `json:"online" doc:"Whether the table is connected to the broker."`
	Reason     string    `json:"reason" enum:"connected,shut down,connection lost" doc:"Why the table is online or not."`
	Boot       uint64    `json:"boot" doc:"Number of the daemon's start."`
	Connection uint64    `json:"connection" doc:"Number of the connection within the boot, from 1."`
	Version    string    `json:"version" doc:"The daemon's version."`
	Time       time.Time `json:"time" doc:"When the message was made; in a last will, when the connection was."`
	Trouble    string    `json:"trouble,omitempty" enum:"storage-failing,storage-slow" doc:"Why the table cannot record and stands still; health says more. Missing while it can."`
	Commands   bool      `json:"commands,omitempty" doc:"Whether the table takes signed commands, by its configuration; health says which session they must name. Missing while it takes none."`
	Records    bool      `json:"records,omitempty" doc:"Whether the table says its records by itself, on records/stream; missing where they must be fetched."`
	Denied     []string  `json:"denied,omitempty" doc:"Topics of the table that the broker does not let it use, and that are left out until it does; sabot/v1/<site>/<table>/alert/+ stands for all alerts. Missing while there are none."`
}

// Signed is a command as it is sent: its signature, and what is signed. Package command reads it.
type Signed string

// Answer is what a table says of a command whose signature is right.
type Answer struct {
	Site   string    `json:"site" kind:"name" doc:"The house or hall."`
	Table  string    `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot   uint64    `json:"boot" doc:"Number of the daemon's start."`
	Time   time.Time `json:"time" doc:"When the message was made."`
	ID     string    `json:"id" kind:"id" doc:"The command's id; the answer to an outcome has that of the outcome itself."`
	What   string    `json:"what" kind:"type" doc:"What it was to do."`
	State  string    `json:"state" enum:"done,not-done,underway" doc:"done: carried out, and durable; not-done: not carried out, and it never will be; underway: it is being written, only as the answer to an outcome."`
	Record uint64    `json:"record,omitempty" kind:"positive" doc:"The record of the table's journal that has it, also if the rules refused it; missing for what is in none, such as a resend."`
	Reason string    `json:"reason,omitempty" kind:"type" doc:"Why it was not done: a refusal of pit/command/README.md, or a rejection as transcripts name it."`
	Text   string    `json:"text,omitempty" doc:"The reason in words."`
	Of     string    `json:"of,omitempty" kind:"id" doc:"In the answer to an outcome, the id of the command that was asked about: state, record and reason are that command's."`
}

// Commands is how a table that is open to commands does, as Health reports it.
type Commands struct {
	Session string `json:"session" kind:"id" doc:"The session that commands must name: random, and another one after each start."`
	Clock   uint64 `json:"clock" doc:"How long the session has lasted, in milliseconds."`
	Taken   uint64 `json:"taken" doc:"Commands that were taken in it."`
	Refused uint64 `json:"refused" doc:"Those that were refused."`
	Unread  uint64 `json:"unread" doc:"Those of the refused that nobody looked at: too many came at once."`
}

// State is the whole table as its dealer sees it.
type State struct {
	Site     string          `json:"site" kind:"name" doc:"The house or hall."`
	Table    string          `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot     uint64          `json:"boot" doc:"Number of the daemon's start."`
	Sequence uint64          `json:"sequence" doc:"The last event that the view contains; 0 before the first."`
	Time     time.Time       `json:"time" doc:"When the view came about."`
	View     json.RawMessage `json:"view" kind:"view" doc:"The view, as the table's displays draw it."`
}

// Alert is an irregularity that is not put right, or that nobody has acknowledged.
// Once both is done an empty message takes it off the broker.
type Alert struct {
	Site     string          `json:"site" kind:"name" doc:"The house or hall."`
	Table    string          `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot     uint64          `json:"boot" doc:"Number of the daemon's start."`
	Sequence uint64          `json:"sequence" doc:"The last event that the alert contains."`
	Time     time.Time       `json:"time" doc:"When the alert came to be so."`
	Code     string          `json:"code" kind:"type" doc:"The irregularity's name in transcripts."`
	Alert    json.RawMessage `json:"alert" kind:"alert" doc:"Since when it stands, how often it came, who put it right and who has acknowledged it."`
}

// Event is one output of the table's engine. Events of one table arrive in the
// order of their sequence; one may arrive twice, with the same id.
type Event struct {
	ID       string          `json:"id" doc:"The same for every copy of one event, and for no other event."`
	Site     string          `json:"site" kind:"name" doc:"The house or hall."`
	Table    string          `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot     uint64          `json:"boot" doc:"Number of the daemon's start that recorded the event."`
	Sequence uint64          `json:"sequence" kind:"positive" doc:"The event's number in the table's journal: 1, 2, 3, … without gaps over all boots. A reader that lacks some requests them: see request."`
	Time     time.Time       `json:"time" doc:"When the table took the input from which the event follows."`
	Type     string          `json:"type" kind:"type" doc:"The output's name in transcripts; \"unreadable\" for a line in the journal that is no output."`
	Round    uint64          `json:"round" doc:"The round to which the event belongs; 0 before the first."`
	Data     json.RawMessage `json:"data" kind:"data" doc:"The output as transcripts have it."`
}

// HealthEvery is the time between two healths of a table. A pit that misses three of them takes the table for offline.
const HealthEvery = 10 * time.Second

// Health says how the table's computer does.
type Health struct {
	Site        string    `json:"site" kind:"name" doc:"The house or hall."`
	Table       string    `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot        uint64    `json:"boot" doc:"Number of the daemon's start."`
	Version     string    `json:"version" doc:"The daemon's version."`
	Time        time.Time `json:"time" doc:"When the message was made."`
	Uptime      uint64    `json:"uptime_seconds" doc:"Seconds since the daemon started."`
	Shoe        Shoe      `json:"shoe" doc:"The card shoe."`
	Opening     *Opening  `json:"opening,omitempty" doc:"Whether the table is open, who deals, and the limits; missing before the table is set up."`
	Journal     Journal   `json:"journal" doc:"The table's journal, and how far the broker has it."`
	Computer    *Computer `json:"computer,omitempty" doc:"The table's computer, as far as its system tells; missing where it tells nothing."`
	MemoryBytes uint64    `json:"memory_bytes" doc:"Resident memory of the daemon; 0 where the system does not tell."`
	Goroutines  uint64    `json:"goroutines" doc:"Concurrent activities in the daemon; a steady rise is a leak."`
	LastError   *Fault    `json:"last_error,omitempty" doc:"The last thing that went wrong, if anything has since the start."`
	Commands    *Commands `json:"commands,omitempty" doc:"How the table does with commands; missing where it takes none."`
	Denied      []string  `json:"denied,omitempty" doc:"The same as in status."`
	Reasons     []string  `json:"reasons,omitempty" doc:"What is wrong with the table, by the codes of its page /health; missing while nothing is."`
}

// Computer is how a table's computer does, as Health reports it. What the system does not tell is nil.
type Computer struct {
	DiskFree     *uint64    `json:"disk_free_bytes,omitempty" doc:"Room that is left for the journal on its disk."`
	DiskSize     *uint64    `json:"disk_bytes,omitempty" doc:"Size of that disk."`
	JournalBytes *uint64    `json:"journal_bytes,omitempty" doc:"Size of the journal's files."`
	Celsius      *uint64    `json:"celsius,omitempty" doc:"The highest temperature that its sensors tell, in whole degrees Celsius."`
	Certificate  *time.Time `json:"certificate_until,omitempty" doc:"When the certificate ends by which the table's page is served; missing without one."`
}

// Request is what a reader sends that lacks events: the table publishes them again, with the
// bytes of the first time. Only what the broker has acknowledged before is sent again: the
// rest is on its way.
type Request struct {
	From uint64 `json:"from" kind:"positive" doc:"Sequence of the first event to send again."`
	To   uint64 `json:"to,omitempty" kind:"positive" doc:"Sequence of the last one; without it, the last that the broker has acknowledged. One request brings 10,000 events at the most."`
}

// Shoe is the link to the card shoe, as Health reports it.
type Shoe struct {
	Up bool `json:"up" doc:"Whether the link to the shoe stands."`
	// Counters are the driver's own, by name; nil for none.
	Counters map[string]uint64 `json:"counters" doc:"What the shoe's driver counts since the start, by name."`
	Port     string            `json:"port,omitempty" doc:"Where the shoe is plugged in, as the table's configuration says."`
	Maker    string            `json:"maker,omitempty" doc:"The make of the shoe that deals, or dealt last; missing before the first."`
	Serial   string            `json:"serial,omitempty" doc:"Its serial number; missing for a make that does not tell it."`
	Firmware string            `json:"firmware,omitempty" doc:"The version of its firmware; missing for a make that does not tell it."`
	Packs    string            `json:"packs,omitempty" doc:"The packs in it; missing if nobody said which."`
	LoadedBy string            `json:"loaded_by,omitempty" doc:"Who said which packs are in it."`
	// Queued is nil while it is not known.
	Queued     *uint64     `json:"queued,omitempty" doc:"Events in the shoe's own queue, which wait to be acknowledged; missing while the link is down, and for a make that keeps none."`
	Confidence *Confidence `json:"confidence,omitempty" doc:"How sure the shoe was of the cards that it read last; missing for a make that does not tell it."`
	LastDown   *Fault      `json:"last_down,omitempty" doc:"When and why the link was lost last; missing if it was not since the start."`
}

// Confidence is how sure a shoe was of so many cards that it read last, in percent.
type Confidence struct {
	Cards uint64 `json:"cards" doc:"How many cards these are: the last that could be read, at most 100."`
	Min   uint64 `json:"min" doc:"The lowest confidence among them, in percent."`
	Mean  uint64 `json:"mean" doc:"The mean confidence, in percent, rounded down."`
	Low   uint64 `json:"low" doc:"How many of them were below 80 percent."`
}

// Opening is whether a table is open, who deals there, and its limits, as Health reports it.
type Opening struct {
	Open     bool   `json:"open" doc:"Whether bets can be opened at the table."`
	By       string `json:"by,omitempty" doc:"The supervisor who opened or closed it last; missing if nobody has."`
	Dealer   string `json:"dealer,omitempty" doc:"Who deals; missing if nobody is signed in."`
	Currency string `json:"currency" doc:"The currency of the limits, such as EUR."`
	Min      uint64 `json:"min" doc:"The least main stake, in minor units."`
	BoxMax   uint64 `json:"box_max" doc:"The most that may lie on a box, all main stakes together, in minor units."`
}

// Journal is how far the table's record is, as Health reports it.
type Journal struct {
	LastSequence   uint64     `json:"last_sequence" doc:"The last event in the journal; 0 before the first."`
	LastEvent      *time.Time `json:"last_event,omitempty" doc:"When the last event was recorded."`
	Unacknowledged uint64     `json:"unacknowledged" doc:"Events that the broker has not acknowledged yet."`
	Head           *Head      `json:"head,omitempty" doc:"The last record: keep it as a witness, against which an auditor compares the journal."`
	Proof          string     `json:"proof,omitempty" doc:"The table's signature of head and last_sequence, by the key that seals its journal: 128 hexadecimal digits. With it the table knows its own word when the broker repeats it. Missing without such a key."`
	Away           uint64     `json:"away,omitempty" doc:"The last record of those that are in an archive, or gone: the journal's folder begins after it. Missing where it begins with its first record."`
	Began          *Began     `json:"began,omitempty" doc:"What the journal said when the daemon started: the pit compares it with the last word of the start before."`
	Trouble        *Trouble   `json:"trouble,omitempty" doc:"What keeps the table from recording now, from its memory; missing while nothing does."`
}

// Began is what a journal said when the daemon started.
type Began struct {
	Acknowledged uint64 `json:"acknowledged" doc:"The last event that the broker had, by the journal's word."`
	Away         uint64 `json:"away" doc:"What away was."`
}

// Trouble is what keeps a table from recording, while it does.
type Trouble struct {
	Code  string    `json:"code" enum:"storage-failing,storage-slow" doc:"storage-failing: the journal cannot be written; storage-slow: a write to it is under way for over a second."`
	Since time.Time `json:"since" doc:"When the write began that did not come through."`
	Text  string    `json:"text" doc:"What is wrong, where, and what to do."`
}

// Head is the last record of a journal, and the hash that covers everything up to it.
type Head struct {
	ID     string `json:"id" doc:"The journal's own name: 32 hexadecimal digits."`
	Record uint64 `json:"record" doc:"Number of the last record."`
	Hash   string `json:"hash" doc:"The record's hash: 64 hexadecimal digits."`
}

// Fault is something that went wrong, for a human to read.
type Fault struct {
	Time time.Time `json:"time" doc:"When it went wrong."`
	Text string    `json:"text" doc:"What went wrong, where, and what to do."`
}
