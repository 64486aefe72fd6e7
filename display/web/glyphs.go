package web

// Glyphs are drawn here rather than taken from a font, so that a card looks the
// same on every table's screen, whatever fonts it has.

// strokes are the card indices as pen strokes in a field 20 wide and 28 high.
var strokes = map[string]string{
	"A": "M2 28 10 1 18 28M5 19H15",
	"2": "M3 8C3-1 17-1 17 8 17 14 4 19 3 26.5H18",
	"3": "M3 2H16L9 11C20 11 20 27 9 27 5 27 3 25 2 22",
	"4": "M13.5 28V2L2 20H18.5",
	"5": "M16.5 2H5L4 13C9 9 18 11 18 19 18 28.5 6 29 2.5 23",
	"6": "M15 1.5C8 5 3 12 3 19A7.5 8 0 1 0 18 19 7.5 8 0 1 0 3 19",
	"7": "M2 2H17.5L7 28",
	"8": "M10 13A6 5.8 0 1 1 10 1.5 6 5.8 0 1 1 10 13 7.5 7 0 1 1 10 27 7.5 7 0 1 1 10 13",
	"9": "M5 26.5C12 23 17 16 17 9A7.5 8 0 1 0 2 9 7.5 8 0 1 0 17 9",
	"T": "M0 6 4 2V28M9 15A5.8 13 0 1 1 20.6 15 5.8 13 0 1 1 9 15",
	"J": "M8 2H18M14 2V20C14 29.5 3 29.5 2.5 21",
	"Q": "M2 14A8 12.8 0 1 1 18 14 8 12.8 0 1 1 2 14M11 20 19 28",
	"K": "M3 0V28M17 1 4 16.5M8.5 12 18 28",
	"?": "M3 8C3-1 17-1 17 8 17 14 10 13 10 20M10 24.5V28",
}

// suits are the four shapes in a field 32 by 32.
var suits = [4]string{
	"M16 1C20 8 31 13 31 20 31 24 28 27 24 27 21 27 19 26 17.5 23.5 17.5 27 19 30 21 31H11C13 30 14.5 27 14.5 23.5 13 26 11 27 8 27 4 27 1 24 1 20 1 13 12 8 16 1Z",
	"M16 30C6 21 1 15 1 9 1 4 5 1 9 1 12 1 15 3 16 6 17 3 20 1 23 1 27 1 31 4 31 9 31 15 26 21 16 30Z",
	"M16 0Q21 9 28 16 21 23 16 32 11 23 4 16 11 9 16 0Z",
	"M9 8A7 7 0 1 1 23 8 7 7 0 1 1 9 8M1 19A7 7 0 1 1 15 19 7 7 0 1 1 1 19M17 19A7 7 0 1 1 31 19 7 7 0 1 1 17 19M12 12H20V20H12ZM17.5 18C17.5 26 19 30 21 31H11C13 30 14.5 26 14.5 18Z",
}

// crowns tell the courts apart: the jack's feathered cap, the queen's coronet, the king's crown.
var crowns = map[string]string{
	"J": "M3 16H25L23 9C18 11 10 11 5 9ZM20 9C20 3 24 0 29 1 27 5 25 8 22 9.5Z",
	"Q": "M4 16H26L28 5 20.5 10 15 2 9.5 10 2 5ZM15 2A1.8 1.8 0 1 0 15 1.9ZM2 5A1.8 1.8 0 1 0 2 4.9ZM28 5A1.8 1.8 0 1 0 28 4.9Z",
	"K": "M3 16H27V6L21 10 18 5H16.5V3.5H18.5V1.5H16.5V0H13.5V1.5H11.5V3.5H13.5V5H12L9 10 3 6Z",
}
