package display

// Chinese are the texts of the Chinese speaking houses.
var Chinese = Language{
	"language.code": "zh",
	"language.tag":  "zh-Hans",
	"language.name": "中文",
}
