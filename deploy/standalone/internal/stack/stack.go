package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/demo"
	"vitae.internal/deploy/standalone/internal/parts"
	"vitae.internal/deploy/standalone/internal/servers"
	"vitae.internal/deploy/standalone/internal/settings"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// readyTimeout limits how long a service may take to become ready. Migrations and starting Chromium take a long
	// time on a busy machine.
	readyTimeout = 2 * time.Minute
	// stopTimeout limits how long a service may take to stop. It is longer than a service needs to finish its
	// in-flight calls.
	stopTimeout = 30 * time.Second
)

// services lists the services with a database. Their database roles are named after them.
var services = []string{parts.Auth, parts.PartnerCatalog, parts.Candidate}

const operator = "vitaectl"

// certificates lists the callers that get a certificate. "internal" is for a person or team that uses grpcurl
// (docs/internal-grpc.md).
var certificates = []string{
	parts.Auth, parts.PartnerCatalog, parts.Candidate, parts.CVRender, parts.Gateway, operator, "internal",
}

// Stack is a running local stack.
type Stack struct {
	settings settings.Settings
	programs string // folder with the binaries
	dir      *datadir.Dir
	log      io.Writer
	plan     settings.Plan
	start    parts.Start
	world    demo.World

	ended   chan error      // receives the reason if a service or server exits
	stopped []func() error  // run in reverse order when the stack stops
	running []parts.Running // services whose readiness determines the stack's readiness
}

// Run starts the stack, prints its addresses to out, and stops it when ctx is done or a service
// exits.
func Run(ctx context.Context, e config.Environment, programs string, out io.Writer) (err error) {
	s, err := settings.Load(e, programs)
	if err != nil {
		return err
	}
	dir, err := datadir.Open(s.DataDir)
	if err != nil {
		return err
	}
	log, err := dir.Log()
	if err != nil {
		return errors.Join(err, dir.Close())
	}
	stack := &Stack{
		settings: s, programs: programs, dir: dir, log: log, start: parts.InProcess,
		ended: make(chan error, 16),
	}
	if s.Split {
		stack.start = parts.InProcesses(programs)
	} else {
		daemon.SizeHeap(telemetry.NewLogger(log, "standalone"))
	}
	stack.atEnd(dir.Close)
	stack.atEnd(log.Close)
	defer telemetry.FollowLogLevel(s.Log, telemetry.NewLogger(log, "standalone"))()
	defer func() {
		if ctx.Err() != nil {
			fmt.Fprintln(out, "\nStopping.")
		}
		err = errors.Join(err, stack.stop())
	}()
	begun := time.Now()
	if err := stack.up(ctx, e); err != nil {
		if ctx.Err() != nil {
			return nil // stopped before it was ready
		}
		return fmt.Errorf("%w\n(log: %s)", err, dir.File("vitae.log"))
	}
	stack.announce(out, time.Since(begun))
	daemon.ReleaseStart()
	select {
	case <-ctx.Done():
		return nil
	case fault := <-stack.ended:
		return fmt.Errorf("%w\n(log: %s)", fault, dir.File("vitae.log"))
	}
}

func (s *Stack) up(ctx context.Context, e config.Environment) error {
	if err := s.checkAddresses(); err != nil {
		return err
	}
	// The file from an earlier run may contain wrong addresses.
	if err := os.Remove(s.dir.File("stack.json")); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := s.provide(ctx, e); err != nil {
		return err
	}
	if err := s.startParts(ctx); err != nil {
		return err
	}
	if err := s.writeNote(); err != nil {
		return err
	}
	if err := demo.Seed(ctx, s.dir, s.programs, s.settings.World); err != nil {
		return err
	}
	if err := s.seedPast(ctx); err != nil {
		return err
	}
	var err error
	if s.world, err = demo.Read(s.dir, s.settings.World); err != nil {
		return err
	}
	return s.startPartner(ctx, e)
}

// seedPast sends the requests of the last few months to the auth service, as a gateway would. Then it creates the open
// requests in the console, as an operator would.
func (s *Stack) seedPast(ctx context.Context) error {
	err := s.withAuth(parts.Gateway, func(auth *grpc.ClientConn) error {
		return demo.SeedUsage(ctx, s.dir, authv1.NewUsageServiceClient(auth), s.settings.World, time.Now())
	})
	if err != nil {
		return err
	}
	return s.withAuth(operator, func(auth *grpc.ClientConn) error {
		to := demo.Operators{Members: authv1.NewMemberServiceClient(auth), Developers: authv1.NewDeveloperServiceClient(auth)}
		return demo.SeedConsole(ctx, s.dir, to, s.settings.World)
	})
}

// withAuth calls do with a connection to the auth service that uses the caller's certificate.
func (s *Stack) withAuth(caller string, do func(*grpc.ClientConn) error) (err error) {
	identity, err := mtls.Load(mtls.Files(s.plan.TLSDir, caller))
	if err != nil {
		return err
	}
	auth, err := grpcx.Dial(s.settings.AuthAddr, parts.Auth, identity)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, auth.Close()) }()
	return do(auth)
}

// checkAddresses returns an error that lists every address on which the stack cannot listen.
func (s *Stack) checkAddresses() error {
	listeners, err := s.settings.Listeners()
	if err != nil {
		return err
	}
	var taken []string
	for addr, variable := range listeners {
		if err := tryToListen(addr); err != nil {
			taken = append(taken, fmt.Sprintf("  %s (set %s to another): %v", addr, variable, err))
		}
	}
	if len(taken) == 0 {
		return nil
	}
	sort.Strings(taken)
	return fmt.Errorf("cannot listen on\n%s", strings.Join(taken, "\n"))
}

func tryToListen(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return l.Close()
}

// provide starts or creates everything that the services' environments refer to.
func (s *Stack) provide(ctx context.Context, e config.Environment) error {
	secrets, err := s.dir.Secrets(services...)
	if err != nil {
		return err
	}
	tls := s.dir.File("tls")
	if err := mtls.Issue(tls, certificates...); err != nil {
		return err
	}
	back, err := servers.Start(ctx, servers.Options{
		PostgresURL: s.settings.PostgresURL, MigrationURL: s.settings.MigrationURL, RedisURL: s.settings.RedisURL,
		PostgresDir: s.dir.File(datadir.PostgresFolder), RedisDir: s.dir.File(datadir.RedisFolder),
		Passwords: secrets.Postgres,
	})
	if err != nil {
		return err
	}
	s.atEnd(back.Stop)
	if err := s.dir.KeepRedisURL(back.RedisAdmin); err != nil {
		return err
	}
	go func() { s.ended <- fmt.Errorf("%s ended by itself", <-back.Ended()) }()
	if back.Empty {
		if err := demo.Await(s.dir); err != nil {
			return err
		}
	}
	owners, own := map[string]string{}, map[string]string{}
	for service, urls := range back.Postgres {
		owners[service], own[service] = urls.Owner, urls.Service
	}
	s.plan = settings.Plan{
		Settings: s.settings, TLSDir: tls, Base: e,
		Secrets: settings.Secrets{
			CVLinkKey: secrets.CVLinkKey, CookieKey: secrets.CookieKey, RecordKey: secrets.RecordKey, BlobSigningKey: secrets.BlobSigningKey,
		},
		Backing: settings.Backing{
			Postgres: own, Owners: owners, Redis: back.Redis, ResumesDir: s.dir.File(datadir.ResumesFolder), MailDir: s.dir.File(datadir.MailFolder),
		},
	}
	return nil
}

// startParts starts the services, then the gateways, and serves the operations endpoints of the stack.
func (s *Stack) startParts(ctx context.Context) error {
	services := []launch{
		{parts.Auth, s.plan.Auth()},
		{parts.PartnerCatalog, s.plan.PartnerCatalog()},
		{parts.Candidate, s.plan.Candidate()},
		{parts.CVRender, s.plan.CVRender()},
	}
	var gateways []launch
	for i := range s.settings.Replicas {
		addresses, err := s.settings.Replica(i)
		if err != nil {
			return err
		}
		gateways = append(gateways, launch{parts.Gateway, s.plan.Gateway(addresses)})
	}
	if s.settings.Split {
		if err := s.giveOps(services, gateways); err != nil {
			return err
		}
	}
	if err := s.startAll(ctx, services); err != nil {
		return err
	}
	if err := s.startAll(ctx, gateways); err != nil {
		return err
	}
	stopOps, err := telemetry.ServeOps(telemetry.OpsConfig{Addr: s.settings.OpsAddr, Profiles: s.settings.Profiles}, telemetry.NewLogger(s.log, "standalone"), s.allReady)
	if err != nil {
		return err
	}
	s.atEnd(func() error { stopOps(); return nil })
	return nil
}

// launch is a service to start.
type launch struct {
	name        string
	environment config.Environment
}

// giveOps sets the operations address in each service's environment.
func (s *Stack) giveOps(groups ...[]launch) error {
	n := 0
	for _, group := range groups {
		n += len(group)
	}
	addresses, err := s.settings.PartsOps(n, func(addr string) bool { return tryToListen(addr) == nil })
	if err != nil {
		return err
	}
	for _, group := range groups {
		for i := range group {
			group[i].environment = group[i].environment.With(config.Environment{parts.OpsVariable: addresses[0]})
			addresses = addresses[1:]
		}
	}
	return nil
}

// startAll starts services that do not depend on each other, and waits until all are ready.
func (s *Stack) startAll(ctx context.Context, launches []launch) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	started := make([]parts.Running, 0, len(launches))
	for _, l := range launches {
		p, err := s.start(ctx, l.name, l.environment, s.log)
		if err != nil {
			return err
		}
		s.keep(p)
		started = append(started, p)
	}
	for _, p := range started {
		if err := parts.AwaitReady(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// keep watches a service, and stops it when the stack stops.
func (s *Stack) keep(p parts.Running) {
	s.running = append(s.running, p)
	go func() { s.ended <- fmt.Errorf("%s ended by itself: %w", p.Name(), p.Err()) }()
	s.atEnd(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		return p.Stop(ctx)
	})
}

func (s *Stack) allReady(ctx context.Context) error {
	for _, p := range s.running {
		if err := p.Ready(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.Name(), err)
		}
	}
	return nil
}

func (s *Stack) writeNote() error {
	files := mtls.Files(s.plan.TLSDir, operator)
	note := localstack.Stack{
		GRPC: localstack.GRPC{
			Auth: s.settings.AuthAddr, PartnerCatalog: s.settings.PartnerCatalogAddr,
			Candidate: s.settings.CandidateAddr, CVRender: s.settings.CVRenderAddr,
		},
		TLS:     localstack.TLS{CA: files.CAFile, Cert: files.CertFile, Key: files.KeyFile},
		BaseURL: s.settings.BaseURL, AppURL: s.settings.AppURL, LegacyBaseURL: s.settings.LegacyBaseURL,
		ConsoleURL: s.settings.ConsoleURL, PartnerURL: s.settings.PartnerURL,
	}
	return localstack.Save(s.dir.Path, note)
}

// startPartner starts the example partner site if the seeded data has an app for it.
func (s *Stack) startPartner(ctx context.Context, e config.Environment) error {
	app, ok := s.world.Partner(s.settings.PartnerURL)
	if !ok {
		return nil
	}
	environment := config.Environment{
		"PATH": e["PATH"], "HOME": e["HOME"],
		"PARTNER_ADDR": s.settings.PartnerAddr, "PARTNER_URL": s.settings.PartnerURL,
		"VITAE_BASE_URL": s.settings.BaseURL, "CLIENT_ID": app.ClientID, "CLIENT_SECRET": app.ClientSecret,
	}
	p, err := parts.Program(filepath.Join(s.programs, "partner-app"), environment, s.log, "http://"+s.settings.PartnerAddr+"/")
	if err != nil {
		return err
	}
	s.keep(p)
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return parts.AwaitReady(ctx, p)
}

func (s *Stack) atEnd(f func() error) { s.stopped = append(s.stopped, f) }

func (s *Stack) stop() error {
	var faults []error
	for i := len(s.stopped) - 1; i >= 0; i-- {
		faults = append(faults, s.stopped[i]())
	}
	return errors.Join(faults...)
}
