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

// inside runs a command in a Debian container. The options can share the network or the processes of a
// different container.
func inside(t testing.TB, line string, options ...string) string {
	t.Helper()
	args := append([]string{"run", "--rm"}, options...)
	return docker(t, append(args, "debian:bookworm-slim", "sh", "-c", line)...)
}

func TestChromiumIsSandboxedUnderSeccomp(t *testing.T) {
	d := running(t)
	_, tokens := connect(t)
	pdf := expect.Must(partner.Get(t.Context(), api+"/v1/me/cv.pdf", tokens.Access))(t)
	expect.Shows(t, "the PDF", expect.Flattened(expect.PDFText(t, pdf)), true, "Layla")

	c := d.containers(t, "cvrender")[0]
	// For each process: its command line, privileges, seccomp mode, capabilities and user namespace.
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
		if !strings.Contains(line, "chromium") || !strings.Contains(line, "user:") { // the latter is missing if the process has exited
			continue
		}
		if !strings.Contains(line, "NoNewPrivs:1") || !strings.Contains(line, "Seccomp:2") {
			t.Errorf("without a seccomp filter: %s", line)
		}
		if strings.Contains(line, "--type=renderer") {
			renderers++
			if strings.HasSuffix(strings.TrimSpace(line), outer) {
				t.Errorf("a renderer in the container's user namespace: %s", line)
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
			t.Errorf("%s can resolve %s, want %s", service, got, want)
		}
	}
}

func TestServicesHaveOnlyTheirOwnKey(t *testing.T) {
	d := running(t)
	for _, service := range scalable {
		c := d.containers(t, service)[0]
		if got := inside(t, "ls /certs", "--volumes-from", c.ID+":ro"); got != "ca.pem\ncert.pem\nkey.pem" {
			t.Errorf("%s has the files %q", service, got)
		}
	}
	environment := docker(t, append([]string{"inspect", "--format", "{{.Config.Env}}"}, ids(d.containers(t, ""))...)...)
	if strings.Contains(environment, "postgres://") || strings.Contains(environment, "redis://") {
		t.Error("the environment of a container contains a password")
	}
}

func ids(all []container) (ids []string) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

// endless is a body that counts the bytes read from it.
type endless struct{ read, left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.read, e.left = e.read+n, e.left-n
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
	if err == nil { // the server may close the connection before the response is read
		res.Body.Close()
		if res.StatusCode != 401 && res.StatusCode != 413 {
			t.Errorf("status %d", res.StatusCode)
		}
	}
	if body.read > 32<<20 {
		t.Errorf("%d bytes were read", body.read)
	}
	t.Logf("%.1f MB of 300 MB were read", float64(body.read)/(1<<20))
}

// crowd is the number of concurrent clients. An earlier proxy accepted only 512.
const crowd = 800

// containers holds the networks that contain the client addresses on this machine.
const containers = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 127.0.0.0/8"

func TestProxyHandlesManyConnections(t *testing.T) {
	// All clients have addresses in the container network, where each address would have a limited
	// share of the connections.
	system.vary(t, []string{"VITAE_OUTER_PROXIES=" + containers})
	d := running(t)
	all := make([]*http.Client, crowd)
	for i := range all {
		all[i] = newClient()
		defer all[i].CloseIdleConnections()
	}
	send := func(c *http.Client) {
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
			send(c)
		}
	}
	// toGateway returns the number of connections from the proxy to port 8080 of a gateway, open or just
	// closed.
	toGateway := func() (n int) {
		for line := range strings.Lines(inside(t, "cat /proc/net/tcp", "--network", "container:"+d.containers(t, "proxy")[0].ID)) {
			if fields := strings.Fields(line); strings.HasSuffix(fields[2], ":1F90") {
				n++
			}
		}
		return n
	}
	before := toGateway()
	for range 200 {
		send(all[0])
	}
	if after := toGateway(); after > before+10 {
		t.Errorf("the proxy opened %d connections to a gateway for 200 requests of one client", after-before)
	}
}

func TestOnlyOuterProxiesSetClientAddress(t *testing.T) {
	running(t)
	for _, c := range []struct {
		outer, address string
		trusted        bool
	}{
		{"", "198.51.100.1", false}, {"203.0.113.0/24", "198.51.100.2", false},
		{"203.0.113.0/24 " + containers, "198.51.100.3", true},
	} {
		system.vary(t, []string{"VITAE_OUTER_PROXIES=" + c.outer})
		d := running(t)
		a := expect.Must(partner.Get(t.Context(), api+"/v1/me", "", "X-Forwarded-For", c.address))(t)
		line := d.logged(t, "gateway", a.Header.Get("X-Request-Id"))
		if got := strings.Contains(line, `"client_address":"`+c.address+`"`); got != c.trusted {
			t.Errorf("outer proxies %q: X-Forwarded-For is trusted: %v\n%s", c.outer, got, line)
		}
	}
}

// logged waits until a service logs a line that contains text, and returns the line.
func (d *deployment) logged(t testing.TB, service, text string) (line string) {
	t.Helper()
	if text == "" {
		t.Fatal("no text to search for")
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
