package login

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/table/money"
)

// What people do on the site's pages is in the log by names that stay: the request's path, and a table's answer. Here
// they become sentences, in the language of who reads them.

// deed is something that is done by a request.
type deed struct {
	// path is the request's, as the site's routes write it, and key the text that says what was done.
	path, key string
	// about says of what, and how, from the parts of the path in braces and the entry's detail; nil for nothing, and an
	// outcome.
	about func(l display.Language, parts []string, detail string) (about, how string)
}

// deeds are all that the site's pages let people do. Those of the door's own have kinds of their own.
var deeds = []deed{
	{"/alerts/{id}/seen", "people.deed-seen", ofAlert},
	{"/alerts/{id}/coming", "people.deed-coming", ofAlert},
	{"/table/{site}/{table}/command/{what}", "people.deed-told", ofOrder},
	{"/figures/report/sign", "people.deed-signed", ofReport},
	{"/figures/close/drop", "people.deed-drop", ofReport},
	{"/room", "people.deed-room", nil},
	{"/push", "people.deed-push", nil},
	{"/push/end", "people.deed-push-end", nil},
	{"{site}/{table}", "people.deed-tells", ofTelling},
	{"accept {site}/{table}", "people.deed-accepted", ofAccepting},
	{"", "people.deed-refused", nil},
}

var braces = regexp.MustCompile(`\\\{[a-z]+\\\}`)

// finds matches what an entry is about with each deed's path.
var finds = func() (list []*regexp.Regexp) {
	for _, one := range deeds {
		list = append(list, regexp.MustCompile("^"+braces.ReplaceAllString(regexp.QuoteMeta(one.path), "([^/ ]+)")+"$"))
	}
	return list
}()

// Tells says whether the log has words for what a request does, by its path as the site's routes write it.
func Tells(path string) bool { return known(path) >= 0 }

// known is the deed of an entry, -1 for one of another version.
func known(about string) int {
	for i, find := range finds {
		if find.MatchString(about) {
			return i
		}
	}
	return -1
}

// acted says what somebody has done on the site's pages, of what, and how it ended.
func acted(l display.Language, e people.Entry) (what, about, how string) {
	at := known(e.About)
	if at < 0 {
		return l.With("people.did-acted"), e.About, outcomeSaid(l, e.Detail)
	}
	one := &deeds[at]
	what, how = l.With(one.key), outcomeSaid(l, e.Detail)
	if one.about != nil && (how == e.Detail || how == "") { // it was not refused by the pit
		about, how = one.about(l, finds[at].FindStringSubmatch(e.About)[1:], e.Detail)
	}
	return what, about, how
}

// splitBy takes who has said no more than a name from the end of a detail.
func splitBy(l display.Language, detail string) (rest, by string) {
	at := strings.LastIndex(" "+detail, " by ")
	if at < 0 || strings.Contains(detail[at:], `"`) { // it is in a message
		return detail, ""
	}
	by = l.With("past.by", "by", detail[at+len("by "):])
	return strings.TrimSpace(detail[:max(at-1, 0)]), strings.TrimLeft(by, " –") // there it is the end of a sentence
}

// ofAlert names an alert: its table and its code.
func ofAlert(l display.Language, _ []string, detail string) (about, how string) {
	detail, by := splitBy(l, detail)
	table, code, is := strings.Cut(detail, " ")
	if !is {
		return "", strings.TrimSpace(by)
	}
	name, ok := l.Lookup("pit." + code)
	if !ok {
		name = l.Label(display.LabelHeld, code)
	}
	about = display.Capital(name)
	if _, short, of := strings.Cut(table, "/"); of {
		about = short + ": " + about
	}
	return about, strings.TrimSpace(by)
}

// ofOrder says what a table was told, and what it answered.
func ofOrder(l display.Language, parts []string, detail string) (about, how string) {
	return parts[1] + ": " + orderName(l, parts[2]), answered(l, detail)
}

// ofTelling says what a table is about to be told.
func ofTelling(l display.Language, parts []string, detail string) (about, how string) {
	detail, by := splitBy(l, detail)
	what, rest, _ := strings.Cut(detail, " ")
	words := strings.Fields(rest)
	switch {
	case what == "limits" && len(words) >= 4:
		rest = limits(l, words)
	case what == "acknowledge":
		rest = display.Capital(l.Label(display.LabelHeld, rest))
	case what == "message":
		if text, err := strconv.Unquote(rest); err == nil {
			rest = text
		}
	case what == "resend":
		rest = strings.NewReplacer("from ", "", " to ", " – ").Replace(rest)
	}
	return parts[1] + ": " + orderName(l, what), strings.TrimSpace(rest + " " + by)
}

// orderNames are the keys' texts of what a table may be told.
var orderNames = map[string]string{
	"open": "pit.order-open", "close": "pit.order-close", "limits": "pit.order-limits", "message": "pit.order-message",
	"resend":      "pit.order-resend",
	"acknowledge": "pit.see", "coming": "pit.come", "fill": "trays.ask-fill", "credit": "trays.ask-credit",
	"approve": "trays.approve", "refuse": "trays.refuse", "sent": "trays.send", "received": "trays.receive",
}

func orderName(l display.Language, what string) string {
	if key := orderNames[what]; key != "" {
		return l.With(key)
	}
	return what
}

// limits writes "min 2000 box_max 40000 EUR" as amounts; what is none stays, and an older entry has no currency.
func limits(l display.Language, words []string) string {
	currency := ""
	if len(words) == 5 {
		currency = words[4]
	}
	least, wrong := strconv.ParseInt(words[1], 10, 64)
	most, bad := strconv.ParseInt(words[3], 10, 64)
	switch digits := money.Digits(currency); {
	case wrong != nil || bad != nil || len(words) > 5:
		return strings.Join(words, " ")
	case currency == "":
		return l.Money(least, digits) + " – " + l.Money(most, digits)
	default:
		return l.Limits(least, most, digits, currency)
	}
}

var tableAnswer = regexp.MustCompile(`^command \S+: (done|no answer|refused)(?:, (?:record )?(\S+))?$`)

// answered says what a table has answered.
func answered(l display.Language, detail string) string {
	if strings.HasPrefix(detail, "not sent: ") {
		return l.With("people.out-not-sent")
	}
	found := tableAnswer.FindStringSubmatch(detail)
	switch {
	case found == nil:
		return detail
	case found[1] == "done":
		return l.With("people.out-done")
	case found[1] == "no answer":
		return l.With("people.out-no-answer")
	}
	why, ok := l.Lookup("pit.order-is-" + found[2])
	if !ok {
		why = l.Label(display.LabelRejected, found[2])
	}
	return l.With("people.out-refused", "why", why)
}

// ofReport names the report that was signed, or the drop box that was counted.
func ofReport(_ display.Language, _ []string, detail string) (about, how string) { return detail, "" }

// ofAccepting names the table, and leaves out which journal is which: the reason is what people read.
func ofAccepting(_ display.Language, parts []string, detail string) (about, how string) {
	if _, why, ok := strings.Cut(detail, ", accepted by "); ok {
		if _, why, ok = strings.Cut(why, ": "); ok {
			detail = why
		}
	}
	return parts[1], detail
}

// outcomes are the texts of how the pit refuses a request.
var outcomes = map[int]string{
	http.StatusBadRequest: "people.out-form", http.StatusUnsupportedMediaType: "people.out-form",
	http.StatusRequestEntityTooLarge: "people.out-form",
	http.StatusUnauthorized:          "people.out-role", http.StatusForbidden: "people.out-role",
	http.StatusNotFound: "people.out-gone",
	http.StatusConflict: "people.out-quicker", http.StatusTooManyRequests: "people.out-often",
	http.StatusInternalServerError: "people.out-away", http.StatusServiceUnavailable: "people.out-away",
}

var refusedAs = regexp.MustCompile(`^(?:(\d{3}) [A-Za-z ]+|refused in other ways)(?:, (\d+) times more)?$`)

// outcomeSaid says how the pit has refused something; another detail stays.
func outcomeSaid(l display.Language, detail string) string {
	found := refusedAs.FindStringSubmatch(detail)
	if found == nil {
		return detail
	}
	status, _ := strconv.Atoi(found[1]) // three digits, or none
	key := outcomes[status]
	if key == "" {
		key = "people.out-other"
	}
	text := l.With(key)
	if found[2] != "" {
		text = l.With("people.out-again", "how", text, "n", found[2])
	}
	return text
}
