package pit

import (
	"strings"
	"testing"
)

// parseWeb reads the sections web and people, beside what each configuration needs.
func parseWeb(text string) (Config, error) {
	return Parse("pit.yaml", []byte("site: house\ntables: [bj1]\nstore: {time_zone: Europe/Berlin}\n"+text))
}

func TestSettings(t *testing.T) {
	const openid = "  openid: {name: House ID, issuer: \"https://id.example\", client: sabot-pit, roles: [{group: " +
		"bosses, role: manager}]}\n"
	// blanks has one fault after the other, each of which is named.
	blanks := "web: {listen: here, cert_file: /etc/pit.crt}\npeople:\n" +
		strings.NewReplacer("House ID", "''", "sabot-pit", "''", "bosses", "''", "https://id",
			"http://id").Replace(openid)
	for _, c := range []struct{ text, want string }{
		{"web: {listen: \"127.0.0.1:8090\"}\n", ""},
		{"web: {listen: \"0.0.0.0:8443\", cert_file: /etc/pit.crt, key_file: /etc/pit.key}\n", ""},
		{"web: {listen: \"0.0.0.0:8090\", public: \"https://pit.example\", trusted_proxies: [10.0.0.1, " +
			"\"fd00::/8\"]}\n", ""},
		{"web: {public: \"https://pit.example\"}\npeople:\n" + openid, ""},
		{"people: {idle_minutes: 15, longest_hours: 8, longest_days_viewer: 90}\n", ""},
		{"web: {listen: \"0.0.0.0:8090\"}\n", "clear text"},
		{"web: {listen: here}\n", "not host:port"},
		{"web: {cert_file: /etc/pit.crt}\n", "need each other"},
		{"web: {cert_file: pit.crt, key_file: /etc/pit.key}\n", "begin it with /"},
		{"web: {public: pit.example}\n", "not the address"},
		{"web: {public: \"http://pit.example\"}\n", "not the address"},
		{"web: {public: \"https://pit.example/\"}\n", "without a / at the end"},
		{"web: {trusted_proxies: [10.0.0.1]}\n", "web.public: is missing"},
		{"web: {trusted_proxies: [proxy]}\n", "is not an address"},
		{"people: {idle_minutes: 0}\n", "from 1 to 1440"},
		{"people:\n" + openid, "web.public: is missing, so the identity provider"},
		{blanks, "openid.name: is empty"},
		{blanks, "openid.client: is empty"},
		{blanks, "openid.roles[0].group: is empty"},
		{blanks, "openid.issuer: \"http://id.example\" must begin with https://"},
		{blanks, "web.public: is missing"},
		{blanks, "web.listen: \"here\" is not host:port"},
		{blanks, "web.cert_file: cert_file and key_file need each other"},
		{
			"web: {public: \"https://pit.example\"}\npeople:\n" + strings.Replace(openid, "https://id", "http://id", 1),
			"must begin with https://",
		},
		{
			"web: {public: \"https://pit.example\"}\npeople:\n" + strings.Replace(openid, "manager", "boss", 1),
			`"boss" is not a role`,
		},
		{"web: {public: \"https://pit.example\"}\npeople:\n" +
			strings.Replace(openid, "client", "secret_file: x, client", 1), "begin it with /"},
	} {
		_, err := parseWeb(c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s gives %v, want %q", c.text, err, c.want)
		}
	}
}
