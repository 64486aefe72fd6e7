package transcript

import (
	"fmt"
	"hash/crc32"

	"github.com/sabot-table/sabot/table/vocab"
)

// The compact form of a transcript: the same inputs in a tenth of the space, and
// read three times as fast. docs/compact.md describes it to the byte; numbers and
// meanings in it are fixed as names are in JSON.
//
// To carry a new field, make its part and put it at the end of the optional ones of
// its kinds; to carry a new kind, add its layout. Nothing else here changes.
const (
	// magic begins a compact transcript. No text does: its first byte is none of
	// ASCII and no beginning of UTF-8. Its line feed does not survive a transfer
	// that changes line endings.
	magic = "\x89SABOT\n"
	// version is the byte after it.
	version = 1

	// frameSize is what stands before a block's records: length, lines, checksum.
	frameSize = 16
	// fullBlock is the length from which on the encoder closes a block, maxBlock the
	// most that a block may have: a full block and the longest input.
	fullBlock, maxBlock = 32 << 10, 128 << 10

	// The first byte of a record: the number of its kind, and what follows.
	kindBits     = 0x3F
	withTime     = 0x40
	withOptional = 0x80
	// emptyLines is the record that stands for lines with nothing on them.
	emptyLines    = 0
	maxEmptyLines = 1<<16 - 1
)

// castagnoli is the polynomial of the blocks' checksums, CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// layout is how the inputs of a kind are written.
type layout struct {
	// number stands for the kind, and for no other ever.
	number uint8
	kind   vocab.InputKind
	// required are the fields of every input of the kind, and optional those that
	// it may have, each with the bit of its place. New ones come at the end of
	// optional.
	required, optional []part
}

var layouts = []layout{
	{1, vocab.InSetup, []part{pHouse}, []part{pCurrency, pMin, pBoxMax, pUnit, pDecks, pBoxes, pCalls, pJackpot, pProfile, pKeysApart}},
	{2, vocab.InShoe, []part{pEvent}, []part{pMissing, pCode}},
	{3, vocab.InOpen, nil, nil},
	{4, vocab.InStake, []part{pBox, pBettor, pWager}, []part{pAmount, pSeated, pPlayer}},
	{5, vocab.InClose, nil, nil},
	{6, vocab.InCard, []part{pCard}, nil},
	{7, vocab.InCall, []part{pCall}, []part{pBox, pBettor, pAmount, pBettors}},
	{8, vocab.InUndo, nil, nil},
	{9, vocab.InResolve, []part{pWith}, []part{pBy, pCard, pRole, pReason}},
	{10, vocab.InPaid, nil, []part{pBox, pAmount}},
	{11, vocab.InAcknowledge, []part{pIrregularity, pWho}, nil},
	{12, vocab.InDealer, []part{pName}, []part{pShift}},
	{13, vocab.InNote, []part{pCode}, []part{pBy}},
	{14, vocab.InStorage, []part{pStorage}, []part{pCode}},
}

var (
	layoutByKind   [256]*layout
	layoutByNumber [kindBits + 1]*layout
	// needs are the required fields of a kind.
	needs [256]fields
)

func init() {
	for i := range layouts {
		l := &layouts[i]
		layoutByKind[l.kind], layoutByNumber[l.number] = l, l
		needs[l.kind] = fieldsOf(l.required)
	}
}

func fieldsOf(parts []part) fields {
	var s fields
	for _, p := range parts {
		s |= 1 << p.field
	}
	return s
}

// CompactError is a place in a compact transcript at which it cannot be read on.
type CompactError struct {
	// Line is the input's line in the JSON form of the transcript, from 1: the one
	// that cannot be read, or the first of those that cannot.
	Line uint64
	// Byte is where in the file, from 0.
	Byte int64
	What string
}

// Error writes the place and what is wrong there.
func (e *CompactError) Error() string {
	return fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Byte, e.What)
}
