package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestDevices reads testdata/devices.txt: "devices" lists a made-up machine with the given
// flags, and with the lines below, if any, in the configuration.
func TestDevices(t *testing.T) {
	datadriven.RunTest(t, "testdata/devices.txt", func(t *testing.T, d *datadriven.TestData) string {
		machine, args := "", []string{}
		for _, arg := range d.CmdArgs {
			if arg.Key == "machine" {
				machine = arg.Vals[0]
				continue
			}
			args = append(args, "--"+strings.Join(append([]string{arg.Key}, arg.Vals...), "="))
		}
		path := ""
		if d.Input != "" {
			path = write(t, "site: a\ntable: b\nhouse: wiesbaden\nsupervisors: {proof: none}\n"+d.Input+"\n")
			args = append(args, "--config", path)
		}
		var out, errOut bytes.Buffer
		err := listFound(newSet(), args, devicetest.Tree(t, machine), env{strings.NewReader(""), &out, &errOut})
		said := out.String() + errOut.String()
		if err != nil {
			said += "sabot: " + err.Error() + "\n"
		}
		if path != "" {
			said = strings.ReplaceAll(said, path, "sabot.yaml")
		}
		return said
	})
}

// TestDevicesJSON: the same machines, as JSON for tools.
func TestDevicesJSON(t *testing.T) {
	path := write(t,
		"site: a\ntable: b\nhouse: wiesbaden\nsupervisors: {proof: none}\nshoe: {port: /dev/ttyUSB7}\nlcd: {bus: "+
			"/dev/i2c-1}\n")
	var out bytes.Buffer
	err := listFound(newSet(), []string{"--json", "--probe", "--user", "sabot", "--config", path},
		devicetest.Tree(t, "pi4"), env{nil, &out, &out})
	if err == nil || !strings.Contains(err.Error(), "2 things are wrong") {
		t.Errorf("the verdict is %v", err)
	}
	var got devices.List
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	if len(got.Serial) != 2 || got.Serial[1].Latency != 16 || len(got.GPIO[0].Lines) != 58 ||
		fmt.Sprint(got.I2C[0].Answers) != "[0x27]" {
		t.Errorf("the inventory is %+v", got.Machine)
	}
	if p := got.Problems; len(p) != 2 || p[0].Key != "shoe.port" || p[1].Key != "lcd.bus" || p[1].Do == "" {
		t.Errorf("the problems are %+v", p)
	}
	if strings.Join(got.Uses["/dev/i2c-1"], "") != "lcd.bus" {
		t.Errorf("the uses are %v", got.Uses)
	}
}

// TestDevicesAcrossTheNetwork: a converter that nobody serves is wrong, and one that answers is well.
func TestDevicesAcrossTheNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", system.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address := "tcp://" + listener.Addr().String()
	path := write(t, "site: a\ntable: b\nhouse: wiesbaden\nsupervisors: {proof: none}\nshoe: {port: \""+address+"\"}\n")
	if got := sabot(t, "", "devices", "--config", path); got.Status != exitOK ||
		!strings.Contains(got.Out, "all well") {
		t.Errorf("a port that is served: %+v", got)
	}
	listener.Close()
	got := sabot(t, "", "devices", "--config", path)
	if want := "WRONG shoe.port: nobody answers at " + address + ": "; got.Status != exitFailed ||
		!strings.Contains(got.Out, want) {
		t.Errorf("a port that nobody serves: %+v, which does not say %q", got, want)
	}
}

func TestDevicesUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"devices", "all"}, exitUsage, `"all" is too much`},
		{[]string{"devices", "--kofnig", "x"}, exitUsage, "-kofnig"},
		{[]string{"devices", "watch"}, exitUsage, "devices watch: it needs a configuration"},
		{[]string{"devices", "watch", "--config", "missing.yaml"}, exitFailed, "missing.yaml"},
		{[]string{"devices", "--config", "missing.yaml"}, exitFailed, "missing.yaml"},
		{[]string{"devices", "--user", "nobody-here"}, exitFailed, "getent passwd"},
	} {
		wantFailure(t, sabot(t, "", c.args...), c.status, "sabot: ", c.want)
	}
	if got := sabot(t, "", "devices", "--json"); got.Status != exitOK || !json.Valid([]byte(got.Out)) {
		t.Errorf("sabot devices --json of this machine ended with %+v", got)
	}
}

func newSet() *flag.FlagSet { return flag.NewFlagSet("devices", flag.ContinueOnError) }
