package drill_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	otlp "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/shipped"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/testkit/ports"
)

// slow is the collector's latency threshold for slow traces.
const slow = 500 * time.Millisecond

// store receives the traces that the collector exports.
type store struct {
	otlp.UnimplementedTraceServiceServer
	address string
	mu      sync.Mutex
	traces  map[string]*kept
}

// kept is a trace that the collector has exported.
type kept struct {
	failed bool
	took   time.Duration // duration of the longest span
	names  []string
}

func (s *store) Export(_ context.Context, req *otlp.ExportTraceServiceRequest) (*otlp.ExportTraceServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range req.GetResourceSpans() {
		for _, scope := range of.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				s.add(span)
			}
		}
	}
	return &otlp.ExportTraceServiceResponse{}, nil
}

func (s *store) add(span *trace.Span) {
	k := s.traces[string(span.GetTraceId())]
	if k == nil {
		k = &kept{}
		s.traces[string(span.GetTraceId())] = k
	}
	k.failed = k.failed || span.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR
	k.took = max(k.took, time.Duration(span.GetEndTimeUnixNano()-span.GetStartTimeUnixNano())) //nolint:gosec // spans last seconds
	k.names = append(k.names, span.GetName())
}

// count returns the number of traces of GET /v1/me that meet a condition.
func (s *store) count(as func(*kept) bool) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.traces {
		if strings.Contains(strings.Join(k.names, "\n"), "/v1/me") && as(k) {
			n++
		}
	}
	return n
}

func newStore(t *testing.T) *store {
	t.Helper()
	s := &store{address: expect.Must(ports.FreeAddress())(t), traces: map[string]*kept{}}
	server := grpc.NewServer()
	otlp.RegisterTraceServiceServer(server, s)
	l := expect.Must(net.Listen("tcp", s.address))(t)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return s
}

// startCollector starts the collector with the shipped configuration, except for unused addresses and a
// shorter decision wait. It returns the endpoint for traces.
func startCollector(t *testing.T, to *store) (endpoint string) {
	t.Helper()
	program := filepath.Join(shipped.Root(t), "bin/tools/collector")
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "TRACES_ENDPOINT="+to.address)
		return cmd
	}
	if out, err := run("validate", "--config="+shipped.File(t, "collector.yml")).CombinedOutput(); err != nil {
		t.Fatalf("the shipped configuration: %v\n%s", err, out)
	}
	config := shipped.Read(t, "collector.yml")
	addresses := map[string]string{"0.0.0.0:4317": "", "0.0.0.0:4318": "", "0.0.0.0:13133": ""}
	for shippedAddress := range addresses {
		addresses[shippedAddress] = expect.Must(ports.FreeAddress())(t)
		config = changed(t, config, shippedAddress, addresses[shippedAddress])
	}
	config = changed(t, config, "decision_wait: 30s", "decision_wait: 5s")
	file := filepath.Join(suite.Scratch, "collector.yml")
	write(t, file, config)
	log := expect.Must(os.Create(filepath.Join(suite.Scratch, "collector.log")))(t)
	cmd := run("--config=" + file)
	cmd.Stdout, cmd.Stderr = log, log
	process := expect.Must(child.Start(child.Options{Cmd: cmd, Name: "collector"}))(t)
	t.Cleanup(func() {
		process.Kill()
		if t.Failed() {
			t.Log(string(expect.Must(os.ReadFile(log.Name()))(t)))
		}
	})
	expect.Eventually(t, "the collector is healthy", func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addresses["0.0.0.0:13133"]+"/", nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			err = errors.New(res.Status)
		}
		return errors.Join(err, res.Body.Close())
	})
	return "http://" + addresses["0.0.0.0:4317"]
}

func changed(t *testing.T, config, old, with string) string {
	t.Helper()
	if !strings.Contains(config, old) {
		t.Fatalf("collector.yml has no %q", old)
	}
	return strings.ReplaceAll(config, old, with)
}

func TestCollectorSamplesTraces(t *testing.T) {
	to := newStore(t)
	s := suite.Start(t, "traced", suite.NoTiers, suite.Split, "OTEL_EXPORTER_OTLP_ENDPOINT="+startCollector(t, to), "OTEL_BSP_SCHEDULE_DELAY=200")
	of := scene.Of(t, s, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}})
	c := scene.Connected{Scene: of, App: of.Client(t, "web"), Person: of.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{})
	const quick = 200
	for range quick {
		if a := c.Get(t, "/v1/me"); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	candidate := s.Services("candidate")[0]
	t.Cleanup(func() { _ = syscall.Kill(candidate.PID, syscall.SIGCONT) })

	// The candidate service is suspended for longer than the threshold, and then responds.
	suite.Signal(t, candidate, syscall.SIGSTOP)
	late := time.AfterFunc(slow+300*time.Millisecond, func() { _ = syscall.Kill(candidate.PID, syscall.SIGCONT) })
	defer late.Stop()
	if a := c.Get(t, "/v1/me"); a.Status != http.StatusOK {
		t.Errorf("a slow request: %s", a)
	}
	suite.Signal(t, candidate, syscall.SIGSTOP)
	if a := c.Get(t, "/v1/me"); a.Status != http.StatusServiceUnavailable {
		t.Errorf("with candidate suspended: %s", a)
	}
	suite.Signal(t, candidate, syscall.SIGCONT)

	for what, as := range map[string]func(*kept) bool{
		"a slow trace":   func(k *kept) bool { return !k.failed && k.took >= slow },
		"a failed trace": func(k *kept) bool { return k.failed },
		"a quick trace":  func(k *kept) bool { return !k.failed && k.took < slow },
	} {
		expect.Eventually(t, what, func(context.Context) error {
			if to.count(as) == 0 {
				return errors.New("none")
			}
			return nil
		})
	}
	rest := to.count(func(k *kept) bool { return !k.failed && k.took < slow })
	if rest > quick/2 {
		t.Errorf("%d of %d quick traces were exported, want about a tenth", rest, quick)
	}
	t.Logf("%d of %d quick traces were exported", rest, quick)
}
