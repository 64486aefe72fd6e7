package dashboard

import (
	"embed"
	"net/http"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
)

//go:embed assets/*.css assets/*.js assets/*.webmanifest
var assets embed.FS

// files are what the pit's pages ask for, beside those of the table's.
var files = site.NewFiles(assets, templates).Beside(web.Build(), http.NotFound)

// build names the pages' assets and templates, with those of the table: a page that was loaded from another build loads
// itself again when it meets this one.
var build = files.Build()
