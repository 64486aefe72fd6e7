package web

import (
	"context"
	"net/http"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/authority"
)

type languageKey struct{}

// LanguageOf is the language in which whoever asks is answered, for pages that are served beside the display's own.
func LanguageOf(ctx context.Context) display.Language {
	language, _ := ctx.Value(languageKey{}).(display.Language)
	return language
}

// devices serves the page of devices and log, which is not the display's own. What is posted to it comes from a page of this
// site, as an input does.
func (s *Server) devices(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && s.foreign(w, r) {
		return
	}
	s.options.Devices.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), languageKey{}, s.speaking(r).language)))
}

// Stands is the place of whoever asks, for pages that are served beside the display's own.
func Stands(r *http.Request) authority.Place { return stands(r) }
