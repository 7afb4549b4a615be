package app

import "vitae.internal/pkg/postgres"

// Config holds the settings of the service.
type Config struct {
	Addr     string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102" help:"Where partnercatalog listens."`
	AuthAddr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"gRPC target of auth."`
	Postgres postgres.Config
}

// check returns an error if the database is not configured. Addr is checked where it is used,
// because the standalone program does not set it.
func (c Config) check() error {
	return c.Postgres.Check()
}
