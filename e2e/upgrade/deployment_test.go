//go:build upgrade

package upgrade_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/testkit/ports"
)

const (
	// readyTimeout limits how long a process may take to become ready, and stopTimeout how long to
	// stop. They allow for a loaded machine.
	readyTimeout, stopTimeout = 3 * time.Minute, 2 * time.Minute
)

// processLog is the path of the processes' log inside the folder of a local stack. ownLog is the suffix
// of the stack's log, which is next to the folder. End-to-end tests read both.
const processLog, ownLog = "/vitae.log", ".log"

// deployment is one release with replicas of all services, on the shared servers.
type deployment struct {
	*stack.Stack
	*servers
	name      string
	programs  stack.Binaries
	dir       string
	note      localstack.Stack
	processes []*process
}

// process is a program of a deployment.
type process struct {
	name, program, opsURL string
	env                   []string
	*child.Process
}

// targets returns the settings with the addresses at which a deployment's processes reach each service.
func targets(of localstack.GRPC) map[string]string {
	return map[string]string{
		"auth": "VITAE_AUTH_GRPC_ADDR=" + of.Auth, "partnercatalog": "VITAE_PARTNERCATALOG_GRPC_ADDR=" + of.PartnerCatalog,
		"candidate": "VITAE_CANDIDATE_GRPC_ADDR=" + of.Candidate, "cvrender": "VITAE_CVRENDER_GRPC_ADDR=" + of.CVRender,
	}
}

func (s *servers) deployment(t *testing.T, name string, programs stack.Binaries) *deployment {
	t.Helper()
	x := &deployment{servers: s, name: name, programs: programs, dir: s.dir + "/" + name}
	if err := os.Mkdir(x.dir, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(x.dir+ownLog, []byte("The processes of the "+name+" release log to "+x.dir+processLog+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// All deployments share one certificate authority; the path identifies a process's deployment.
	if err := os.Symlink(s.dir+"/tls", x.dir+"/tls"); err != nil {
		t.Fatal(err)
	}
	files := mtls.Files(x.dir+"/tls", "vitaectl")
	x.note = localstack.Stack{
		GRPC: localstack.GRPC{Auth: free(t), PartnerCatalog: free(t), Candidate: free(t), CVRender: free(t)},
		TLS:  localstack.TLS{CA: files.CAFile, Cert: files.CertFile, Key: files.KeyFile},
	}
	listeners := [2][4]string{}
	for i := range listeners {
		listeners[i] = [4]string{free(t), free(t), free(t), free(t)}
	}
	x.note.BaseURL, x.note.AppURL = "http://"+listeners[0][0], "http://"+listeners[0][1]
	x.note.LegacyBaseURL, x.note.ConsoleURL = "http://"+listeners[0][2], "http://"+listeners[0][3]
	if err := localstack.Save(x.dir, x.note); err != nil {
		t.Fatal(err)
	}
	for _, name := range stores {
		x.add(t, name, name, "VITAE_POSTGRES_URL="+s.service[name], "VITAE_POSTGRES_MIGRATION_URL="+s.owner[name])
	}
	x.add(t, "cvrender", "cvrender")
	x.Stack = stack.Of(programs, x.dir, nil, nil)
	for i, d := range listeners {
		x.addGateway(t, fmt.Sprint("gateway", i+1), d)
	}
	return x
}

func free(t *testing.T) string {
	t.Helper()
	return expect.Must(ports.FreeAddress())(t)
}

// add adds a process. Later settings override earlier ones.
func (x *deployment) add(t *testing.T, name, program string, env ...string) {
	t.Helper()
	ops, files := free(t), mtls.Files(x.dir+"/tls", program)
	p := &process{name: name, program: program, opsURL: "http://" + ops}
	p.env = slices.Concat(stack.Environ(), x.settings, []string{
		"VITAE_BASE_URL=" + x.note.BaseURL, "VITAE_APP_URL=" + x.note.AppURL,
		"VITAE_LEGACY_BASE_URL=" + x.note.LegacyBaseURL, "VITAE_CONSOLE_URL=" + x.note.ConsoleURL,
		"VITAE_OPS_ADDR=" + ops, "VITAE_TLS_CA=" + files.CAFile, "VITAE_TLS_CERT=" + files.CertFile, "VITAE_TLS_KEY=" + files.KeyFile,
	})
	for _, target := range targets(x.note.GRPC) {
		p.env = append(p.env, target)
	}
	p.env = append(p.env, env...)
	x.processes = append(x.processes, p)
}

// addGateway adds a gateway with its four listeners.
func (x *deployment) addGateway(t *testing.T, name string, listeners [4]string, env ...string) {
	t.Helper()
	x.add(t, name, "gateway", append(env, "VITAE_PUBLIC_ADDR="+listeners[0], "VITAE_APP_ADDR="+listeners[1],
		"VITAE_LEGACY_ADDR="+listeners[2], "VITAE_CONSOLE_ADDR="+listeners[3])...)
	x.BaseURLs, x.AppURLs = append(x.BaseURLs, "http://"+listeners[0]), append(x.AppURLs, "http://"+listeners[1])
	x.LegacyURLs, x.ConsoleURLs = append(x.LegacyURLs, "http://"+listeners[2]), append(x.ConsoleURLs, "http://"+listeners[3])
}

// start starts the processes that are not running, in the order of a rollout, each when the previous
// one is ready.
func (x *deployment) start(t *testing.T) {
	t.Helper()
	x.startServices(t)
	x.startProcesses(t, func(p *process) bool { return p.program == "gateway" })
}

// startServices starts all processes except the gateways. A gateway registers the URL of its console
// when it starts, so sign-in works only on the console of the gateway that was started last.
func (x *deployment) startServices(t *testing.T) {
	t.Helper()
	x.startProcesses(t, func(p *process) bool { return p.program != "gateway" })
}

func (x *deployment) startProcesses(t *testing.T, which func(*process) bool) {
	t.Helper()
	for _, p := range x.processes {
		if p.Process != nil || !which(p) {
			continue
		}
		log := expect.Must(os.OpenFile(x.dir+processLog, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))(t)
		cmd := exec.Command(x.programs.Path(p.program))
		cmd.Env, cmd.Stdout, cmd.Stderr = p.env, log, log
		process, err := child.Start(child.Options{Cmd: cmd, Name: x.name + " " + p.name})
		_ = log.Close() // the child has its own copy
		if err != nil {
			t.Fatal(err)
		}
		p.Process = process
		t.Cleanup(process.Kill)
		x.awaitReady(t, p)
	}
}

func (x *deployment) awaitReady(t *testing.T, p *process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), readyTimeout)
	defer cancel()
	err := stack.Until(ctx, "start "+x.name+" "+p.name, func(ctx context.Context) error {
		select {
		case <-p.Done():
			cancel()
			return fmt.Errorf("the process has exited: %w", p.Err())
		default:
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.opsURL+"/readyz", nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("the process is not ready: %s", res.Status)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, x.logs())
	}
}

// stop stops all processes as an operator does, gateways first.
func (x *deployment) stop(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stopTimeout)
	defer cancel()
	for _, p := range slices.Backward(x.processes) {
		if err := p.Stop(ctx); err != nil {
			t.Error(err)
		}
		p.Process = nil
	}
}

// logs returns the end of the log of all processes.
func (x *deployment) logs() string {
	raw, _ := os.ReadFile(x.dir + processLog)
	const keep = 16 << 10
	return fmt.Sprintf("--- %s:\n%s\n", x.name, raw[max(0, len(raw)-keep):])
}
