package display

// LanguageOf is a language of a few texts.
func LanguageOf(says map[string]string) Language {
	s := &said{}
	for key, text := range says {
		s.add(key, text)
	}
	return Language{texts: &texts{code: "xx", says: func() *said { return s }, under: english}}
}

// NameOfBet is the name that a side bet, or a line, has without a language file.
var NameOfBet = nameOfBet
