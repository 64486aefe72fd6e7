package display

// French are the texts of the French speaking houses.
var French = Language{
	"language.code": "fr",
	"language.tag":  "fr",
	"language.name": "Français",
}
