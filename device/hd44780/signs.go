package hd44780

// glyph is a character of five columns and eight rows. The lowest bit of a row is its right end.
type glyph struct {
	sign rune
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

func drawn(sign rune, rows ...string) glyph {
	g := glyph{sign: sign}
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
func Shows(sign rune) bool {
	_, ok := codeOf(sign)
	return ok
}

func codeOf(sign rune) (code byte, ok bool) {
	for i, g := range ownGlyphs {
		if g.sign == sign {
			return byte(i), true
		}
	}
	// Where ASCII has \ and ~, the usual ROM has a yen sign and an arrow.
	return byte(sign), sign >= ' ' && sign <= '}' && sign != '\\'
}

// encode turns a line into the display's codes, a full row of them.
func encode(line string) (codes [Columns]byte) {
	column := 0
	for _, sign := range line {
		if column == Columns {
			break
		}
		code, ok := codeOf(sign)
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
