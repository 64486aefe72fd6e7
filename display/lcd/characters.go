package lcd

import "strings"

// own are the characters besides ASCII that the display can show.
const own = "♠♥♦♣äöü…"

// spelt replaces characters that the display lacks by some that it has.
var spelt = strings.NewReplacer(
	"\u202f", "", // between thousands: no room
	"−", "-", "–", "-", "×", "x", "½", "1/2", "●", "*", "’", "'", "\\", "/", "~", "-",
	"Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "Æ", "Ae", "æ", "ae", "Œ", "Oe", "œ", "oe", "Ø", "O", "ø", "o",
	"À", "A", "Á", "A", "Â", "A", "Ã", "A", "Å", "A", "à", "a", "á", "a", "â", "a", "ã", "a", "å", "a",
	"Ç", "C", "Č", "C", "Ć", "C", "ç", "c", "č", "c", "ć", "c", "Đ", "D", "đ", "d",
	"È", "E", "É", "E", "Ê", "E", "Ë", "E", "è", "e", "é", "e", "ê", "e", "ë", "e", "ę", "e",
	"Ğ", "G", "ğ", "g", "Ì", "I", "Í", "I", "Î", "I", "Ï", "I", "İ", "I", "ì", "i", "í", "i", "î", "i", "ï",
	"i", "ı", "i",
	"Ł", "L", "ł", "l", "Ñ", "N", "ñ", "n", "ń", "n", "Ò", "O", "Ó", "O", "Ô", "O", "Õ", "O", "ò", "o", "ó", "o", "ô",
	"o", "õ", "o",
	"Ř", "R", "ř", "r", "Š", "S", "Ś", "S", "Ş", "S", "š", "s", "ś", "s", "ş", "s",
	"Ù", "U", "Ú", "U", "Û", "U", "ù", "u", "ú", "u", "û", "u", "ů", "u", "Ý", "Y", "ý", "y", "ÿ", "y",
	"Ž", "Z", "Ź", "Z", "Ż", "Z", "ž", "z", "ź", "z", "ż", "z", "ą", "a",
)

// plain writes a text in characters that the display has, with a question mark for any
// that cannot be written.
func plain(s string) string {
	lacking := func(r rune) bool { return !Has(r) && string(r) != fixed }
	if !strings.ContainsFunc(s, lacking) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if lacking(r) {
			return '?'
		}
		return r
	}, spelt.Replace(s))
}

// Has reports whether the display has a character: ASCII except \ and ~, which these
// displays lack, the four suits, ä, ö, ü and the ellipsis.
func Has(r rune) bool {
	return r >= ' ' && r <= '}' && r != '\\' || strings.ContainsRune(own, r)
}
