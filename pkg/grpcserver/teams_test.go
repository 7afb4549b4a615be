package grpcserver_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// lines is a log that can be read while it is being written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// deployment is a running server, with a certificate authority that can sign any certificate.
type deployment struct {
	dir, target string
	log         lines
	ca          *x509.Certificate
	caKey       *ecdsa.PrivateKey
}

func newDeployment(t *testing.T, register func(grpc.ServiceRegistrar)) *deployment {
	t.Helper()
	d := &deployment{dir: servertest.Certificates(t, "candidate")}
	pair, err := tls.LoadX509KeyPair(d.dir+"/ca.pem", d.dir+"/ca-key.pem")
	if err != nil {
		t.Fatal(err)
	}
	d.ca, d.caKey = pair.Leaf, pair.PrivateKey.(*ecdsa.PrivateKey)
	log := slog.New(slog.NewTextHandler(&d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d.target = servertest.Serve(t, servertest.Identity(t, d.dir, "candidate"), log, register)
	return d
}

// as returns a function that makes calls with a certificate whose names are set by say.
func (d *deployment) as(t *testing.T, say func(*x509.Certificate)) func(ctx context.Context, method string) error {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	say(template)
	der, err := x509.CreateCertificate(rand.Reader, template, d.ca, &key.PublicKey, d.caKey)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	config := mtls.Config{CAFile: d.dir + "/ca.pem", CertFile: t.TempDir() + "/cert.pem", KeyFile: t.TempDir() + "/key.pem"}
	for file, block := range map[string]*pem.Block{
		config.CertFile: {Type: "CERTIFICATE", Bytes: der}, config.KeyFile: {Type: "EC PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	identity, err := mtls.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	conn := servertest.Dial(t, d.target, "candidate", identity)
	return func(ctx context.Context, method string) error {
		return conn.Invoke(ctx, "/vitae.test."+method+"/Do", &emptypb.Empty{}, &emptypb.Empty{})
	}
}

// named returns a function that sets the DNS names of a certificate, where valid certificates have
// the caller's name.
func named(names ...string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.DNSNames = names }
}

// ofTeams maps method names to access options that list teams in different ways.
var ofTeams = map[string]*optionsv1.Access{
	"TeamsAll":    {Callers: []string{"vitaectl", "internal", "internal/*"}},
	"TeamsShared": {Callers: []string{"vitaectl", "internal"}},
	"TeamsOne":    {Callers: []string{"gateway", "internal/payments"}},
	"TeamsNone":   {Callers: []string{"gateway"}},
	"TeamsPower":  {Callers: []string{"internal", "internal/*"}, Operators: []string{"internal", "internal/trust"}},
	"TeamsKey":    {Callers: []string{"internal", "internal/sales"}, Credential: optionsv1.Credential_CREDENTIAL_API_KEY, Scope: "jobs:read"},
}

// registerTeams registers the methods in ofTeams. seen is called with the caller, and with whether
// it is an operator.
func registerTeams(t *testing.T, seen func(caller string, operator bool)) func(grpc.ServiceRegistrar) {
	return func(r grpc.ServiceRegistrar) {
		for name, access := range ofTeams {
			serviceWith(t, name+t.Name(), access, func(ctx context.Context) error {
				seen(grpcserver.Caller(ctx), grpcx.IsOperator(ctx))
				return nil
			})(r)
		}
	}
}

func TestTeamActsForAnyoneOnlyIfListedByName(t *testing.T) {
	var caller string
	var operator bool
	d := newDeployment(t, registerTeams(t, func(c string, o bool) { caller, operator = c, o }))
	asKey := principal.NewContext(t.Context(), &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AppId: "app_1", Scopes: []string{"jobs:read"},
	})
	for name, may := range map[string]map[string]bool{ // the methods that the caller may call; true if it may act for anyone
		"internal":          {"TeamsAll": false, "TeamsShared": false, "TeamsPower": true, "TeamsKey": false},
		"internal/payments": {"TeamsAll": false, "TeamsOne": false, "TeamsPower": false},
		"internal/trust":    {"TeamsAll": false, "TeamsPower": true},
		"internal/sales":    {"TeamsAll": false, "TeamsPower": false, "TeamsKey": false},
		"internal/payment":  {"TeamsAll": false, "TeamsPower": false},
		"gateway":           {"TeamsOne": false, "TeamsNone": false},
		"vitaectl":          {"TeamsAll": false, "TeamsShared": false},
		"vitaectl/alice":    {"TeamsAll": false, "TeamsShared": false},
	} {
		call := d.as(t, named(name))
		for method := range ofTeams {
			caller, operator = "", false
			err := call(asKey, method+t.Name())
			power, allowed := may[method]
			switch {
			case allowed && (err != nil || caller != name || operator != power):
				t.Errorf("%s calls %s: %v; handler saw caller %q, operator %t", name, method, err, caller, operator)
			case !allowed && (!errs.HasCode(err, "CALLER_NOT_ALLOWED") || caller != ""):
				t.Errorf("%s calls %s: %v, want CALLER_NOT_ALLOWED", name, method, err)
			}
		}
	}
}

func TestForgedNamesAreIgnored(t *testing.T) {
	d := newDeployment(t, registerTeams(t, func(c string, _ bool) { t.Errorf("%q was accepted", c) }))
	uri := func(s string) []*url.URL {
		return []*url.URL{{Path: s}, {Scheme: "spiffe", Host: "vitae", Path: "/" + s}}
	}
	for what, say := range map[string]func(*x509.Certificate){
		"a path below a team":      named("internal/payments/gateway"),
		"an empty team":            named("internal/"),
		"upper case":               named("INTERNAL/payments"),
		"a team in upper case":     named("internal/Payments"),
		"a service in upper case":  named("Gateway"),
		"a team that is a number":  named("internal/1"),
		"a long team":              named("internal/" + strings.Repeat("a", 32)),
		"a line break":             named("internal/payments\n"),
		"a space":                  named(" internal/payments"),
		"a wildcard":               named("*"),
		"a wildcard of teams":      named("internal/*"),
		"a team of another prefix": named("gateway/payments"),
		"a dot":                    named("internal/payments.gateway"),
		"a team and the gateway":   named("internal/payments", "gateway"),
		"a team twice":             named("internal/payments", "internal/payments"),
		"only a subject":           func(c *x509.Certificate) { c.Subject = pkix.Name{CommonName: "internal/payments"} },
		"a URI":                    func(c *x509.Certificate) { c.URIs = uri("internal/payments") },
		"an e-mail address":        func(c *x509.Certificate) { c.EmailAddresses = []string{"internal/payments"} },
		"an IP address":            func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} },
		"a strange name and a URI": func(c *x509.Certificate) { c.DNSNames, c.URIs = []string{"partner.example"}, uri("internal/payments") },
		"nothing":                  func(*x509.Certificate) {},
		"an empty name":            named(""),
	} {
		call := d.as(t, say)
		for method := range ofTeams {
			if err := call(t.Context(), method+t.Name()); !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
				t.Errorf("%s calls %s: %v", what, method, err)
			}
		}
	}
}

// Other names in a certificate neither replace the caller's name nor add one.
func TestTeamCannotImpersonateAnother(t *testing.T) {
	var callers []string
	d := newDeployment(t, registerTeams(t, func(c string, _ bool) { callers = append(callers, c) }))
	call := d.as(t, func(c *x509.Certificate) {
		c.DNSNames = []string{"internal/payments"}
		c.Subject = pkix.Name{CommonName: "gateway", Organization: []string{"internal/trust"}}
		c.URIs = []*url.URL{{Scheme: "spiffe", Host: "vitae", Path: "/gateway"}}
		c.EmailAddresses = []string{"gateway@internal"}
	})
	for method, allowed := range map[string]bool{"TeamsAll": true, "TeamsShared": false, "TeamsOne": true, "TeamsNone": false, "TeamsKey": false} {
		if err := call(t.Context(), method+t.Name()); (err == nil) != allowed {
			t.Errorf("%s: %v", method, err)
		}
	}
	for _, caller := range callers {
		if caller != "internal/payments" {
			t.Errorf("the handler saw the caller %q", caller)
		}
	}
}

func TestLogAndMetricsContainTeam(t *testing.T) {
	d := newDeployment(t, registerTeams(t, func(string, bool) {}))
	ok := map[string]string{"caller": "internal/payments", "code": "OK"}
	refused := map[string]string{"caller": "internal/payments", "code": "PermissionDenied"}
	before := [2]float64{metric(t, "vitae_grpc_calls_total", ok), metric(t, "vitae_grpc_calls_total", refused)}
	call := d.as(t, named("internal/payments"))
	_, _ = call(t.Context(), "TeamsAll"+t.Name()), call(t.Context(), "TeamsNone"+t.Name())
	after := [2]float64{metric(t, "vitae_grpc_calls_total", ok), metric(t, "vitae_grpc_calls_total", refused)}
	if after[0] != before[0]+1 || after[1] != before[1]+1 {
		t.Errorf("counted %v, before %v", after, before)
	}
	if n := strings.Count(d.log.String(), "caller=internal/payments"); n != 3 { // two calls, and one audit event
		t.Errorf("%d lines name the team:\n%s", n, &d.log)
	}
}
