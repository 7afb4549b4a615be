package settings

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/telemetry"
)

// replicaStep is the difference between the ports of two consecutive gateway replicas.
const replicaStep = 100

// Settings holds the settings of a local stack. The services read their settings from the same environment.
type Settings struct {
	// DataDir is the folder for all data that is kept between runs.
	DataDir string `env:"VITAE_DATA_DIR" envDefault:".vitae"`
	// World is the path of the world file that seeds an empty database. "none" disables seeding.
	World string `env:"VITAE_WORLD"`
	// Split runs each service in a separate process, from the binaries in the same folder.
	Split bool `env:"VITAE_SPLIT"`
	// Replicas is the number of gateways. The ports of each one are 100 above the ports of the previous one.
	Replicas int `env:"VITAE_GATEWAY_REPLICAS" envDefault:"1"`

	// PostgresURL is a superuser's URL for an existing server. If it is empty, the stack starts one.
	PostgresURL string `env:"VITAE_POSTGRES_URL"`
	// MigrationURL is a superuser's direct URL for the same server. It is needed if PostgresURL points to a
	// pooler.
	MigrationURL string `env:"VITAE_POSTGRES_MIGRATION_URL"`
	// RedisURL is the URL of an existing server. If it is empty, the stack starts one.
	RedisURL string `env:"VITAE_REDIS_URL"`

	PublicAddr  string `env:"VITAE_PUBLIC_ADDR" envDefault:"127.0.0.1:8080"`
	AppAddr     string `env:"VITAE_APP_ADDR" envDefault:"127.0.0.1:8081"`
	LegacyAddr  string `env:"VITAE_LEGACY_ADDR" envDefault:"127.0.0.1:8082"`
	ConsoleAddr string `env:"VITAE_CONSOLE_ADDR" envDefault:"127.0.0.1:8083"`
	OpsAddr     string `env:"VITAE_OPS_ADDR" envDefault:"127.0.0.1:9090"`
	// Profiles determines who may read /debug/pprof.
	Profiles telemetry.Profiles `env:"VITAE_PPROF" envDefault:"loopback"`
	Log      telemetry.LogConfig
	// PartnerAddr is the listen address of the example partner site.
	PartnerAddr string `env:"PARTNER_ADDR" envDefault:"127.0.0.1:8090"`
	// The URLs for browsers and partners. By default they are derived from the listen addresses.
	BaseURL       string `env:"VITAE_BASE_URL"`
	AppURL        string `env:"VITAE_APP_URL"`
	LegacyBaseURL string `env:"VITAE_LEGACY_BASE_URL"`
	ConsoleURL    string `env:"VITAE_CONSOLE_URL"`
	PartnerURL    string `env:"PARTNER_URL"`

	AuthAddr           string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`
	PartnerCatalogAddr string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	CandidateAddr      string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	CVRenderAddr       string `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104"`
}

// defaultWorld is the path of the default world file in a clone.
const defaultWorld = "deploy/demo/world.json"

// noWorld is the value of VITAE_WORLD that disables seeding.
const noWorld = "none"

// Load reads the settings from e. programs is the folder that contains this program's binary.
func Load(e config.Environment, programs string) (Settings, error) {
	s, err := config.Load[Settings](e)
	if err != nil {
		return s, err
	}
	if s.DataDir, err = filepath.Abs(s.DataDir); err != nil {
		return s, fmt.Errorf("VITAE_DATA_DIR: %w", err)
	}
	if s.Replicas < 1 || s.Replicas > 50 {
		return s, errors.New("VITAE_GATEWAY_REPLICAS must be 1 to 50")
	}
	follow := func(url *string, addr string) {
		if *url == "" {
			*url = "http://" + addr
		}
	}
	follow(&s.BaseURL, s.PublicAddr)
	follow(&s.AppURL, s.AppAddr)
	follow(&s.LegacyBaseURL, s.LegacyAddr)
	follow(&s.ConsoleURL, s.ConsoleAddr)
	follow(&s.PartnerURL, s.PartnerAddr)
	if s.World, err = findWorld(s.World, programs); err != nil {
		return s, err
	}
	for i := range s.Replicas {
		if _, err := s.Replica(i); err != nil {
			return s, err
		}
	}
	return s, nil
}

// findWorld returns the path of the world file, or "" if seeding is disabled. The default is the file in the clone,
// independent of the working directory.
func findWorld(world, programs string) (string, error) {
	switch world {
	case noWorld:
		return "", nil
	case "":
		world = filepath.Join(filepath.Dir(programs), defaultWorld)
		if _, err := os.Stat(defaultWorld); err == nil {
			world = defaultWorld
		}
	}
	if _, err := os.Stat(world); err != nil {
		return "", fmt.Errorf("VITAE_WORLD: %w", err)
	}
	return world, nil
}

// Addresses holds the listen addresses of one gateway replica.
type Addresses struct{ PublicAddr, AppAddr, LegacyAddr, ConsoleAddr string }

// Replica returns the listen addresses of gateway replica i, counted from 0.
func (s Settings) Replica(i int) (at Addresses, err error) {
	for _, one := range []struct {
		variable, first string
		into            *string
	}{
		{"VITAE_PUBLIC_ADDR", s.PublicAddr, &at.PublicAddr},
		{"VITAE_APP_ADDR", s.AppAddr, &at.AppAddr},
		{"VITAE_LEGACY_ADDR", s.LegacyAddr, &at.LegacyAddr},
		{"VITAE_CONSOLE_ADDR", s.ConsoleAddr, &at.ConsoleAddr},
	} {
		if *one.into, err = step(one.first, i*replicaStep); err != nil {
			return at, fmt.Errorf("%s: %w", one.variable, err)
		}
	}
	return at, nil
}

func step(addr string, by int) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 1 || n+by > 65535 {
		return "", fmt.Errorf("port %s plus %d is not a valid port", port, by)
	}
	return net.JoinHostPort(host, strconv.Itoa(n+by)), nil
}

// Listeners returns all listen addresses of the stack, each with the name of the variable that sets it.
func (s Settings) Listeners() (map[string]string, error) {
	all := map[string]string{
		s.AuthAddr: "VITAE_AUTH_GRPC_ADDR", s.PartnerCatalogAddr: "VITAE_PARTNERCATALOG_GRPC_ADDR",
		s.CandidateAddr: "VITAE_CANDIDATE_GRPC_ADDR", s.CVRenderAddr: "VITAE_CVRENDER_GRPC_ADDR",
		s.PartnerAddr: "PARTNER_ADDR and PARTNER_URL", s.OpsAddr: "VITAE_OPS_ADDR",
	}
	for i := range s.Replicas {
		e, err := s.Replica(i)
		if err != nil {
			return nil, err
		}
		all[e.PublicAddr] = "VITAE_PUBLIC_ADDR"
		all[e.AppAddr] = "VITAE_APP_ADDR"
		all[e.LegacyAddr] = "VITAE_LEGACY_ADDR"
		all[e.ConsoleAddr] = "VITAE_CONSOLE_ADDR"
	}
	return all, nil
}

// PartsOps returns n addresses for the operations endpoints of services in separate processes. They are free ports
// after the stack's own operations port. A port chosen by the kernel could be a port that another service is about to
// use.
func (s Settings) PartsOps(n int, free func(addr string) bool) ([]string, error) {
	reserved, err := s.Listeners()
	if err != nil {
		return nil, err
	}
	var found []string
	for by := 1; len(found) < n; by++ {
		addr, err := step(s.OpsAddr, by)
		if err != nil {
			return nil, fmt.Errorf("VITAE_OPS_ADDR: no free port after it for each part: %w", err)
		}
		if reserved[addr] == "" && free(addr) {
			found = append(found, addr)
		}
	}
	return found, nil
}

// DataDir returns the path of the data folder, without loading the other settings.
func DataDir(e config.Environment) (string, error) {
	s, err := config.Load[struct {
		DataDir string `env:"VITAE_DATA_DIR" envDefault:".vitae"`
	}](e)
	if err != nil {
		return "", err
	}
	return filepath.Abs(s.DataDir)
}
