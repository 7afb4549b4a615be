package mtls_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"

	"vitae.internal/pkg/mtls"
)

// deployment returns a directory with a certificate authority and a certificate for each name.
func deployment(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := mtls.Issue(dir, names...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// load returns an identity that rereads its files at every handshake.
func load(t *testing.T, dir, name string, change ...func(*mtls.Config)) *mtls.Identity {
	t.Helper()
	config := mtls.Files(dir, name)
	config.Refresh = time.Nanosecond
	for _, c := range change {
		c(&config)
	}
	identity, err := mtls.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	return identity
}

// replace overwrites the files of name in directory to, including the authority, with those in
// directory from, as a renewal does.
func replace(t *testing.T, from, to, name string) {
	t.Helper()
	source, target := mtls.Files(from, name), mtls.Files(to, name)
	for _, f := range [][2]string{{source.KeyFile, target.KeyFile}, {source.CertFile, target.CertFile}, {source.CAFile, target.CAFile}} {
		write(t, f[1], contents(t, f[0]))
	}
}

func contents(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// seen holds what each end of a connection has learned about the other.
type seen struct{ client, server credentials.TLSInfo }

// connect connects client to server. The client expects the name "auth".
func connect(t *testing.T, client, server *mtls.Identity) (seen, error) {
	t.Helper()
	near, far := net.Pipe()
	type end struct {
		info credentials.AuthInfo
		err  error
	}
	served := make(chan end, 1)
	go func() {
		conn, info, err := server.Server().ServerHandshake(far)
		if err == nil {
			_, err = conn.Write([]byte("x")) // if the client can read this, the server has accepted its certificate
		}
		_ = far.Close()
		served <- end{info, err}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, info, err := client.Client("auth").ClientHandshake(ctx, "some.address:443", near)
	if err == nil {
		_, err = conn.Read(make([]byte, 1))
	}
	_ = near.Close()
	other := <-served
	if err := errors.Join(err, other.err); err != nil {
		return seen{}, err
	}
	return seen{client: other.info.(credentials.TLSInfo), server: info.(credentials.TLSInfo)}, nil
}

func serial(info credentials.TLSInfo) string {
	return info.State.VerifiedChains[0][0].SerialNumber.String()
}

func TestRenewedCertificatesAreUsed(t *testing.T) {
	dir := deployment(t, "auth", "gateway")
	var log bytes.Buffer
	server := load(t, dir, "auth", func(c *mtls.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	client := load(t, dir, "gateway")
	before, err := connect(t, client, server)
	if err != nil {
		t.Fatal(err)
	}

	// The new certificates come from a new authority, which does not accept the old ones.
	renewed := deployment(t, "auth", "gateway")
	replace(t, renewed, dir, "auth")
	replace(t, renewed, dir, "gateway")
	after, err := connect(t, client, server)
	if err != nil {
		t.Fatal(err)
	}
	if serial(before.server) == serial(after.server) {
		t.Error("the server still presents its earlier certificate")
	}
	if serial(before.client) == serial(after.client) {
		t.Error("the client still presents its earlier certificate")
	}
	if names := after.client.State.VerifiedChains[0][0].DNSNames; len(names) != 1 || names[0] != "gateway" {
		t.Errorf("the server sees a caller with the names %q, want gateway", names)
	}
	if _, err := connect(t, client, server); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "the certificate files have changed"); n != 1 {
		t.Errorf("the renewal was logged %d times, want once:\n%s", n, &log)
	}
}

func TestOtherAuthorityIsRejected(t *testing.T) {
	dir, elsewhere := deployment(t, "auth"), deployment(t, "auth", "gateway")
	config := mtls.Files(elsewhere, "gateway")
	config.CAFile = mtls.Files(dir, "auth").CAFile // so that it trusts the server
	stranger, err := mtls.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	server := load(t, dir, "auth")
	if _, err := connect(t, stranger, server); err == nil {
		t.Error("a certificate from a different authority was accepted")
	}
	if _, err := connect(t, load(t, elsewhere, "gateway"), load(t, dir, "auth")); err == nil {
		t.Error("a server with a certificate from a different authority was accepted")
	}
}

func TestRemovedAuthorityIsRejected(t *testing.T) {
	dir, renewed := deployment(t, "auth"), deployment(t, "auth", "gateway")
	ca := mtls.Files(dir, "auth").CAFile
	old := contents(t, ca)
	write(t, ca, append(contents(t, mtls.Files(renewed, "auth").CAFile), old...))
	server := load(t, dir, "auth")
	client := load(t, renewed, "gateway", func(c *mtls.Config) { c.CAFile = ca })
	if _, err := connect(t, client, server); err != nil {
		t.Fatalf("with both authorities: %v", err)
	}
	write(t, ca, old)
	if _, err := connect(t, client, server); err == nil {
		t.Error("a certificate from the removed authority was accepted")
	}
}

func TestServerWithOtherNameIsRejected(t *testing.T) {
	dir := deployment(t, "candidate", "gateway")
	if _, err := connect(t, load(t, dir, "gateway"), load(t, dir, "candidate")); err == nil {
		t.Error("a client that expects auth connected to candidate")
	}
}

func TestUnusableFilesAreNotUsed(t *testing.T) {
	dir, renewed := deployment(t, "auth", "gateway"), deployment(t, "auth", "gateway")
	files, next := mtls.Files(dir, "auth"), mtls.Files(renewed, "auth")
	half := func(file string) []byte { b := contents(t, file); return b[:len(b)/2] }
	two := append(contents(t, files.CAFile), contents(t, next.CAFile)...)
	cases := map[string]struct {
		file string
		now  []byte // nil means removing the file
	}{
		"a key without its certificate": {files.KeyFile, contents(t, next.KeyFile)},
		"half a key":                    {files.KeyFile, half(files.KeyFile)},
		"half a certificate":            {files.CertFile, half(files.CertFile)},
		"an empty certificate":          {files.CertFile, []byte{}},
		"no certificate":                {files.CertFile, nil},
		"half an authority":             {files.CAFile, half(files.CAFile)},
		"one and a half authorities":    {files.CAFile, two[:len(two)-100]},
		"no authority":                  {files.CAFile, nil},
		"invalid authority":             {files.CAFile, []byte("hello")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			server := load(t, dir, "auth", func(c *mtls.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			client := load(t, dir, "gateway", func(c *mtls.Config) { c.Refresh = time.Hour })
			good := contents(t, c.file)
			defer write(t, c.file, good)
			if c.now == nil {
				if err := os.Remove(c.file); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, c.file, c.now)
			}
			for range 2 {
				if _, err := connect(t, client, server); err != nil {
					t.Fatal(err)
				}
			}
			if n := strings.Count(log.String(), "cannot be used"); n != 1 {
				t.Errorf("%d log lines, want 1:\n%s", n, &log)
			}
			if strings.Contains(log.String(), "PRIVATE KEY") {
				t.Errorf("the log contains the key:\n%s", &log)
			}
			if _, err := mtls.Load(files); err == nil {
				t.Error("Load succeeded with these files")
			}
		})
	}
}

func TestFilesAreNotReadBeforeRefresh(t *testing.T) {
	dir := deployment(t, "auth", "gateway")
	config := mtls.Files(dir, "auth")
	config.Refresh = time.Hour
	server, err := mtls.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mtls.Load(mtls.Files(dir, "gateway")) // rereads after a minute, the default
	if err != nil {
		t.Fatal(err)
	}
	before, err := connect(t, client, server)
	if err != nil {
		t.Fatal(err)
	}
	renewed := deployment(t, "auth", "gateway")
	replace(t, renewed, dir, "auth")
	replace(t, renewed, dir, "gateway")
	after, err := connect(t, client, server)
	if err != nil {
		t.Fatal(err)
	}
	if serial(before.server) != serial(after.server) {
		t.Error("the server reread its files before the refresh interval was over")
	}
}
