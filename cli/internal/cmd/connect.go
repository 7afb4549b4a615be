package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"google.golang.org/grpc"

	"vitae.internal/cli/internal/importer"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

const environmentHelp = `vitaectl finds a local stack through the data folder of "make run", and other stacks through:

  VITAE_DATA_DIR              data folder of the local stack (default .vitae)
  VITAE_AUTH_GRPC_ADDR, VITAE_PARTNERCATALOG_GRPC_ADDR, VITAE_CANDIDATE_GRPC_ADDR
                              addresses of auth, partnercatalog and candidate
  VITAE_TLS_CA, VITAE_TLS_CERT, VITAE_TLS_KEY
                              PEM files of the authority, certificate and key; the
                              certificate's name must be vitaectl

Exit status: 0 success; 1 refused or failed, with the reason on stderr; 2 usage error.`

// settings holds the settings from the environment. If any are missing, the local stack provides
// them.
type settings struct {
	DataDir        string `env:"VITAE_DATA_DIR" envDefault:".vitae"`
	Auth           string `env:"VITAE_AUTH_GRPC_ADDR"`
	PartnerCatalog string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR"`
	Candidate      string `env:"VITAE_CANDIDATE_GRPC_ADDR"`
	CA             string `env:"VITAE_TLS_CA"`
	Cert           string `env:"VITAE_TLS_CERT"`
	Key            string `env:"VITAE_TLS_KEY"`
	// ConsoleURL is the developer console of the local stack, or "" for other stacks.
	ConsoleURL string
}

// stack holds the clients of a deployment.
type stack struct {
	importer.Services
	connections authv1.ConnectionServiceClient
	usage       authv1.UsageServiceClient
	audit       authv1.AuditServiceClient
	accounts    authv1.AccountServiceClient
	// consoleURL is the URL of the developer console, or "" if unknown.
	consoleURL string
	close      func()
}

func connect(env config.Environment) (*stack, error) {
	s, err := resolve(env)
	if err != nil {
		return nil, err
	}
	identity, err := mtls.Load(mtls.Config{CAFile: s.CA, CertFile: s.Cert, KeyFile: s.Key})
	if err != nil {
		return nil, err
	}
	var open []*grpc.ClientConn
	var parts []grpc.ClientConnInterface
	closeAll := func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}
	for _, part := range []struct{ addr, service string }{
		{s.Auth, "auth"}, {s.PartnerCatalog, "partnercatalog"}, {s.Candidate, "candidate"},
	} {
		conn, err := grpcx.Dial(part.addr, part.service, identity)
		if err != nil {
			closeAll()
			return nil, err
		}
		open = append(open, conn)
		parts = append(parts, remote{conn, part.service, part.addr})
	}
	st := newStack(parts[0], parts[1], parts[2], closeAll)
	st.consoleURL = s.ConsoleURL
	return st, nil
}

func newStack(auth, catalog, candidate grpc.ClientConnInterface, close func()) *stack {
	return &stack{
		Services: importer.Services{
			People:       authv1.NewPeopleServiceClient(auth),
			Developers:   authv1.NewDeveloperServiceClient(auth),
			Members:      authv1.NewMemberServiceClient(auth),
			Profiles:     candidatev1.NewProfileServiceClient(candidate),
			Companies:    partnercatalogv1.NewCompanyServiceClient(catalog),
			CompanyPages: partnercatalogv1.NewCompanyPageServiceClient(catalog),
			Jobs:         partnercatalogv1.NewJobServiceClient(catalog),
			Applications: candidatev1.NewApplicationIntakeServiceClient(candidate),
			Resumes:      candidatev1.NewResumeServiceClient(candidate),
		},
		connections: authv1.NewConnectionServiceClient(auth),
		usage:       authv1.NewUsageServiceClient(auth),
		audit:       authv1.NewAuditServiceClient(auth),
		accounts:    authv1.NewAccountServiceClient(auth),
		close:       close,
	}
}

// resolve reads the settings from the environment. If any are missing, it takes them from the file that a local
// stack writes.
func resolve(env config.Environment) (settings, error) {
	s, err := config.Load[settings](env)
	if err != nil {
		return s, err
	}
	wanted := []*string{&s.Auth, &s.PartnerCatalog, &s.Candidate, &s.CA, &s.Cert, &s.Key}
	complete := true
	for _, w := range wanted {
		complete = complete && *w != ""
	}
	if complete {
		return s, nil
	}
	local, err := localstack.Load(s.DataDir)
	if errors.Is(err, fs.ErrNotExist) {
		looked, absErr := filepath.Abs(s.DataDir)
		if absErr != nil {
			looked = s.DataDir
		}
		return s, fmt.Errorf("there is no local stack in %s: change to a clone in which one runs, start one with \"make run\", "+
			"or set VITAE_DATA_DIR or the addresses (vitaectl --help)", looked)
	}
	if err != nil {
		return s, err
	}
	if s.Auth == "" {
		s.ConsoleURL = local.ConsoleURL
	}
	found := []string{local.GRPC.Auth, local.GRPC.PartnerCatalog, local.GRPC.Candidate, local.TLS.CA, local.TLS.Cert, local.TLS.Key}
	for i, w := range wanted {
		if *w == "" {
			*w = found[i]
		}
	}
	return s, nil
}
