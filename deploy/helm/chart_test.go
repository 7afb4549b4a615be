package helm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
)

var parts = []string{"auth", "candidate", "cvrender", "gateway", "partnercatalog"}

func TestRenderedObjectsAreValid(t *testing.T) {
	for name, values := range map[string]string{"the least": requiredValues, "everything": allValues} {
		t.Run(name, func(t *testing.T) {
			if all := render(t, values); len(of[*appsv1.Deployment](all)) != len(parts) {
				t.Errorf("deployments %v, want one for each service", of[*appsv1.Deployment](all))
			}
		})
	}
}

func TestErrorsNameMissingValues(t *testing.T) {
	for _, c := range []struct{ without, with, says string }{
		{"https://api.example.com", `""`, "urls.api is required"},
		{"https://console.example.com", `""`, "urls.console is required"},
		{"https://vitae.example.com", "http://vitae.example.com", "urls.pages must begin with https://"},
		{"[10.42.0.0/16]", "[]", "ingress.proxies is required"},
	} {
		_, err := documents(t, strings.Replace(requiredValues, c.without, c.with, 1))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("without %s: %v, want an error that contains %q", c.without, err, c.says)
		}
	}
}

func TestMisspelledValuesAreRejected(t *testing.T) {
	for _, wrong := range []string{
		"imgae: {tag: v1}", "parts: {authh: {replicas: 3}}", "parts: {auth: {replica: 3}}", "parts: {auth: {replicas: many}}", "tls: {teams: [Payments]}",
		"networkPolicies: {postgres: {port: 0}}", "config: {vitae_x: 1}", "podMonitor: {enabled: yes please}",
	} {
		if _, err := documents(t, requiredValues+wrong+"\n"); err == nil || !strings.Contains(err.Error(), "schema") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestNotesListEveryURL(t *testing.T) {
	notes := mustRender(t, requiredValues)["vitae/templates/NOTES.txt"]
	for _, address := range []string{"https://api.example.com", "https://vitae.example.com/docs", "https://console.example.com", "https://legacy.example.com"} {
		if !strings.Contains(notes, address) {
			t.Errorf("%s is not in the notes: %s", address, notes)
		}
	}
}

func TestPodsHaveOnlyTheRightsTheyNeed(t *testing.T) {
	for _, d := range of[*appsv1.Deployment](render(t, requiredValues)) {
		spec := d.Spec.Template.Spec
		if *spec.AutomountServiceAccountToken || !*spec.SecurityContext.RunAsNonRoot || spec.HostNetwork {
			t.Errorf("%s: its pods have more rights than they need", d.Name)
		}
		want := corev1.SeccompProfileTypeRuntimeDefault
		if d.Name == "prod-cvrender" { // Chromium's sandbox creates namespaces
			want = corev1.SeccompProfileTypeLocalhost
		}
		if got := spec.SecurityContext.SeccompProfile.Type; got != want {
			t.Errorf("%s: seccomp profile %s, want %s", d.Name, got, want)
		}
		for _, c := range spec.Containers {
			s := c.SecurityContext
			if *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(s.Capabilities.Add) > 0 {
				t.Errorf("%s: its container has more rights than it needs", d.Name)
			}
			if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s: there is no memory limit or no CPU request", d.Name)
			}
		}
		for _, v := range spec.Volumes {
			if v.Secret != nil && v.Secret.SecretName != d.Name+"-tls" {
				t.Errorf("%s mounts the certificate %s", d.Name, v.Secret.SecretName)
			}
		}
	}
}

func TestProbesAndGracePeriodsSuffice(t *testing.T) {
	for _, d := range of[*appsv1.Deployment](render(t, requiredValues)) {
		c := d.Spec.Template.Spec.Containers[0]
		start, ready := "/healthz", "/readyz"
		if d.Name == "prod-gateway" {
			// The gateway's /readyz fails if any service is down, although most routes do not need that
			// service.
			start, ready = "/readyz", "/healthz"
		}
		if c.LivenessProbe.HTTPGet.Path != "/healthz" || c.ReadinessProbe.HTTPGet.Path != ready || c.StartupProbe.HTTPGet.Path != start {
			t.Errorf("%s: live %s, ready %s, started %s", d.Name, c.LivenessProbe.HTTPGet.Path, c.ReadinessProbe.HTTPGet.Path, c.StartupProbe.HTTPGet.Path)
		}
		// The programs take up to 20 s to finish in-flight calls, then up to 20 s to send usage
		// reports and events.
		pause := c.Lifecycle.PreStop.Sleep.Seconds
		if grace := *d.Spec.Template.Spec.TerminationGracePeriodSeconds; grace < pause+20+20 {
			t.Errorf("%s is killed after %d s, which include a pause of %d s", d.Name, grace, pause)
		}
		if hour := int32(3600); c.StartupProbe.PeriodSeconds*c.StartupProbe.FailureThreshold < hour {
			t.Errorf("%s is restarted while its migrations run", d.Name)
		}
		if d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue() != 0 {
			t.Errorf("%s: an update stops a replica before the new one serves", d.Name)
		}
	}
}

// pods returns the labels of a deployment's pods.
func pods(d *appsv1.Deployment) labels.Set { return d.Spec.Template.Labels }

func TestSelectorsMatchOnlyTheirPods(t *testing.T) {
	all := render(t, requiredValues)
	check := func(kind, name string, selector labels.Selector) {
		t.Helper()
		for _, d := range of[*appsv1.Deployment](all) {
			if selects := selector.Matches(pods(d)); selects != (d.Name == name) {
				t.Errorf("%s %s selects the pods of %s: %t", kind, name, d.Name, selects)
			}
		}
	}
	found := map[string]int{}
	for _, object := range all {
		switch o := object.(type) {
		case *appsv1.Deployment:
			check("Deployment", o.Name, labels.SelectorFromSet(o.Spec.Selector.MatchLabels))
			found["Deployment"]++
		case *corev1.Service:
			check("Service", o.Name, labels.SelectorFromSet(o.Spec.Selector))
			found["Service"]++
		case *policyv1.PodDisruptionBudget:
			check("PodDisruptionBudget", o.Name, labels.SelectorFromSet(o.Spec.Selector.MatchLabels))
			found["PodDisruptionBudget"]++
		case *networkingv1.NetworkPolicy:
			check("NetworkPolicy", o.Name, labels.SelectorFromSet(o.Spec.PodSelector.MatchLabels))
			found["NetworkPolicy"]++
		case *autoscalingv2.HorizontalPodAutoscaler:
			if all["Deployment "+o.Spec.ScaleTargetRef.Name] == nil || o.Spec.ScaleTargetRef.Name != o.Name {
				t.Errorf("%s scales %s", o.Name, o.Spec.ScaleTargetRef.Name)
			}
			found["HorizontalPodAutoscaler"]++
		}
	}
	for _, kind := range []string{"Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "HorizontalPodAutoscaler"} {
		if found[kind] != len(parts) {
			t.Errorf("%d objects of kind %s, want one for each service", found[kind], kind)
		}
	}
}

func TestAutoscalingReplacesReplicas(t *testing.T) {
	all := render(t, allValues)
	for _, d := range of[*appsv1.Deployment](all) {
		scales := all["HorizontalPodAutoscaler "+d.Name] != nil
		if scales == (d.Spec.Replicas != nil) {
			t.Errorf("%s: autoscaled: %t, fixed replicas: %v", d.Name, scales, d.Spec.Replicas)
		}
	}
	if d := all["Deployment prod-gateway"].(*appsv1.Deployment); *d.Spec.Replicas != 5 {
		t.Errorf("the gateway has %d replicas, want the configured 5", *d.Spec.Replicas)
	}
}

func TestValuesOverrideTheChart(t *testing.T) {
	all := render(t, allValues)
	auth := all["Deployment prod-auth"].(*appsv1.Deployment).Spec.Template
	c := auth.Spec.Containers[0]
	if c.Image != "registry.example.com/vitae/auth@sha256:0123" {
		t.Errorf("auth runs %s", c.Image)
	}
	if gateway := all["Deployment prod-gateway"].(*appsv1.Deployment).Spec.Template.Spec.Containers[0]; gateway.Image != "registry.example.com/vitae/gateway:1.2.3" {
		t.Errorf("the gateway runs %s", gateway.Image)
	}
	for name, want := range map[string]string{"VITAE_AUTH_PASSWORDS_AT_ONCE": "8", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4317"} {
		if got := setting(c, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if auth.Annotations["vitae/secret-version"] != "7" || auth.Labels["tier"] != "a" || auth.Spec.NodeSelector["disk"] != "fast" {
		t.Errorf("auth's pods have other labels, annotations or nodes than configured: %v", auth.ObjectMeta)
	}
}

// A service mounts a server's certificate authority only if it uses that server.
func TestOnlyClientsOfAServerMountItsCA(t *testing.T) {
	for values, given := range map[string]bool{requiredValues: false, allValues: true} {
		for _, d := range of[*appsv1.Deployment](render(t, values)) {
			pod, part := d.Spec.Template.Spec, strings.TrimPrefix(d.Name, "prod-")
			want := map[string]string{}
			if given && slices.Contains([]string{"auth", "gateway"}, part) {
				want["redis"] = "redis-ca"
			}
			if given && slices.Contains([]string{"auth", "partnercatalog", "candidate"}, part) {
				want["postgres"] = "postgres-ca"
			}
			got := map[string]string{}
			for _, m := range pod.Containers[0].VolumeMounts {
				server, found := strings.CutPrefix(m.MountPath, "/authorities/")
				if !found {
					continue
				}
				for _, v := range pod.Volumes {
					if v.Name == m.Name && v.Secret.Items[0].Path == "ca.crt" {
						got[server] = v.Secret.SecretName
					}
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s has the authorities %v, want %v", part, got, want)
			}
			if file := setting(pod.Containers[0], "VITAE_REDIS_CA"); (file == "/authorities/redis/ca.crt") != (want["redis"] != "") {
				t.Errorf("%s: VITAE_REDIS_CA is %q", part, file)
			}
		}
	}
}

func setting(c corev1.Container, name string) string {
	for _, e := range c.Env {
		if e.Name == name {
			return e.Value
		}
	}
	return ""
}

func TestOnlyAuthMountsIPAddressDatabase(t *testing.T) {
	for values, given := range map[string]bool{requiredValues: false, allValues: true} {
		for _, d := range of[*appsv1.Deployment](render(t, values)) {
			pod, want := d.Spec.Template.Spec, given && d.Name == "prod-auth"
			mounted := slices.ContainsFunc(pod.Containers[0].VolumeMounts, func(m corev1.VolumeMount) bool {
				return m.Name == "addresses" && m.MountPath == "/addresses" && m.ReadOnly
			})
			claimed := slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool {
				return v.Name == "addresses" && v.PersistentVolumeClaim.ClaimName == "addresses" && v.PersistentVolumeClaim.ReadOnly
			})
			named := setting(pod.Containers[0], "VITAE_ADDRESS_DATABASE") == "/addresses/lite/countries.mmdb"
			if mounted != want || claimed != want || named != want {
				t.Errorf("%s: mounted %t, claimed %t, named %t, want %t", d.Name, mounted, claimed, named, want)
			}
		}
	}
}
