package web_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestShoeInUse: the sheet says which shoe deals, and is sent again only when that changes.
func TestShoeInUse(t *testing.T) {
	s, page := serve(t, web.Options{})
	s.Show(displaytest.Named("deal"))
	messages := stream(t, page.URL+"/events")
	if first := next(t, messages); !strings.Contains(first, "No shoe has been heard yet") {
		t.Errorf("before a shoe was heard the page is %s", first)
	}
	for _, c := range []struct{ maker, serial, firmware, packs, want string }{
		{"sabot", "SB-1", "1.0.2", "", "<p>sabot SB-1, firmware 1.0.2</p><p>Port: /dev/ttyUSB0</p>"},
		{"sabot", "SB-1", "1.0.2", "<red>", "<p>sabot SB-1, firmware 1.0.2, packs &lt;red&gt;</p>"},
		{"bee-tek", "", "", "", "<p>bee-tek, serial number unknown</p>"},
	} {
		v := displaytest.Named("deal")
		v.Shoe.Maker, v.Shoe.Serial, v.Shoe.Firmware, v.Shoe.Packs, v.Shoe.Port = c.maker, c.serial, c.firmware,
			c.packs, "/dev/ttyUSB0"
		s.Show(v)
		if m := next(t, messages); !reflect.DeepEqual(ids(m), []string{"which"}) || !strings.Contains(m, c.want) {
			t.Errorf("%+v is sent as %s", c, m)
		}
	}
}
