//go:build compose

package compose_test

import (
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

// inside runs a command in a Debian container that shares the network or the processes of
// another one.
func inside(t testing.TB, line string, options ...string) string {
	t.Helper()
	args := append([]string{"run", "--rm"}, options...)
	return docker(t, append(args, "debian:bookworm-slim", "sh", "-c", line)...)
}

func TestChromiumIsSandboxedUnderItsProfile(t *testing.T) {
	d := running(t)
	_, tokens := connected(t)
	pdf := expect.Must(partner.Get(t.Context(), api+"/v1/me/cv.pdf", tokens.Access))(t)
	expect.Shows(t, "the PDF", expect.Flattened(expect.PDFText(t, pdf)), true, "Layla")

	c := d.containers(t, "cvrender")[0]
	// Of each process: its name, its filters, and its user namespace.
	processes := inside(t, `for p in /proc/[0-9]*; do [ -r $p/status ] && echo "$(tr '\0' ' ' <$p/cmdline | cut -c1-4000) $(grep -h -E '^(NoNewPrivs|Seccomp|CapPrm):' $p/status | tr -d '\n\t') $(readlink $p/ns/user)"; done`,
		"--pid", "container:"+c.ID, "--cap-add", "SYS_PTRACE")
	outer, renderers := "", 0
	for line := range strings.Lines(processes) {
		if strings.HasPrefix(line, "/cvrender") {
			_, outer, _ = strings.Cut(strings.TrimSpace(line), "user:")
			if !strings.Contains(line, "CapPrm:0000000000000000") {
				t.Errorf("cvrender has capabilities: %s", line)
			}
		}
	}
	for line := range strings.Lines(processes) {
		if !strings.Contains(line, "chromium") || !strings.Contains(line, "user:") { // or it has just ended
			continue
		}
		if !strings.Contains(line, "NoNewPrivs:1") || !strings.Contains(line, "Seccomp:2") {
			t.Errorf("without a filter: %s", line)
		}
		if strings.Contains(line, "--type=renderer") {
			renderers++
			if strings.HasSuffix(strings.TrimSpace(line), outer) {
				t.Errorf("a renderer in the user namespace of the container: %s", line)
			}
		}
		if strings.Contains(line, "--no-sandbox") {
			t.Errorf("without a sandbox: %s", line)
		}
	}
	if outer == "" || renderers == 0 {
		t.Errorf("no cvrender or no renderer among the processes:\n%s", processes)
	}
}

func TestNothingServesAsRoot(t *testing.T) {
	d := running(t)
	for _, c := range d.containers(t, "") {
		if uid := inside(t, `sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' /proc/1/status`, "--pid", "container:"+c.ID); uid == "0" || uid == "" {
			t.Errorf("%s runs as root", c.Name)
		}
	}
}

func TestServicesReachOnlyWhatTheyNeed(t *testing.T) {
	d := running(t)
	for service, want := range map[string]string{
		"proxy":          "gateway",
		"cvrender":       "candidate gateway",
		"gateway":        "auth candidate cvrender partnercatalog proxy redis",
		"partnercatalog": "auth candidate gateway postgres",
	} {
		c := d.containers(t, service)[0]
		var seen []string
		for _, other := range []string{"auth", "candidate", "cvrender", "gateway", "partnercatalog", "postgres", "proxy", "redis"} {
			if other != service && inside(t, "getent hosts "+other+" || true", "--network", "container:"+c.ID) != "" {
				seen = append(seen, other)
			}
		}
		if got := strings.Join(seen, " "); got != want {
			t.Errorf("%s finds %s, want %s", service, got, want)
		}
	}
}

func TestServicesHaveOnlyTheirOwnKey(t *testing.T) {
	d := running(t)
	for _, part := range parts {
		c := d.containers(t, part)[0]
		if got := inside(t, "ls /certs", "--volumes-from", c.ID+":ro"); got != "ca.pem\ncert.pem\nkey.pem" {
			t.Errorf("%s has %q", part, got)
		}
	}
	environment := docker(t, append([]string{"inspect", "--format", "{{.Config.Env}}"}, ids(d.containers(t, ""))...)...)
	if strings.Contains(environment, "postgres://") || strings.Contains(environment, "redis://") {
		t.Error("the description of a container has a password")
	}
}

func ids(all []container) (ids []string) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

// endless is a body that counts the bytes that were read from it.
type endless struct{ taken, left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.taken, e.left = e.taken+n, e.left-n
	return int(n), nil
}

func TestUnauthorizedBodyIsNotReadWhole(t *testing.T) {
	running(t)
	const size = 300 << 20
	body := &endless{left: size}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, api+"/v1/companies", body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength, req.Header["Content-Type"] = size, []string{"application/json"}
	res, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
	if err == nil { // the connection may be closed before the answer is read
		res.Body.Close()
		if res.StatusCode != 401 && res.StatusCode != 413 {
			t.Errorf("status %d", res.StatusCode)
		}
	}
	if body.taken > 32<<20 {
		t.Errorf("%d bytes were taken", body.taken)
	}
	t.Logf("%.1f MB were taken of 300 MB", float64(body.taken)/(1<<20))
}

// crowd is how many clients are connected at once; an earlier proxy had room for 512.
const crowd = 800

// containers are the networks that have the addresses of clients on this machine.
const containers = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 127.0.0.0/8"

func TestProxyHandlesManyConnections(t *testing.T) {
	// All clients have addresses of the container network, and one address has a limited share.
	system.vary(t, []string{"VITAE_OUTER_PROXIES=" + containers})
	d := running(t)
	all := make([]*http.Client, crowd)
	for i := range all {
		all[i] = newClient()
		defer all[i].CloseIdleConnections()
	}
	ask := func(c *http.Client) {
		res, err := c.Get(api + "/.well-known/oauth-authorization-server")
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Error(res.Status)
		}
	}
	for range 3 { // no client closes its connection
		for _, c := range all {
			ask(c)
		}
	}
	// Of the proxy's connections, those to port 8080 of a gateway, open or just closed.
	to := func() (n int) {
		for line := range strings.Lines(inside(t, "cat /proc/net/tcp", "--network", "container:"+d.containers(t, "proxy")[0].ID)) {
			if fields := strings.Fields(line); strings.HasSuffix(fields[2], ":1F90") {
				n++
			}
		}
		return n
	}
	before := to()
	for range 200 {
		ask(all[0])
	}
	if after := to(); after > before+10 {
		t.Errorf("for 200 requests of one client the proxy made %d connections to a gateway", after-before)
	}
}

func TestOnlyOuterProxiesSetClientAddress(t *testing.T) {
	running(t)
	for _, c := range []struct {
		outer, address string
		believed       bool
	}{
		{"", "198.51.100.1", false}, {"203.0.113.0/24", "198.51.100.2", false},
		{"203.0.113.0/24 " + containers, "198.51.100.3", true},
	} {
		system.vary(t, []string{"VITAE_OUTER_PROXIES=" + c.outer})
		d := running(t)
		a := expect.Must(partner.Get(t.Context(), api+"/v1/me", "", "X-Forwarded-For", c.address))(t)
		line := d.logged(t, "gateway", a.Header.Get("X-Request-Id"))
		if got := strings.Contains(line, `"client_address":"`+c.address+`"`); got != c.believed {
			t.Errorf("outer proxies %q: the address that a client names is believed: %v\n%s", c.outer, got, line)
		}
	}
}

// logged waits for a line with a text in a service's log, and returns it.
func (d *deployment) logged(t testing.TB, service, text string) (line string) {
	t.Helper()
	if text == "" {
		t.Fatal("nothing to look for")
	}
	id := d.containers(t, service)[0].ID
	until(t, service+" has logged "+text, func() bool {
		out, _ := exec.Command("docker", "logs", id).CombinedOutput()
		for l := range strings.Lines(string(out)) {
			if strings.Contains(l, text) {
				line = l
			}
		}
		return line != ""
	})
	return line
}
