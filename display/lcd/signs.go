package lcd

import "strings"

// own are the signs beside ASCII that the display can show.
const own = "♠♥♦♣äöü…"

// spelt writes what the display lacks in signs that it has.
var spelt = strings.NewReplacer(
	"\u202f", "", // between thousands: no room
	"−", "-", "–", "-", "×", "x", "½", "1/2", "●", "*", "’", "'", "\\", "/", "~", "-",
	"Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "Æ", "Ae", "æ", "ae", "Œ", "Oe", "œ", "oe", "Ø", "O", "ø", "o",
	"À", "A", "Á", "A", "Â", "A", "Ã", "A", "Å", "A", "à", "a", "á", "a", "â", "a", "ã", "a", "å", "a",
	"Ç", "C", "Č", "C", "Ć", "C", "ç", "c", "č", "c", "ć", "c", "Đ", "D", "đ", "d",
	"È", "E", "É", "E", "Ê", "E", "Ë", "E", "è", "e", "é", "e", "ê", "e", "ë", "e", "ę", "e",
	"Ğ", "G", "ğ", "g", "Ì", "I", "Í", "I", "Î", "I", "Ï", "I", "İ", "I", "ì", "i", "í", "i", "î", "i", "ï", "i", "ı", "i",
	"Ł", "L", "ł", "l", "Ñ", "N", "ñ", "n", "ń", "n", "Ò", "O", "Ó", "O", "Ô", "O", "Õ", "O", "ò", "o", "ó", "o", "ô", "o", "õ", "o",
	"Ř", "R", "ř", "r", "Š", "S", "Ś", "S", "Ş", "S", "š", "s", "ś", "s", "ş", "s",
	"Ù", "U", "Ú", "U", "Û", "U", "ù", "u", "ú", "u", "û", "u", "ů", "u", "Ý", "Y", "ý", "y", "ÿ", "y",
	"Ž", "Z", "Ź", "Z", "Ż", "Z", "ž", "z", "ź", "z", "ż", "z", "ą", "a",
)

// plain writes a text in signs that the display has; what cannot be written is a
// question mark.
func plain(s string) string {
	lacking := func(sign rune) bool { return !Has(sign) && string(sign) != fixed }
	if !strings.ContainsFunc(s, lacking) {
		return s
	}
	return strings.Map(func(sign rune) rune {
		if lacking(sign) {
			return '?'
		}
		return sign
	}, spelt.Replace(s))
}

// Has says whether a sign may stand in a row: ASCII without \ and ~, which these
// displays lack, the four suits, ä, ö, ü and the ellipsis.
func Has(sign rune) bool {
	return sign >= ' ' && sign <= '}' && sign != '\\' || strings.ContainsRune(own, sign)
}
