package doctor

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	removed = "(secret removed)"
	// shortest is the length from which on a secret is looked for in texts: what is shorter would be found everywhere.
	shortest = 4
)

// scrubber takes secrets out of texts: those whose values are known, in each form in which programs write them, and
// what looks like one.
type scrubber struct{ known *strings.Replacer }

// newScrubber knows secrets by their values, which may be whole files.
func newScrubber(secrets [][]byte) *scrubber {
	set := map[string]bool{}
	for _, secret := range secrets {
		for _, value := range valuesIn(secret) {
			for _, form := range formsOf(value) {
				set[form] = len(form) >= shortest
			}
		}
	}
	var forms []string
	for form, long := range set {
		if long {
			forms = append(forms, form)
		}
	}
	// The longest first: a secret may be the beginning of another.
	slices.SortFunc(forms, func(a, b string) int {
		if d := len(b) - len(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	pairs := make([]string, 0, 2*len(forms))
	for _, form := range forms {
		pairs = append(pairs, form, removed)
	}
	return &scrubber{strings.NewReplacer(pairs...)}
}

// valuesIn are the secrets in a text: the whole, each line, the last word of each and what follows a colon, long values
// of JSON, and the bytes of keys in PEM form.
func valuesIn(text []byte) (values [][]byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	values = append(values, text)
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("-----")) || bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		values = append(values, line)
		if _, value, is := bytes.Cut(line, []byte(": ")); is {
			values = append(values, bytes.TrimSpace(value))
		}
		if words := bytes.Fields(line); len(words) > 1 {
			values = append(values, words[len(words)-1])
		}
	}
	for _, quoted := range inQuotes.FindAllSubmatch(text, -1) {
		values = append(values, quoted[1])
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		values = append(values, block.Bytes)
		if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if sealing, is := key.(ed25519.PrivateKey); is {
				values = append(values, sealing, sealing.Seed())
			}
		}
	}
	return values
}

// inQuotes finds values of JSON that are long enough for a secret.
var inQuotes = regexp.MustCompile(`"([^"]{16,})"`)

// formsOf are the texts as which a secret may be written.
func formsOf(secret []byte) []string {
	raw := string(secret)
	forms := []string{
		raw, hex.EncodeToString(secret), strings.ToUpper(hex.EncodeToString(secret)),
		url.QueryEscape(raw), url.PathEscape(raw), percent(secret),
	}
	if quoted, err := json.Marshal(raw); err == nil {
		forms = append(forms, strings.Trim(string(quoted), `"`))
	}
	for _, b64 := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		forms = append(forms, b64.EncodeToString(secret), strings.TrimRight(b64.EncodeToString(secret), "="))
		forms = append(forms, within(b64, secret)...)
	}
	if decoded, err := hex.DecodeString(raw); err == nil && len(decoded) > 0 { // a key that is kept as digits
		forms = append(forms, strings.ToLower(raw), strings.ToUpper(raw), base64.StdEncoding.EncodeToString(decoded),
			base64.URLEncoding.EncodeToString(decoded))
	}
	return forms
}

// within is a secret as it is inside a longer text in base64, at each of the three places where it may begin: without
// the characters in which it is mixed with what is beside it.
func within(b64 *base64.Encoding, secret []byte) (forms []string) {
	const group, bytesOf = 4, 3
	for before := 1; before < bytesOf; before++ {
		from := bytesOf - before
		whole := (len(secret) - from) / bytesOf * bytesOf
		if from+whole > len(secret) || whole < 2*bytesOf {
			continue
		}
		forms = append(forms, b64.EncodeToString(secret[from:from+whole]))
	}
	if whole := len(secret) / bytesOf * bytesOf; whole >= 2*bytesOf {
		forms = append(forms, b64.EncodeToString(secret[:whole]))
	}
	return forms
}

// percent writes every byte as in an address.
func percent(secret []byte) string {
	var b strings.Builder
	for _, c := range secret {
		b.WriteByte('%')
		b.WriteString(strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// look is a secret by its form, whoever wrote it, with what is put in its place.
type look struct {
	form *regexp.Regexp
	by   string
}

// looks are compiled when somebody asks for a bundle, which hardly ever happens at a table.
var looks = sync.OnceValue(func() []look {
	return []look{
		{
			regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)`),
			removed,
		},
		{regexp.MustCompile(`\$argon2(id|i|d)\$[A-Za-z0-9+/=,$]*`), removed},
		{regexp.MustCompile(`AGE-SECRET-KEY-[0-9A-Za-z]+`), removed},
		{regexp.MustCompile(`([a-z][a-z0-9+.-]*://)[^/@\s"']*@`), "${1}" + removed + "@"},
		// A screen's key, as sabot key screen prints it, with or without its hyphens.
		{regexp.MustCompile(`(?i)\b([0-9a-hjkmnp-tv-z]{4}-){12}[0-9a-hjkmnp-tv-z]{4}\b`), removed},
		{
			regexp.MustCompile(`(?i)\b(authorization["']?\s*[:=]\s*["']?\s*(bearer|basic)|bearer)\s+[^\s"',}]+`),
			"${1} " + removed,
		},
		{regexp.MustCompile(`(?i)\b((set-)?cookie["']?\s*[:=])[^\n]*`), "${1} " + removed},
		{
			regexp.MustCompile(`(?i)\b((?:[a-z_.-]*(?:password|passwd|secret|token|pin|badge))["']?\s*[:=]\s*)` +
				`("[^"]*"|'[^']*'|[^\s,}("'][^\s,}]*)`),
			"${1}" + removed,
		},
	}
})

// text is a text without secrets.
func (s *scrubber) text(text []byte) []byte {
	clean := s.known.Replace(string(text))
	for _, one := range looks() {
		clean = one.form.ReplaceAllString(clean, one.by)
	}
	return []byte(clean)
}
