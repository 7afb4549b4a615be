//go:build compose

package compose_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

const (
	// patience limits how long to wait for a condition. It allows for a busy machine.
	patience     = 6 * time.Minute
	pollInterval = 500 * time.Millisecond
)

// scalable lists the services that may have several replicas, in the order of a rollout.
var scalable = []string{"auth", "partnercatalog", "candidate", "cvrender", "gateway"}

// services lists all services that docker-compose.yml starts.
var services = append([]string{"postgres", "redis", "certs", "proxy"}, scalable...)

// created is the output of an import.
type created = world.Created

// container holds the fields of `docker inspect` that the tests read.
type container struct {
	ID    string
	Name  string
	Image string
	State struct {
		Pid     int
		Running bool
		Health  *struct{ Status string }
	}
	HostConfig struct {
		Memory, PidsLimit int64
		SecurityOpt       []string
	}
	RestartCount int
}

// healthy reports whether the container is healthy, or is running if it has no health check.
func (c container) healthy() bool {
	return c.State.Running && (c.State.Health == nil || c.State.Health.Status == "healthy")
}

// containers returns the containers of a service, or all containers if service is empty. It omits
// containers that are removed concurrently.
func (d *deployment) containers(t testing.TB, service string) (all []container) {
	t.Helper()
	filters := []string{"ps", "--quiet", "--no-trunc", "--all", "--filter", "label=com.docker.compose.project=" + project, "--filter", "label=com.docker.compose.oneoff=False"}
	if service != "" {
		filters = append(filters, "--filter", "label=com.docker.compose.service="+service)
	}
	for id := range strings.FieldsSeq(docker(t, filters...)) {
		var found []container
		if err := json.Unmarshal([]byte(tryOutput("docker", "inspect", id)), &found); err == nil {
			all = append(all, found...)
		}
	}
	return all
}

// until waits until condition returns true, and fails the test if that takes longer than patience.
func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(pollInterval) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v until %s", patience, what)
		}
	}
}

// awaitHealthy waits until a service has the given number of containers and all of them are healthy.
func (d *deployment) awaitHealthy(t testing.TB, service string, want int) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(d.logs(service))
		}
	}()
	until(t, service+" is healthy", func() bool {
		all := d.containers(t, service)
		return len(all) == want && !slices.ContainsFunc(all, func(c container) bool { return !c.healthy() })
	})
}

func (d *deployment) logs(service string) string {
	out, _ := d.command(context.Background(), "logs", "--no-color", "--tail", "40", service).CombinedOutput()
	return string(out)
}

// up builds missing images, starts everything, and waits until all services are healthy.
func (d *deployment) up(t testing.TB) {
	t.Helper()
	d.build(t)
	d.compose(t, "up", "--detach", "--no-build")
	for _, s := range services {
		d.awaitHealthy(t, s, 1)
	}
	// The proxy's image has no program for a health check of the listener.
	until(t, "the proxy responds", func() bool {
		a, err := partner.Get(t.Context(), api+"/.well-known/oauth-authorization-server", "")
		return err == nil && a.Status == 200
	})
}

func (d *deployment) build(t testing.TB) {
	t.Helper()
	if d.built {
		return
	}
	began := time.Now()
	d.compose(t, "--profile", "tools", "--profile", "partner", "build")
	d.built = true
	t.Logf("images %s built in %v", d.version, time.Since(began).Round(time.Second))
}

// running returns the shared deployment. It starts it and imports the demo world if necessary.
func running(t testing.TB) *deployment {
	t.Helper()
	system.up(t)
	if system.world == nil {
		system.world, system.own = system.importDemo(t), system.importOwn(t)
	}
	return system
}

func (d *deployment) importDemo(t testing.TB) *created {
	t.Helper()
	began := time.Now()
	out := d.vitaectl(t, "import", "/demo/world.json")
	t.Logf("demo world imported in %v", time.Since(began).Round(100*time.Millisecond))
	c := &created{}
	if err := json.Unmarshal([]byte(out), c); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return c
}

// importOwn imports a person and a client for the tests, with a plan that does not limit them.
func (d *deployment) importOwn(t testing.TB) *created {
	t.Helper()
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}}
	w.Developers[0].Apps[0].APIKeys = []world.APIKey{{Ref: "ats", Name: "Tests", Scopes: world.CompanyScopes}}
	raw, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	d.person = w.People[0]
	write(t, d.dir+"/own.json", string(raw))
	out := d.compose(t, "run", "--rm", "-T", "--volume", d.dir+"/own.json:/own.json:ro", "vitaectl", "import", "/own.json")
	c := &created{}
	if err := json.Unmarshal([]byte(out), c); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return c
}

func (d *deployment) vitaectl(t testing.TB, args ...string) string {
	t.Helper()
	return d.compose(t, append([]string{"run", "--rm", "-T", "vitaectl"}, args...)...)
}

func TestFirstStartBecomesHealthy(t *testing.T) {
	system.build(t)
	system.compose(t, "--profile", "partner", "down", "--volumes")
	system.world = nil
	began := time.Now()
	system.up(t)
	t.Logf("first start: healthy after %v", time.Since(began).Round(time.Second))
	for _, c := range system.containers(t, "") {
		if c.HostConfig.Memory == 0 || c.HostConfig.PidsLimit == 0 {
			t.Errorf("%s: memory limit %d, process limit %d, want limits", c.Name, c.HostConfig.Memory, c.HostConfig.PidsLimit)
		}
	}
}

func TestDemoWorldIsImported(t *testing.T) {
	d := running(t)
	if len(d.world.People) == 0 || len(d.world.APIKeys) == 0 || len(d.world.Jobs) == 0 {
		t.Errorf("the import created only %+v", d.world)
	}
	if got := d.vitaectl(t, "person", "find", "layla.haddad@demo.vitae.example"); !strings.Contains(got, "Layla Haddad") {
		t.Error(got)
	}
}

func TestVitaectlImagePrintsItsVersion(t *testing.T) {
	d := running(t)
	if got := d.vitaectl(t, "version"); !strings.Contains(got, "vitaectl "+ours+" ") {
		t.Error(got)
	}
}
