package app

import "vitae.internal/pkg/postgres"

// Config is the configuration of the part.
type Config struct {
	Addr     string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102" help:"Where partnercatalog listens."`
	AuthAddr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"gRPC target of auth."`
	// Postgres is the part's own database.
	Postgres postgres.Config
}

// check refuses a configuration without a usable database. The listener checks the
// address, which standalone does not use.
func (c Config) check() error {
	return c.Postgres.Check()
}
