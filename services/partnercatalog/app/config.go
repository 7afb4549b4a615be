package app

import "vitae.internal/pkg/postgres"

// Config is the configuration of the part.
type Config struct {
	// Addr is where gRPC is served, host:port.
	Addr string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	// AuthAddr is where service auth is, which keeps the audit log.
	AuthAddr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`
	// Postgres is the part's own database.
	Postgres postgres.Config
}

// check refuses a configuration without a usable database. The listener checks the
// address, which standalone does not use.
func (c Config) check() error {
	return c.Postgres.Check()
}
