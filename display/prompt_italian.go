package display

// Italian are the texts of the Italian speaking houses.
var Italian = Language{
	"language.code": "it",
	"language.tag":  "it",
	"language.name": "Italiano",
}
