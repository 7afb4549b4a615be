package helm_test

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// targets returns the names of the other services whose addresses are in a container's settings.
func targets(t *testing.T, self string, c corev1.Container) (found []string) {
	t.Helper()
	for _, part := range parts {
		value := setting(c, "VITAE_"+strings.ToUpper(part)+"_GRPC_ADDR")
		if value == "" || part == self {
			continue
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "dns" || !strings.HasPrefix(u.Path, "/prod-"+part+".vitae.svc:") {
			t.Errorf("%s calls %s at %s", self, part, value)
		}
		found = append(found, part)
	}
	return found
}

// admits reports whether a rule's peers include a pod with these labels in the namespace
// of the release.
func admits(peers []networkingv1.NetworkPolicyPeer, pod labels.Set) bool {
	return slices.ContainsFunc(peers, func(p networkingv1.NetworkPolicyPeer) bool {
		if p.PodSelector == nil || p.NamespaceSelector != nil {
			return false
		}
		selector, err := metav1.LabelSelectorAsSelector(p.PodSelector)
		return err == nil && selector.Matches(pod)
	})
}

// The policies must allow a call if, and only if, the caller's settings contain the address of the service.
func TestPoliciesAllowOnlyNeededCalls(t *testing.T) {
	all := render(t, requiredValues)
	for _, caller := range parts {
		from := all["Deployment prod-"+caller].(*appsv1.Deployment)
		calls := targets(t, caller, from.Spec.Template.Spec.Containers[0])
		egress := all["NetworkPolicy prod-"+caller].(*networkingv1.NetworkPolicy).Spec.Egress
		for _, callee := range parts {
			to := all["Deployment prod-"+callee].(*appsv1.Deployment)
			may := slices.Contains(calls, callee)
			takes := slices.ContainsFunc(all["NetworkPolicy prod-"+callee].(*networkingv1.NetworkPolicy).Spec.Ingress, func(r networkingv1.NetworkPolicyIngressRule) bool {
				return admits(r.From, pods(from))
			})
			sends := slices.ContainsFunc(egress, func(r networkingv1.NetworkPolicyEgressRule) bool { return admits(r.To, pods(to)) })
			if takes != may || sends != may {
				t.Errorf("%s calls %s: %t; the caller's policy allows it: %t; the other service's policy allows it: %t", caller, callee, may, sends, takes)
			}
		}
	}
}

func TestOnlyUsersReachTheirDatabases(t *testing.T) {
	all := render(t, allValues)
	for _, part := range parts {
		var blocks []string
		for _, rule := range all["NetworkPolicy prod-"+part].(*networkingv1.NetworkPolicy).Spec.Egress {
			for _, peer := range rule.To {
				if peer.IPBlock != nil && strings.HasPrefix(peer.IPBlock.CIDR, "10.") {
					blocks = append(blocks, peer.IPBlock.CIDR)
				}
			}
		}
		want := map[string][]string{
			"auth":           {"10.1.0.0/24", "10.2.0.0/24", "10.4.0.0/24"},
			"partnercatalog": {"10.1.0.0/24", "10.4.0.0/24"},
			"candidate":      {"10.1.0.0/24", "10.3.0.0/24", "10.4.0.0/24"},
			"cvrender":       {"10.4.0.0/24"},
			"gateway":        {"10.2.0.0/24", "10.4.0.0/24"},
		}[part]
		if !slices.Equal(blocks, want) {
			t.Errorf("%s reaches %v, want %v", part, blocks, want)
		}
	}
}

// The chart must have every setting that docker-compose.yml has, in the service's settings or in its secret.
func TestSettingsMatchCompose(t *testing.T) {
	raw, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Environment map[string]any `json:"environment"`
		} `json:"services"`
	}
	if err := yaml.Unmarshal(raw, &compose); err != nil {
		t.Fatal(err)
	}
	secrets := map[string][]string{
		"auth":           {"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL", "VITAE_REDIS_URL", "VITAE_RECORD_KEYS", "VITAE_SMTP_URL", "VITAE_MAIL_FROM"},
		"partnercatalog": {"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL"},
		"candidate":      {"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL", "VITAE_BLOB_URL", "VITAE_BLOB_SIGNING_KEYS", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"},
		"gateway":        {"VITAE_REDIS_URL", "VITAE_CV_LINK_KEYS", "VITAE_COOKIE_KEYS", "VITAE_RECORD_KEYS"},
	}
	// Compose passes these settings on only if an operator has set them. In the chart, they are set in `config`, and
	// the IP address database is set in `addressDatabase`. Kubernetes itself removes a terminating pod from its
	// service, so the gateway needs no drain pause.
	optional := []string{"VITAE_DRAIN_PAUSE", "VITAE_PLAIN_HTTP", "VITAE_SECURITY_CONTACT", "VITAE_PROFILE_URL", "VITAE_ADDRESS_DATABASE"}
	all := render(t, requiredValues)
	for _, part := range parts {
		has := map[string]bool{"VITAE_OPS_ADDR": true} // set in the images
		for name := range compose.Services[part].Environment {
			// Compose passes some settings as files; pods get them as environment variables.
			if name = strings.TrimSuffix(name, "_FILE"); !slices.Contains(optional, name) {
				has[name] = true
			}
		}
		given := map[string]bool{}
		for _, e := range all["Deployment prod-"+part].(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Env {
			given[e.Name] = true
		}
		for _, name := range secrets[part] {
			given[name] = true
		}
		if !maps.Equal(has, given) {
			t.Errorf("%s has the settings %v in docker-compose.yml, %v in the chart", part, slices.Sorted(maps.Keys(has)), slices.Sorted(maps.Keys(given)))
		}
	}
}

func TestEveryCallerHasItsOwnCertificate(t *testing.T) {
	all := render(t, allValues)
	want := map[string]string{"prod-internal-payments-tls": "internal/payments", "prod-vitaectl-tls": "vitaectl", "prod-vitaectl-alice-tls": "vitaectl/alice"}
	for _, part := range parts {
		want["prod-"+part+"-tls"] = part
	}
	got := map[string]string{}
	for _, c := range of[*certmanagerv1.Certificate](all) {
		got[c.Spec.SecretName] = strings.Join(c.Spec.DNSNames, ",")
	}
	if !maps.Equal(got, want) {
		t.Errorf("certificates %v, want %v", got, want)
	}
	if n := len(of[*certmanagerv1.Certificate](render(t, requiredValues))); n != 0 {
		t.Errorf("%d certificates without an issuer", n)
	}
}

func TestEveryHostIsRoutedToItsPort(t *testing.T) {
	all := render(t, requiredValues)
	ports := map[string]int32{}
	for _, p := range all["Service prod-gateway"].(*corev1.Service).Spec.Ports {
		ports[p.Name] = p.Port
	}
	gateway := all["Deployment prod-gateway"].(*appsv1.Deployment).Spec.Template.Spec.Containers[0]
	auth := all["Deployment prod-auth"].(*appsv1.Deployment).Spec.Template.Spec.Containers[0]
	if got := setting(auth, "VITAE_CONSOLE_URL"); got != "https://console.example.com" {
		t.Errorf("auth's emails link to the console at %q", got)
	}
	for _, c := range []struct {
		host, url, addr string
		port            int32
	}{
		{"api.example.com", "VITAE_BASE_URL", "VITAE_PUBLIC_ADDR", 8080},
		{"vitae.example.com", "VITAE_APP_URL", "VITAE_APP_ADDR", 8081},
		{"legacy.example.com", "VITAE_LEGACY_BASE_URL", "VITAE_LEGACY_ADDR", 8082},
		{"console.example.com", "VITAE_CONSOLE_URL", "VITAE_CONSOLE_ADDR", 8083},
	} {
		if got := setting(gateway, c.url); got != "https://"+c.host {
			t.Errorf("%s is %s", c.url, got)
		}
		var leads string
		for _, rule := range all["Ingress prod"].(*networkingv1.Ingress).Spec.Rules {
			if rule.Host == c.host {
				leads = rule.HTTP.Paths[0].Backend.Service.Port.Name
			}
		}
		if ports[leads] != c.port || setting(gateway, c.addr) != fmt.Sprintf(":%d", c.port) {
			t.Errorf("%s leads to the port %q, %d", c.host, leads, ports[leads])
		}
	}
}

func TestVitaectlJobIsNotRepeated(t *testing.T) {
	jobs := of[*batchv1.Job](render(t, allValues))
	if len(jobs) != 1 || *jobs[0].Spec.BackoffLimit != 0 {
		t.Fatalf("jobs: %v", jobs)
	}
	c := jobs[0].Spec.Template.Spec.Containers[0]
	if !slices.Equal(c.Args, []string{"account", "list"}) || !slices.Equal(targets(t, "vitaectl", c), []string{"auth", "candidate", "partnercatalog"}) {
		t.Errorf("it runs %v with %v", c.Args, c.Env)
	}
	if n := len(of[*batchv1.Job](render(t, requiredValues))); n != 0 {
		t.Errorf("%d jobs without vitaectl.args, want none", n)
	}
}
