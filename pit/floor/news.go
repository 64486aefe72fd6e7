package floor

// News is one thing that became of an alert, and the alert as it is now.
type News struct {
	Alert *Alert
	Step  Step
}

// Watch tells what becomes of alerts, each thing once. The zero value has told nothing.
type Watch struct{ told map[string]map[told]bool }

// told is a step, as it is known again.
type told struct {
	at   int64
	what What
	by   string
}

// News is what was not told yet, alert by alert, in the order in which it happened. alerts and over are those that a
// floor has: what it forgets is forgotten here, too.
func (w *Watch) News(alerts, over []Alert) (news []News) {
	had := w.told
	w.told = make(map[string]map[told]bool, len(alerts)+len(over))
	for i := range over {
		news = w.add(news, had, &over[i])
	}
	for i := len(alerts) - 1; i >= 0; i-- { // the newest last
		news = w.add(news, had, &alerts[i])
	}
	return news
}

func (w *Watch) add(news []News, had map[string]map[told]bool, a *Alert) []News {
	known := w.told[a.ID] // of one that went over between the two lists
	if known == nil {
		known = had[a.ID]
	}
	if known == nil {
		known = map[told]bool{}
	}
	w.told[a.ID] = known
	for _, s := range a.Steps {
		if one := (told{s.At.UnixNano(), s.What, s.By}); !known[one] {
			known[one] = true
			news = append(news, News{a, s})
		}
	}
	return news
}
