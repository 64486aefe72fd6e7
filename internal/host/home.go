package host

import (
	"slices"

	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

// openHome returns what is announced to Home Assistant, and what takes off the broker what the table announced before
// and does not any more. A file beside the journal remembers where it was announced: whoever never turned this on needs
// no broker that allows it.
func (d *Daemon) openHome(name topic.Table) (list []publish.Announcement, announced func(publish.Announcement),
	err error,
) {
	file := keptFile[[]string]{
		path:    d.config.Journal.Path + ".home",
		unread:  ", which keeps where the table was announced to Home Assistant, cannot be read",
		without: "what it announced before then stays until somebody removes it at the broker",
	}
	kept, err := file.restore(d)
	if err != nil {
		return nil, nil, err
	}
	now := topic.HomeAssistantTopic(name)
	for _, one := range kept {
		if !d.config.MQTT.HomeAssistant || one != now {
			list = append(list, publish.Announcement{Topic: one})
		}
	}
	if d.config.MQTT.HomeAssistant {
		list = append(list, publish.Announcement{
			Topic:   now,
			Payload: topic.HomeAssistantAnnouncement(name, d.program.version),
		})
		if !slices.Contains(kept, now) { // before it is announced: a power cut in between leaves nothing behind
			kept = append(kept, now)
			if err := file.keep(kept); err != nil {
				return nil, nil, err
			}
		}
	}
	return list, func(a publish.Announcement) {
		if len(a.Payload) > 0 || !slices.Contains(kept, a.Topic) {
			return
		}
		kept = slices.DeleteFunc(kept, func(one string) bool { return one == a.Topic })
		if err := file.keep(kept); err != nil {
			d.log.Warn("what was taken off Home Assistant could not be noted: it is taken off again after the "+
				"next start", "err", err)
		}
	}, nil
}
