package display

import (
	"maps"
	"strings"
)

// swissTag ends the tag of a language as it is written in Switzerland.
const swissTag = "-CH"

// swiss is what all languages write otherwise there: CHF 1’234.50.
var swiss = Language{
	"number.group": "’",
	"number.point": ".",
	"number.price": "{currency} {amount}",
	"time.date":    "02.01.2006",
}

// swissGerman writes German as the sheets of Baden and Schaffhausen do.
var swissGerman = strings.NewReplacer("ß", "ss", "„", "«", "“", "»")

func swissOf(list []Language) []Language {
	var there []Language
	for _, l := range list {
		there = append(there, l.inSwitzerland())
	}
	return there
}

func (l Language) inSwitzerland() Language {
	here := maps.Clone(l)
	maps.Copy(here, swiss)
	here[languageTag] = l.Tag() + swissTag
	switch l.Code() {
	case "de":
		for key, text := range here {
			here[key] = swissGerman.Replace(text)
		}
	case "en", "zh": // no languages of the country: numbers alone are the house's
		here["time.date"] = l["time.date"]
	}
	if l.Code() == "zh" {
		here[numberPrice] = l[numberPrice]
	}
	return here
}
