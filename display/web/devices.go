package web

import (
	"context"

	"github.com/sabot-table/sabot/display"
)

type languageKey struct{}

// LanguageOf is the language in which whoever asks is answered, for pages of other packages.
func LanguageOf(ctx context.Context) display.Language {
	language, _ := ctx.Value(languageKey{}).(display.Language)
	return language
}
