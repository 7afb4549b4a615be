package servers_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// HAProxy takes rules in sections in which it does not follow them, and `haproxy -c` finds nothing wrong.
func TestTheProxySharesItsConnections(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // Debian keeps it where only root's PATH leads
	}
	cmd := exec.CommandContext(t.Context(), program, "-db")
	cmd.Env = append(os.Environ(), "VITAE_OUTER_PROXIES=127.0.23.3 127.0.23.4",
		"VITAE_API_HOST=api", "VITAE_APP_HOST=app", "VITAE_LEGACY_HOST=legacy", "VITAE_CONSOLE_HOST=console")
	at := map[string]string{} // the address by the port in the file
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
	const most = 4
	for _, name := range []string{"haproxy.cfg", "tls.cfg"} {
		config := read(t, filepath.Join(repository, "deploy/docker", name))
		for _, port := range map[string][]string{"haproxy.cfg": {"8080", "8081", "8082", "8083"}, "tls.cfg": {"8000"}}[name] {
			binds, number := listen(port)
			config = strings.ReplaceAll(strings.Replace(config, "bind :"+port, binds, 1), "dst_port "+port, "dst_port "+number)
		}
		if strings.Count(config, "gt 400 ") != 1 {
			t.Fatalf("%s does not have the limit once", name)
		}
		config = strings.Replace(config, "gt 400 ", fmt.Sprintf("gt %d ", most), 1)
		var lines []string
		for line := range strings.Lines(config) {
			if !strings.Contains(line, "bind :8443 ssl") { // there is no certificate
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
	// answered reports whether a new connection is answered. It stays open, if HAProxy lets it.
	answered := func(from, port string) bool {
		t.Helper()
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(t.Context(), "tcp", at[port])
		if err != nil {
			return false
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = conn.Write([]byte("GET / HTTP/1.1\r\nHost: app\r\n\r\n")) // the answer tells whether it has arrived
		n, _ := conn.Read(make([]byte, 1))
		return n > 0
	}
	const one, proxy = "127.0.23.1", "127.0.23.3"
	for i := range most {
		if !answered(one, "8000") { // with a redirect to https, after which the connection stays open
			t.Fatalf("connection %d is refused", i)
		}
	}
	for i, port := range []string{"8000", "8080", "8081", "8082", "8083"} {
		if answered(one, port) {
			t.Errorf("%s: an address has more than its share", port)
		}
		if !answered(fmt.Sprint("127.0.23.", 10+i), port) {
			t.Errorf("%s: another address is refused", port)
		}
	}
	for range most + 2 {
		if !answered(proxy, "8000") {
			t.Error("an outer proxy is refused")
		}
	}
}
