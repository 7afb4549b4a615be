package cmd

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
)

func TestEnvironmentOverridesLocalStack(t *testing.T) {
	dir := t.TempDir()
	err := localstack.Save(dir, localstack.Stack{
		GRPC: localstack.GRPC{Auth: "127.0.0.1:1", Candidate: "127.0.0.1:2", PartnerCatalog: "127.0.0.1:3"},
		TLS:  localstack.TLS{CA: "/ca", Cert: "/cert", Key: "/key"}, ConsoleURL: "http://127.0.0.1:4",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := resolve(config.Environment{"VITAE_DATA_DIR": dir, "VITAE_AUTH_GRPC_ADDR": "10.0.0.1:9", "VITAE_TLS_CERT": "/mine"})
	want := settings{DataDir: dir, Auth: "10.0.0.1:9", PartnerCatalog: "127.0.0.1:3", Candidate: "127.0.0.1:2", CA: "/ca", Cert: "/mine", Key: "/key"}
	if err != nil || got != want {
		t.Errorf("resolve returned %+v, %v, want %+v", got, err, want)
	}
	if local, err := resolve(config.Environment{"VITAE_DATA_DIR": dir}); err != nil || local.ConsoleURL != "http://127.0.0.1:4" {
		t.Errorf("ConsoleURL of the local stack: %q, %v", local.ConsoleURL, err)
	}
}

func TestCompleteEnvironmentNeedsNoLocalStack(t *testing.T) {
	_, err := resolve(config.Environment{
		"VITAE_DATA_DIR": t.TempDir(), "VITAE_AUTH_GRPC_ADDR": "a:1", "VITAE_CANDIDATE_GRPC_ADDR": "b:2", "VITAE_PARTNERCATALOG_GRPC_ADDR": "c:3",
		"VITAE_TLS_CA": "/ca", "VITAE_TLS_CERT": "/c", "VITAE_TLS_KEY": "/k",
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUnreachableServiceIsNamed(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil { // now nothing listens on the address
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := mtls.Issue(dir, "vitaectl"); err != nil {
		t.Fatal(err)
	}
	tls := mtls.Files(dir, "vitaectl")
	env := config.Environment{
		"VITAE_AUTH_GRPC_ADDR": addr, "VITAE_PARTNERCATALOG_GRPC_ADDR": addr, "VITAE_CANDIDATE_GRPC_ADDR": addr,
		"VITAE_TLS_CA": tls.CAFile, "VITAE_TLS_CERT": tls.CertFile, "VITAE_TLS_KEY": tls.KeyFile,
	}
	for _, c := range []struct{ line, stdin, part string }{
		{"account suspend dev_1", "", "auth"},
		{"company set com_1 --published", "", "partnercatalog"},
		{"application advance apl_1 offered", "", "candidate"},
		{"import -", `{"applications":[{"ref":"a","job":"j","person":"p","resume":{"contentBase64":"JVBERg=="}}]}`, "candidate"}, // a stream
	} {
		var out, complaint bytes.Buffer
		status := Run(strings.Fields(c.line), env, Streams{In: strings.NewReader(c.stdin), Out: &out, Err: &complaint})
		want := "the stack cannot be reached: " + c.part + " does not respond at " + addr + "; is it running?\n"
		if got := complaint.String(); status != exitFailed || !strings.HasSuffix(got, want) || strings.Contains(got, "rpc error") {
			t.Errorf("%s: status %d, %q, want %q", c.line, status, got, want)
		}
	}
}

func TestUnavailableIsNotUnreachable(t *testing.T) {
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) {
		return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.")
	}}
	wrapped := remote{conn, "auth", "127.0.0.1:1"}
	err := wrapped.Invoke(t.Context(), "/x/Y", &emptypb.Empty{}, &emptypb.Empty{})
	if got := explain(err); got != "The service cannot answer now. (SERVICE_UNAVAILABLE)" {
		t.Errorf("explained as %q", got)
	}
}

func TestMissingStackNamesAbsolutePath(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, err = resolve(config.Environment{})
	if want := "there is no local stack in " + filepath.Join(here, ".vitae") + ":"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want it to begin with %q", err, want)
	}
}
