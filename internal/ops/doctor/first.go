package doctor

import (
	"context"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/settings"
)

// askFirst asks the page of a first start, where there is no table's configuration yet. It reports whether that was all
// there is to ask: a table that runs from a configuration which is not there is asked like others.
func (x *exam) askFirst(ctx context.Context) bool {
	if !x.first || x.Inside != nil {
		return false
	}
	page := x.URL
	if page == "" {
		page = firstPage(x.fresh)
	}
	report, err := x.reportAt(ctx, page)
	switch {
	case err == nil && (report.Holds("first-start") || report.Holds("configuration-lost")):
		for _, r := range report.Reasons {
			x.note(r)
		}
		return true
	case x.missing != nil:
		x.first = false // it may as well be the wrong name of a file
		x.wrong("config-unfit", x.missing.Error(),
			"give the table's own with --config; where there is none yet, docs/first-start.md says how to begin")
		return false
	case err != nil:
		x.wrong("daemon-silent", err.Error(), "")
		x.withoutDaemon(page)
		return true
	}
	x.first = false
	x.wrong("config-unfit", "it does not say which table it is of", "")
	return false
}

// withoutDaemon says what the daemon will wait for as soon as it runs.
func (x *exam) withoutDaemon(page string) {
	left, err := settings.LeftOf(x.Config, x.fresh)
	switch {
	case err != nil:
		x.unseen(health.AreaConfiguration, "whether a table's record is here", why(err))
	case left != nil:
		x.wrong("configuration-lost", left.String()+"; put it back with "+left.Mend(x.Config), "")
	default:
		x.wrong("first-start", "at "+page+", as soon as the daemon runs", "")
	}
}

// firstPage is where the questions of a first start are asked, as the daemon decides it.
func firstPage(text []byte) string {
	web := settings.Tried(text).Web
	if !(config.Web{Listen: web.Listen}).Local() {
		web = config.Default().Web
	}
	page, err := config.Web{Listen: web.Listen}.FromHere()
	if err != nil {
		return ""
	}
	return page
}

func (x *exam) reportAt(ctx context.Context, page string) (health.Report, error) {
	_, text, err := x.Outside(ctx, page, nil, "health")
	if err != nil {
		return health.Report{}, err
	}
	return health.Read(text)
}
