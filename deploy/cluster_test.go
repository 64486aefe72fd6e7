package deploy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sabot-table/sabot/pit"
)

// nodeConfig is the configuration of a node, which the pit takes.
func nodeConfig(t *testing.T, number int) pit.Config {
	t.Helper()
	file := fmt.Sprintf("cluster/pit-%d.yaml", number)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pit.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestClusterConfigs: the pit takes the configurations of the three nodes, which differ in the node's name alone;
// tables are asked by that.
func TestClusterConfigs(t *testing.T) {
	first, err := os.ReadFile("cluster/pit-1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		name := fmt.Sprintf("pit-%d", i)
		c := nodeConfig(t, i)
		if c.Cluster.Node != name || c.MQTT.Reader != name {
			t.Errorf("%s is %s, and asks as %s", name, c.Cluster.Node, c.MQTT.Reader)
		}
		text, err := os.ReadFile("cluster/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		same := strings.NewReplacer("# Node "+name, "# Node pit-1", "node: "+name, "node: pit-1").Replace(string(text))
		if same != string(first) {
			t.Errorf("%s differs in more than its name", name)
		}
	}
}

// composed is what of Compose's form is used; anything else is a slip.
type composed struct {
	Name     string                  `yaml:"name"`
	XPit     map[string]any          `yaml:"x-pit"`
	Services map[string]composedPart `yaml:"services"`
	Volumes  map[string]struct{}     `yaml:"volumes"`
}

type composedPart struct {
	Image           string   `yaml:"image"`
	Restart         string   `yaml:"restart"`
	StopGracePeriod string   `yaml:"stop_grace_period"`
	ReadOnly        bool     `yaml:"read_only"`
	CapDrop         []string `yaml:"cap_drop"`
	SecurityOpt     []string `yaml:"security_opt"`
	Command         []string `yaml:"command"`
	Ports           []string `yaml:"ports"`
	Volumes         []string `yaml:"volumes"`
}

// TestCompose: each node is a service of its own name, with its own file and its own volume, and leads to what it
// listens at.
func TestCompose(t *testing.T) {
	text, err := os.ReadFile("cluster/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c composed
	in := yaml.NewDecoder(bytes.NewReader(text))
	in.KnownFields(true)
	if err := in.Decode(&c); err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{}
	for i := 1; i <= 3; i++ {
		config := nodeConfig(t, i)
		name := config.Cluster.Node
		s, is := c.Services[name]
		_, kept := c.Volumes[name]
		if !is || !kept || s.Image == "" || !s.ReadOnly {
			t.Errorf("%s is no service, or keeps nothing: %+v", name, s)
		}
		all := strings.Join(s.Volumes, " ")
		for _, wants := range []string{"./" + name + ".yaml:" + s.Command[1] + ":ro", name + ":/var/lib/sabot"} {
			if !strings.Contains(all, wants) {
				t.Errorf("%s has not %s", name, wants)
			}
		}
		for _, listens := range []string{config.Broker.Listen, config.Web.Listen} {
			_, port, _ := net.SplitHostPort(listens)
			if !strings.Contains(strings.Join(s.Ports, " ")+" ", ":"+port+" ") {
				t.Errorf("%s does not lead to %s", name, listens)
			}
		}
		for _, p := range s.Ports {
			if host, _, _ := strings.Cut(p, ":"); taken[host] {
				t.Errorf("the port %s is taken twice", host)
			} else {
				taken[host] = true
			}
		}
		for _, n := range config.Cluster.Nodes {
			if host, _, _ := net.SplitHostPort(n.Address); c.Services[host].Image == "" {
				t.Errorf("%s looks for %s, which is no service", name, n.Address)
			}
		}
	}
}

// object is one of Kubernetes.
type object struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name   string            `yaml:"name"`
		Labels map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Spec map[string]any `yaml:"spec"`
}

// at is a value below keys, and list positions.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

// TestKubernetes: each node has a StatefulSet and a Service of its name, by which the others find it, its own
// configuration, and ports that it listens at.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile("cluster/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]object{}
	in := yaml.NewDecoder(bytes.NewReader(text))
	in.KnownFields(true)
	for {
		var o object
		err := in.Decode(&o)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		objects[o.Kind+" "+o.Metadata.Name] = o
	}
	versions := map[string]string{"Service": "v1", "StatefulSet": "apps/v1", "PodDisruptionBudget": "policy/v1"}
	for name, o := range objects {
		if versions[o.Kind] != o.APIVersion {
			t.Errorf("%s is %s", name, o.APIVersion)
		}
	}
	for i := 1; i <= 3; i++ {
		config := nodeConfig(t, i)
		name := config.Cluster.Node
		set, service := objects["StatefulSet "+name], objects["Service "+name]
		if set.Spec == nil || service.Spec == nil {
			t.Fatalf("%s has no StatefulSet, or no Service", name)
		}
		labels := fmt.Sprint(at(t, set.Spec, "template", "metadata", "labels"))
		if labels != fmt.Sprint(at(t, service.Spec, "selector")) ||
			labels != fmt.Sprint(at(t, set.Spec, "selector", "matchLabels")) {
			t.Errorf("%s is not found by its labels", name)
		}
		pod := at(t, set.Spec, "template", "spec", "containers", 0)
		if got := fmt.Sprint(at(t, pod, "args")); got != "[--config /etc/sabot/"+name+".yaml]" {
			t.Errorf("%s is started with %s", name, got)
		}
		ports := fmt.Sprint(at(t, pod, "ports"))
		for _, listens := range []string{config.Broker.Listen, config.Web.Listen, config.Cluster.Nodes[i-1].Address} {
			if _, port, _ := net.SplitHostPort(listens); !strings.Contains(ports, "containerPort:"+port+" ") {
				t.Errorf("%s has no port %s: %s", name, port, ports)
			}
		}
		for _, n := range config.Cluster.Nodes {
			if host, _, _ := net.SplitHostPort(n.Address); objects["Service "+host].Spec == nil {
				t.Errorf("%s looks for %s, which is no Service", name, n.Address)
			}
		}
	}
}
