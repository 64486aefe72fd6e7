package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/vocab"
)

// byConfiguration is who has changed what stands in the configuration and was never said at a screen: whoever may write
// the file.
const byConfiguration = "configuration"

// known are supervisors by their names, with what tells one PIN from another.
func known(all []config.Supervisor) map[string]string {
	is := map[string]string{}
	for _, one := range all {
		sum := sha256.Sum256([]byte(one.PIN))
		is[one.Name] = hex.EncodeToString(sum[:16])
	}
	return is
}

// Supervised is told who supervises from the next start on, as somebody has said at the table's screen.
func (d *Daemon) Supervised(ctx context.Context, next []config.Supervisor) error {
	return d.people.authority.Knows(ctx, known(next))
}

// tellSupervisors puts on record, and so tells the pit, who supervises and did not when the table last knew, who does
// not any more, and whose PIN is another: what was changed in an editor. A table that never knew has nothing to tell.
func (d *Daemon) tellSupervisors(ctx context.Context) {
	was, is := d.people.authority.Known(), known(d.config.Supervisors.Names)
	if !d.given.settings || maps.Equal(was, is) {
		return
	}
	for _, set := range differences(was, is) {
		in := vocab.Input{Kind: vocab.InSettings, By: byConfiguration, Setting: &set}
		in.ShowTexts()
		if _, err := d.runner.Submit(ctx, from(vocab.FromProgram, "", in)); err != nil {
			d.notices.tooLate(&in, err.Error())
			return // the next start tells it
		}
		d.log.Warn("who supervises was changed in the configuration: it is on record; ask who did so, if nobody "+
			"should have",
			"event", set.Did.String(), "name", set.Of)
	}
	// it is on record, and not told twice
	if err := d.people.authority.Knows(context.WithoutCancel(ctx), is); err != nil {
		d.log.Error("who supervises could not be kept: the next start tells it again", "err", err)
	}
}

// differences are what was done to each, by their names; nothing for a table that never knew.
func differences(was, is map[string]string) (all []vocab.Setting) {
	if was == nil {
		return nil
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, there := was[name]
		after, stays := is[name]
		set := vocab.Setting{Key: "supervisors.names", Did: vocab.SettingRenewed, Of: name}
		switch {
		case there && stays && before == after:
			continue
		case !there:
			set.Did = vocab.SettingAdded
		case !stays:
			set.Did = vocab.SettingRemoved
		}
		all = append(all, set)
	}
	return all
}
