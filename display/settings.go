package display

import (
	"cmp"

	"github.com/sabot-table/sabot/table/vocab"
)

// SetTo says what is done to a setting of the table, under the name that people know.
func (l Language) SetTo(name string, s vocab.Setting) string {
	what := text("what", name)
	switch {
	case s.Did == vocab.SettingChanged:
		return l.fill("set.changed", what, text("was", cmp.Or(s.Was, "–")), text("now", cmp.Or(s.Now, "–")))
	case s.Of == "":
		return l.fill("set."+s.Did.String()+"-secret", what)
	}
	return l.fill("set."+s.Did.String(), what, text("name", s.Of))
}

// settingTold says in words which setting was changed.
func (l Language) settingTold(out *vocab.Output) string {
	by := out.By
	if out.Setting.Also != "" {
		by += " + " + out.Setting.Also
	}
	return l.fill("past.setting", text("what", l.SetTo(out.Setting.Key, *out.Setting))) + l.person(by, false)
}
