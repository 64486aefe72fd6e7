package display

// German are the texts of the German speaking houses.
var German = Language{
	"language.code": "de",
	"language.tag":  "de",
	"language.name": "Deutsch",
}
