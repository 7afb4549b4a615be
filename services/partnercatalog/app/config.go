package app

import "vitae.internal/pkg/postgres"

// Config is the configuration of the service.
type Config struct {
	Addr     string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102" help:"Where partnercatalog listens."`
	AuthAddr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"gRPC target of auth."`
	Postgres postgres.Config
}

// check rejects a configuration without a usable database. Addr is checked where it is used: the
// standalone program has none.
func (c Config) check() error {
	return c.Postgres.Check()
}
