// Package deployed checks the examples for containers in deploy/cluster with the libraries of Compose and Kubernetes
// themselves. It is a module of its own: they are forty modules, which no program and no other test of Sabot needs.
package deployed

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const examples = "../../../deploy/cluster"

func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// composed is what Compose reads of a file, or why it refuses it.
func composed(t *testing.T, text []byte) (*types.Project, error) {
	t.Helper()
	folder, err := filepath.Abs(examples)
	if err != nil {
		t.Fatal(err)
	}
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  folder,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(folder, "compose.yaml"), Content: text}},
		Environment: types.Mapping{},
	}, func(o *loader.Options) { o.SetProjectName("sabot", true) })
}

// TestCompose: Compose takes the file, and reads three services with their ports and volumes.
func TestCompose(t *testing.T) {
	p, err := composed(t, example(t, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Services) != 3 || len(p.Volumes) != 3 {
		t.Errorf("it has %d services and %d volumes", len(p.Services), len(p.Volumes))
	}
	for name, s := range p.Services {
		if len(s.Ports) != 2 || len(s.Volumes) != 3 || !s.ReadOnly {
			t.Errorf("%s has ports %v, volumes %v, read only %v", name, s.Ports, s.Volumes, s.ReadOnly)
		}
		for _, v := range s.Volumes {
			given := v.Type == types.VolumeTypeBind && filepath.Base(v.Source) != "secrets"
			if _, err := os.Stat(v.Source); given && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestComposeRefuses: a wrong key, and a value of the wrong kind, are found.
func TestComposeRefuses(t *testing.T) {
	for _, wrong := range []string{"read_onlyy: true", "read_only: [true]"} {
		text := bytes.Replace(example(t, "compose.yaml"), []byte("read_only: true"), []byte(wrong), 1)
		if _, err := composed(t, text); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// kinds are the kinds of objects, by version.
var kinds = map[string]func() any{
	"v1 Service":                    func() any { return new(core.Service) },
	"apps/v1 StatefulSet":           func() any { return new(apps.StatefulSet) },
	"policy/v1 PodDisruptionBudget": func() any { return new(policy.PodDisruptionBudget) },
}

// objects reads each object of a file strictly, as the type that its kind has in Kubernetes.
func objects(text string) (list []any, err error) {
	for one := range strings.SplitSeq(text, "\n---\n") {
		var is meta.TypeMeta
		if err := yaml.Unmarshal([]byte(one), &is); err != nil {
			return nil, err
		}
		kind := is.APIVersion + " " + is.Kind
		begin, known := kinds[kind]
		if !known {
			return nil, fmt.Errorf("%s is no kind that is known here", kind)
		}
		object := begin()
		if err := yaml.UnmarshalStrict([]byte(one), object); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		list = append(list, object)
	}
	return list, nil
}

// TestKubernetes: each object is what its type in Kubernetes has, and no probe or mount leads to what the pod lacks.
func TestKubernetes(t *testing.T) {
	list, err := objects(string(example(t, "kubernetes.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	sets := 0
	for _, object := range list {
		set, is := object.(*apps.StatefulSet)
		if !is {
			continue
		}
		sets++
		pod := set.Spec.Template.Spec
		volumes := map[string]bool{}
		for _, v := range pod.Volumes {
			volumes[v.Name] = true
		}
		for _, claim := range set.Spec.VolumeClaimTemplates {
			volumes[claim.Name] = true
		}
		for _, c := range append(pod.InitContainers, pod.Containers...) {
			for _, m := range c.VolumeMounts {
				if !volumes[m.Name] {
					t.Errorf("%s mounts %s, which is no volume", set.Name, m.Name)
				}
			}
		}
		ports := map[string]bool{}
		for _, p := range pod.Containers[0].Ports {
			ports[p.Name] = true
		}
		if probe := pod.Containers[0].ReadinessProbe; !ports[probe.TCPSocket.Port.String()] {
			t.Errorf("%s is probed at %s, which is no port", set.Name, probe.TCPSocket.Port.String())
		}
	}
	if len(list) != 8 || sets != 3 {
		t.Errorf("there are %d objects, of which %d are StatefulSets", len(list), sets)
	}
}

// TestKubernetesRefuses: a wrong key, one at the wrong place, a value of the wrong kind and an unknown kind are found.
func TestKubernetesRefuses(t *testing.T) {
	text := string(example(t, "kubernetes.yaml"))
	for right, wrong := range map[string]string{
		"terminationGracePeriodSeconds: 30": "terminationGracePeriod: 30",
		"serviceName: pit-1":                "serviceName: pit-1\n  securityContext: {}",
		"replicas: 1":                       "replicas: one",
		"kind: StatefulSet":                 "kind: StatefulSets",
	} {
		if _, err := objects(strings.Replace(text, right, wrong, 1)); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
