package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// shoeTold takes what the shoe says beside its cards, but for its loading.
func (t *Table) shoeTold(in *vocab.Input) {
	switch in.Shoe.Event {
	case vocab.ShoeCutCard:
		t.unloaded = nil
		t.kept.Shoe.CutCard = true
	case vocab.ShoeGap:
		t.arrive(Arrival{Gap: true, Missing: in.Shoe.Missing}, t.due)
	case vocab.ShoeWentOffline:
		t.wentOffline()
	case vocab.ShoeCameOnline:
		t.cameOnline()
		t.shoeNamed(in)
	case vocab.ShoeAlarmRaised:
		t.alarmRaised(in.Code)
	case vocab.ShoeAlarmCleared:
		t.alarmCleared(in.Code)
	}
}

// wentOffline holds the round by itself: nobody can put it right but the shoe.
func (t *Table) wentOffline() {
	if !t.kept.Shoe.Offline {
		t.kept.Shoe.Offline = true
		t.tellIrregular(Irregularity{Code: irregularity.ShoeOffline})
	}
}

func (t *Table) cameOnline() {
	if t.kept.Shoe.Offline {
		t.kept.Shoe.Offline = false
		t.tellResolved(irregularity.ShoeOffline, irregularity.Online, "", "")
	}
}

// shoeNamed notes which shoe is on the line. What is in another shoe, nobody has said.
func (t *Table) shoeNamed(in *vocab.Input) {
	was := t.kept.Shoe.ShoeIdentity
	is := in.Names()
	now := ShoeIdentity{Maker: is.Maker, Serial: is.Serial, Firmware: is.Firmware}
	if was.Maker == "" || was.Maker == now.Maker && was.Serial == now.Serial {
		now.Packs, now.By = was.Packs, was.By
	} else {
		t.unloaded = nil // what was in the shoe before is in another shoe
	}
	if now.Maker != "" && now != was {
		t.changeShoe(now)
	}
}

// packsLoaded notes what was put into the shoe. A shoe that is loaded without a word of its
// packs has the same again, shuffled.
func (t *Table) packsLoaded(in *vocab.Input) {
	now, is := t.kept.Shoe.ShoeIdentity, in.Names()
	if is.Packs == "" || is.Packs == now.Packs {
		return
	}
	now.Packs, now.By = is.Packs, in.By
	t.changeShoe(now)
}

func (t *Table) changeShoe(now ShoeIdentity) {
	t.kept.Shoe.ShoeIdentity = now
	t.emit(vocab.ShoeChanged).Trouble = &vocab.Trouble{
		Shoe: vocab.Named{Maker: now.Maker, Serial: now.Serial, Firmware: now.Firmware, Packs: now.Packs}, By: now.By,
	}
}

// alarmRaised holds the round once for each alarm that stands.
func (t *Table) alarmRaised(code string) {
	if !slices.ContainsFunc(t.held, isAlarm(code)) {
		t.raise(Irregularity{Code: irregularity.ShoeAlarm, Alarm: code})
	}
}

// alarmCleared takes an alarm back; one without a code takes back all of them.
func (t *Table) alarmCleared(code string) {
	before := len(t.held)
	t.held = slices.DeleteFunc(t.held, isAlarm(code))
	gone := before - len(t.held)
	for range gone - 1 {
		t.alerts.cleared(irregularity.ShoeAlarm, irregularity.Cleared, "", t.now)
	}
	if gone > 0 {
		t.tellResolved(irregularity.ShoeAlarm, irregularity.Cleared, "", "")
	}
}

func isAlarm(code string) func(Irregularity) bool {
	return func(i Irregularity) bool { return i.Code == irregularity.ShoeAlarm && (code == "" || i.Alarm == code) }
}

// told takes what concerns the table and no round. A note is for the record alone.
func (t *Table) told(in *vocab.Input) vocab.Reason {
	switch in.Kind {
	case vocab.InAcknowledge:
		return t.acknowledge(in)
	case vocab.InFloor:
		return t.floor(in)
	case vocab.InDealer:
		return t.changeDealer(in)
	case vocab.InStorage:
		t.storageTold(in)
	case vocab.InMessage:
		return t.message(in)
	case vocab.InCommand:
		t.commandsRefused(in)
	case vocab.InSettings:
		t.settingChanged(in)
	}
	return 0
}

// storageTold takes what becomes of the record. A table that cannot record a round
// deals none, and neither does one whose record is in doubt.
func (t *Table) storageTold(in *vocab.Input) {
	switch {
	case in.Storage.Holds():
		t.recordDoubted(in.Storage.Raises(), in.Code)
	case in.Storage == vocab.StorageFailed && !t.unrecorded:
		t.unrecorded = true
		t.tellIrregular(Irregularity{Code: irregularity.StorageFailing})
	case in.Storage == vocab.StorageBack && t.unrecorded:
		t.unrecorded = false
		t.tellResolved(irregularity.StorageFailing, irregularity.Cleared, "", "")
	}
}

// replayFirst puts a replay that differs before what else holds the table: nobody can put
// that right before it is known whether it happened.
func (t *Table) replayFirst() {
	if last := len(t.held) - 1; t.held[last].Code == irregularity.ReplayDiffers {
		t.held = slices.Insert(t.held[:last], 0, t.held[last])
	}
}

// recordDoubted holds the table until a supervisor decides. What is found beside a doubt
// that holds already is told, and is put right with it.
func (t *Table) recordDoubted(code irregularity.Code, found string) {
	at := slices.IndexFunc(t.held, func(i Irregularity) bool { return i.Code == code })
	switch {
	case at < 0:
		t.raise(Irregularity{Code: code, Found: found})
		t.replayFirst()
	case t.held[at].Found != found:
		t.held[at].Found = found
		t.tellOutput(t.held[at])
		t.alerts.again(code)
	}
}
