package helm_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// requiredValues contains only the required values.
const requiredValues = `
urls: {api: https://api.example.com, pages: https://vitae.example.com, console: https://console.example.com, legacy: https://legacy.example.com}
ingress: {proxies: [10.42.0.0/16]}
`

// allValues adds the values for every optional feature of the chart.
const allValues = requiredValues + `
image: {registry: registry.example.com/vitae, tag: 1.2.3, digests: {auth: "sha256:0123"}, pullSecrets: [{name: registry}]}
tls: {issuer: {name: vitae-ca, kind: Issuer}, teams: [payments], operators: [alice]}
authorities: {redis: redis-ca, postgres: postgres-ca}
addressDatabase: {claim: addresses, file: lite/countries.mmdb}
config: {OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4317"}
parts:
  auth: {config: {VITAE_AUTH_PASSWORDS_AT_ONCE: 8}, secretVersion: "7", labels: {tier: a}, annotations: {b: c}, nodeSelector: {disk: fast}, tolerations: [{key: dedicated, operator: Exists}]}
  gateway: {autoscaling: {enabled: false}, replicas: 5}
networkPolicies:
  postgres: {to: [{ipBlock: {cidr: 10.1.0.0/24}}]}
  redis: {to: [{ipBlock: {cidr: 10.2.0.0/24}}], ports: [6379, 26379]}
  bucket: {to: [{ipBlock: {cidr: 10.3.0.0/24}}]}
  collector: {to: [{ipBlock: {cidr: 10.4.0.0/24}}]}
  teams: [payments]
podMonitor: {enabled: true, labels: {release: prometheus}}
vitaectl: {args: [account, list]}
`

// set contains the objects of a rendered chart, by kind and name.
type set map[string]runtime.Object

// render renders the chart and decodes every document strictly: an unknown or duplicate field is an error.
func render(t *testing.T, values string) set {
	t.Helper()
	documents, err := documents(t, values)
	if err != nil {
		t.Fatal(err)
	}
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, certmanagerv1.AddToScheme, monitoringv1.AddToScheme} {
		if err := add(types); err != nil {
			t.Fatal(err)
		}
	}
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, types, types, json.SerializerOptions{Yaml: true, Strict: true})
	all := set{}
	for _, document := range documents {
		object, kind, err := strict.Decode(document, nil, nil)
		if err != nil {
			t.Errorf("%v\n%s", err, document)
			continue
		}
		meta := object.(metav1.Object)
		name := kind.Kind + " " + meta.GetName() + meta.GetGenerateName()
		if all[name] != nil {
			t.Errorf("%s exists twice", name)
		}
		all[name] = object
	}
	return all
}

// mustRender returns the rendered files of the chart.
func mustRender(t *testing.T, values string) map[string]string {
	t.Helper()
	files, err := renderFiles(t, values)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// renderFiles renders the chart. It returns an error if the values are invalid.
func renderFiles(t *testing.T, values string) (map[string]string, error) {
	t.Helper()
	chart, err := loader.LoadDir("vitae")
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]any
	if err := yaml.UnmarshalStrict([]byte(values), &given); err != nil {
		t.Fatal(err)
	}
	all, err := util.ToRenderValues(chart, given, common.ReleaseOptions{Name: "prod", Namespace: "vitae", IsInstall: true}, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, all)
}

func documents(t *testing.T, values string) (documents [][]byte, err error) {
	t.Helper()
	files, err := renderFiles(t, values)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(files[name])))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(bytes.TrimSpace(document)) > 0 {
				documents = append(documents, document)
			}
		}
	}
	return documents, nil
}

// of returns the objects of one kind.
func of[T runtime.Object](all set) (found []T) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if object, is := all[name].(T); is {
			found = append(found, object)
		}
	}
	return found
}
