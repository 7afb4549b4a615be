package servers_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// HAProxy accepts rules in sections in which it ignores them. `haproxy -c` does not report this, so the test runs
// HAProxy.
func TestProxyLimitsConnectionsPerAddress(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // not in the PATH of users on Debian
	}
	cmd := exec.CommandContext(t.Context(), program, "-db")
	cmd.Env = append(os.Environ(), "VITAE_OUTER_PROXIES=127.0.23.3 127.0.23.4",
		"VITAE_API_HOST=api", "VITAE_APP_HOST=app", "VITAE_LEGACY_HOST=legacy", "VITAE_CONSOLE_HOST=console")
	at := map[string]string{} // the listen address, by the port in the file
	listen := func(port string) (binds, number string) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		file, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		cmd.ExtraFiles = append(cmd.ExtraFiles, file)
		at[port] = l.Addr().String()
		_, number, _ = net.SplitHostPort(at[port])
		return fmt.Sprint("bind fd@", 2+len(cmd.ExtraFiles)), number
	}
	// The gateway accepts requests and never responds.
	gateway, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gateway.Close() })
	const most = 4 // the maximum number of connections per IP address; the maximum number of requests is one less
	limit := strings.NewReplacer("sc0_conn_cur(addresses) gt 400 ", fmt.Sprintf("sc0_conn_cur(addresses) gt %d ", most),
		"sc1_conn_cur(requests) gt 400 ", fmt.Sprintf("sc1_conn_cur(requests) gt %d ", most-1))
	for _, name := range []string{"haproxy.cfg", "tls.cfg"} {
		config := read(t, filepath.Join(repository, "deploy/docker", name))
		for _, port := range map[string][]string{"haproxy.cfg": {"8080", "8081", "8082", "8083"}, "tls.cfg": {"8000"}}[name] {
			binds, number := listen(port)
			config = strings.ReplaceAll(strings.Replace(config, "bind :"+port, binds, 1), "dst_port "+port, "dst_port "+number)
		}
		var lines []string
		for line := range strings.Lines(limit.Replace(config)) {
			switch {
			case strings.Contains(line, "bind :8443 ssl"): // there is no certificate
			case strings.Contains(line, "server-template gateway 20 gateway:8080 check"):
				lines = append(lines, "server gateway "+gateway.Addr().String()+"\n")
			default:
				lines = append(lines, line)
			}
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, "-f", file)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(log.String())
		}
	})
	ask := func(from, port string) (net.Conn, error) {
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(t.Context(), "tcp", at[port])
		if err == nil {
			t.Cleanup(func() { _ = conn.Close() })
			_, err = conn.Write([]byte("GET / HTTP/1.1\r\nHost: app\r\n\r\n"))
		}
		return conn, err
	}
	// answered reports whether a request on a new connection gets a response. The connection stays open if HAProxy permits
	// it.
	answered := func(from, port string) bool {
		conn, err := ask(from, port)
		if err != nil {
			return false
		}
		n, _ := conn.Read(make([]byte, 1))
		return n > 0
	}
	const one, proxy = "127.0.23.1", "127.0.23.3"
	for i := range most {
		if !answered(one, "8000") { // with a redirect to https, after which the connection stays open
			t.Fatalf("connection %d is rejected", i)
		}
	}
	for i, port := range []string{"8000", "8081", "8082", "8083"} {
		if answered(one, port) {
			t.Errorf("%s: an IP address exceeds the limit", port)
		}
		if !answered(fmt.Sprint("127.0.23.", 10+i), port) {
			t.Errorf("%s: a different IP address is rejected", port)
		}
	}
	for range most + 2 {
		if !answered(proxy, "8000") {
			t.Error("an outer proxy is rejected")
		}
	}

	const busy = "127.0.23.5"
	for range most - 1 {
		if _, err := ask(busy, "8080"); err != nil {
			t.Fatal(err)
		}
		conn, err := gateway.Accept() // the request is in flight
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	answer := make([]byte, len("HTTP/1.1 429"))
	if conn, err := ask(busy, "8080"); err != nil {
		t.Error(err)
	} else if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 429" {
		t.Errorf("a request above the limit per IP address gets %s, %v", answer, err)
	}
}
