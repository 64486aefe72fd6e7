package hd44780

// glyph is a character of five columns and eight rows. The lowest bit of a row is its right end.
type glyph struct {
	char rune
	rows [8]byte
}

// ownGlyphs are the eight characters that fit into the display's memory. Its ROM is one of two kinds, which agree on
// little more than ASCII.
var ownGlyphs = [8]glyph{
	drawn('♠', "..#..", ".###.", "#####", "#####", "#.#.#", "..#..", ".###.", "....."),
	drawn('♥', ".....", ".#.#.", "#####", "#####", "#####", ".###.", "..#..", "....."),
	drawn('♦', "..#..", "..#..", ".###.", "#####", ".###.", "..#..", "..#..", "....."),
	drawn('♣', "..#..", ".###.", "..#..", "#.#.#", "#####", "#.#.#", "..#..", ".###."),
	drawn('ä', ".#.#.", ".....", ".###.", "....#", ".####", "#...#", ".####", "....."),
	drawn('ö', ".#.#.", ".....", ".###.", "#...#", "#...#", "#...#", ".###.", "....."),
	drawn('ü', ".#.#.", ".....", "#...#", "#...#", "#...#", "#..##", ".##.#", "....."),
	drawn('…', ".....", ".....", ".....", ".....", ".....", ".....", "#.#.#", "....."),
}

func drawn(char rune, rows ...string) glyph {
	g := glyph{char: char}
	for i, row := range rows {
		for _, dot := range row {
			g.rows[i] <<= 1
			if dot == '#' {
				g.rows[i]++
			}
		}
	}
	return g
}

// Shows says whether the display has a character: ASCII without \ and ~, the four suits, ä, ö, ü and the ellipsis. Any
// other is shown as a question mark.
func Shows(char rune) bool {
	_, ok := codeOf(char)
	return ok
}

func codeOf(char rune) (code byte, ok bool) {
	for i, g := range ownGlyphs {
		if g.char == char {
			return byte(i), true
		}
	}
	// Where ASCII has \ and ~, the usual ROM has a yen sign and an arrow.
	return byte(char), char >= ' ' && char <= '}' && char != '\\'
}

// encode turns a line into the display's codes, a full row of them.
func encode(line string) (codes [Columns]byte) {
	column := 0
	for _, char := range line {
		if column == Columns {
			break
		}
		code, ok := codeOf(char)
		if !ok {
			code = '?'
		}
		codes[column] = code
		column++
	}
	for ; column < Columns; column++ {
		codes[column] = ' '
	}
	return codes
}
