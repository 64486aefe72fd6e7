package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// SettingEvent is what was done to one of the table's settings.
type SettingEvent uint8

// What is done to settings.
const (
	// SettingChanged: it is another.
	SettingChanged SettingEvent = iota + 1
	// SettingAdded and SettingRemoved: a person was added to those of the setting, or taken out.
	SettingAdded
	SettingRemoved
	// SettingRenewed: a secret is another, such as a person's PIN. Nobody says which.
	SettingRenewed
)

var settingNames = plaintext.Enum[SettingEvent]{
	SettingChanged: "changed", SettingAdded: "added", SettingRemoved: "removed", SettingRenewed: "renewed",
}

// String returns the event's name in transcripts.
func (e SettingEvent) String() string { return settingNames.Name(e) }

// ParseSettingEvent reads an event's name.
func ParseSettingEvent(s string) (SettingEvent, bool) { return settingNames.Parse(s) }

// Setting is one change of the table's settings, for the record and the pit: the round does not depend on it.
type Setting struct {
	// Key is its key in the configuration.
	Key string
	Did SettingEvent
	// Of is the person to whom it was done, "" for none.
	Of string
	// Was and Now are what it was and is, "" for nothing. A secret is in neither.
	Was, Now string
	// Also is the second supervisor who was proven for it, "" where one is enough.
	Also string
}

// Sets returns which setting is changed, empty if none is.
func (in *Input) Sets() Setting { return *orNone(in.Setting) }

// settingFields are the fields of a setting.
func settingFields[L any](of func(*L) *Setting, by func(*L) *string) []*Field[L] {
	did := named("event", Required, settingNames, "what was done to it", func(l *L) *SettingEvent { return &of(l).Did })
	did.Noun = "change of a setting"
	return []*Field[L]{
		person("what", Required, "the setting's key in the configuration", func(l *L) *string {
			return &of(l).Key
		}).said(),
		did,
		text("name", Optional, "the person to whom it was done", func(l *L) *string { return &of(l).Of }).called(),
		text("was", Optional, "what it was; no secret", func(l *L) *string { return &of(l).Was }).said(),
		text("now", Optional, "what it is; no secret", func(l *L) *string { return &of(l).Now }).said(),
		text("by", Required, "who changed it", by).called(),
		text("with", Optional, "the second supervisor who was proven for it", func(l *L) *string {
			return &of(l).Also
		}).called(),
	}
}
