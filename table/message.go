package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// message takes what the pit says to the dealer, or that it was seen. It holds nothing, and is
// part of no round: an undo takes no message back.
func (t *Table) message(in *vocab.Input) vocab.Reason {
	if in.Message.Event == vocab.MessageSent {
		t.raiseMessage(in.Message.Text, in.By)
	} else if t.alerts.list[irregularity.PitMessage].Standing == 0 {
		return vocab.NotHeld
	} else {
		t.alerts.list[irregularity.PitMessage] = Alert{} // whoever is at the table has read it
	}
	t.emit(vocab.MessageTold).Trouble = &vocab.Trouble{Message: in.Message, By: in.By}
	return 0
}

// raiseMessage raises the message's alert. A message takes the place of one that nobody has
// seen: both are on record.
func (t *Table) raiseMessage(text, by string) {
	one := &t.alerts.list[irregularity.PitMessage]
	if one.Standing == 0 {
		t.alerts.raised(irregularity.PitMessage, t.now, t.kept.Round)
	} else {
		t.alerts.again(irregularity.PitMessage)
	}
	one.Text, one.Caller = text, by
}

// commandsRefused raises the alert of commands that were refused. There is nothing to put
// right at the table: what stands is that nobody of the pit has seen it.
func (t *Table) commandsRefused(in *vocab.Input) {
	out := t.emit(vocab.Irregular)
	out.Code, out.Trouble = irregularity.CommandRefused, &vocab.Trouble{Refused: in.Refused, By: in.By}
	t.alerts.passed(irregularity.CommandRefused, t.now, t.kept.Round)
	one := &t.alerts.list[irregularity.CommandRefused]
	one.Text, one.Caller = in.Refused.Why, in.By
}

// settingChanged tells of a setting that was changed. Nothing at the table depends on it before it begins anew; what
// stands is that nobody has seen it.
func (t *Table) settingChanged(in *vocab.Input) {
	set := in.Sets()
	t.emit(vocab.SettingsChanged).Trouble = &vocab.Trouble{By: in.By, Setting: &set}
	t.alerts.passed(irregularity.SettingsChanged, t.now, t.kept.Round)
	one := &t.alerts.list[irregularity.SettingsChanged]
	one.Text, one.Caller = set.Key, in.By
	if set.Of != "" {
		one.Text += " " + set.Of
	}
}
