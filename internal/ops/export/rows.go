package export

// The rows of the tables. Every format takes its columns from these structs, by the names in
// their tags; docs/export.md says what they mean. The first column is the row's number, and
// a pointer or optional value may be missing.

type recordRow struct {
	Number     int64   `parquet:"number"`
	Time       Instant `parquet:"time,timestamp(nanosecond)"`
	Boot       int64   `parquet:"boot"`
	Round      int64   `parquet:"round"`
	ShoeBoot   *int64  `parquet:"shoe_boot"`
	ShoeSeq    *int64  `parquet:"shoe_seq"`
	FirstEvent int64   `parquet:"first_event"`
	Rules      *string `parquet:"rules"`
	Input      string  `parquet:"input"`
	Outputs    string  `parquet:"outputs"`
	TakenBack  *int64  `parquet:"taken_back"`
	Hash       string  `parquet:"hash"`
}

type eventRow struct {
	Number    int64   `parquet:"number"`
	Record    int64   `parquet:"record"`
	Time      Instant `parquet:"time,timestamp(nanosecond)"`
	Boot      int64   `parquet:"boot"`
	Round     int64   `parquet:"round"`
	Out       *string `parquet:"out"`
	Box       *int64  `parquet:"box"`
	Hand      *int64  `parquet:"hand"`
	Bettor    *string `parquet:"bettor"`
	Wager     *string `parquet:"wager"`
	Outcome   *string `parquet:"outcome"`
	Why       *string `parquet:"why"`
	Stake     *int64  `parquet:"stake"`
	Returned  *int64  `parquet:"returned"`
	Won       *int64  `parquet:"won"`
	Due       *int64  `parquet:"due"`
	Paid      *int64  `parquet:"paid"`
	OfRound   *int64  `parquet:"of_round"`
	Amount    *int64  `parquet:"amount"`
	Tray      *int64  `parquet:"tray"`
	Ratio     *string `parquet:"ratio"`
	Times     *int64  `parquet:"times"`
	Card      *string `parquet:"card"`
	GoesTo    *string `parquet:"goes_to"`
	Total     *int64  `parquet:"total"`
	Points    *int64  `parquet:"points"`
	Code      *string `parquet:"code"`
	TakenBack *int64  `parquet:"taken_back"`
	Line      string  `parquet:"line"`
}

type roundRow struct {
	Number      int64   `parquet:"number"`
	Began       Instant `parquet:"began,optional,timestamp(nanosecond)"`
	Ended       Instant `parquet:"ended,optional,timestamp(nanosecond)"`
	Void        bool    `parquet:"void"`
	House       *string `parquet:"house"`
	Currency    *string `parquet:"currency"`
	Dealer      *string `parquet:"dealer"`
	Shift       *string `parquet:"shift"`
	Bank        *string `parquet:"bank"`
	Total       *int64  `parquet:"total"`
	Staked      *int64  `parquet:"staked"`
	Returned    *int64  `parquet:"returned"`
	Won         *int64  `parquet:"won"`
	Paid        *int64  `parquet:"paid"`
	FirstRecord int64   `parquet:"first_record"`
	LastRecord  int64   `parquet:"last_record"`
	ShoeMaker   *string `parquet:"shoe_maker"`
	ShoeSerial  *string `parquet:"shoe_serial"`
	Firmware    *string `parquet:"shoe_firmware"`
	Packs       *string `parquet:"shoe_packs"`
}

// trayRow is something that was done to the tray: a count, a step of a slip, or chips that moved.
type trayRow struct {
	Number     int64   `parquet:"number"`
	Record     int64   `parquet:"record"`
	Time       Instant `parquet:"time,timestamp(nanosecond)"`
	Round      int64   `parquet:"round"`
	What       string  `parquet:"what"`
	Event      *string `parquet:"event"`
	Slip       *int64  `parquet:"slip"`
	Chips      *string `parquet:"chips"`
	For        *string `parquet:"for"`
	Amount     *int64  `parquet:"amount"`
	Tray       *int64  `parquet:"tray"`
	Difference *int64  `parquet:"difference"`
	Before     *int64  `parquet:"count_before"`
	Rounds     *int64  `parquet:"rounds"`
	Unknown    *int64  `parquet:"unknown"`
	Corrected  *int64  `parquet:"corrected"`
	Accepted   *int64  `parquet:"accepted"`
	Adjusted   *int64  `parquet:"adjusted"`
	Large      *int64  `parquet:"large"`
	Dealers    *string `parquet:"dealers"`
	Dealer     *string `parquet:"dealer"`
	By         *string `parquet:"by"`
	Reason     *string `parquet:"reason"`
}

type irregularityRow struct {
	Number       int64   `parquet:"number"`
	Record       int64   `parquet:"record"`
	Time         Instant `parquet:"time,timestamp(nanosecond)"`
	Round        int64   `parquet:"round"`
	Dealer       *string `parquet:"dealer"`
	Shift        *string `parquet:"shift"`
	Code         string  `parquet:"code"`
	Card         *string `parquet:"card"`
	Box          *int64  `parquet:"box"`
	Missing      *int64  `parquet:"missing"`
	Alarm        *string `parquet:"alarm"`
	Resolved     Instant `parquet:"resolved,optional,timestamp(nanosecond)"`
	ResolvedWith *string `parquet:"resolved_with"`
	ResolvedBy   *string `parquet:"resolved_by"`
	Reason       *string `parquet:"reason"`
	TakenBack    *int64  `parquet:"taken_back"`
}
