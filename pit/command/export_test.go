package command

// EveryRefusal yields every refusal.
var EveryRefusal = refusalNames.Every
