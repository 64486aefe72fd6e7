package web

import (
	"embed"

	"github.com/sabot-table/sabot/internal/site"
)

//go:embed assets/*.css assets/*.js assets/*.svg
var assets embed.FS

// files are what the table's pages ask for.
var files = site.NewFiles(assets, templates)

// build names the page's assets and templates: a page that was loaded from another
// build loads itself again when it meets this one.
var build = files.Build()
