package app

import (
	"time"

	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"

	"vitae.internal/services/auth/internal/developer"
)

// Config is auth's configuration. Every duration and figure defaults to the
// specification's.
type Config struct {
	// Postgres is auth's own database.
	Postgres postgres.Config
	// Redis holds session records and the counts of sign-in attempts.
	Redis redisx.Config
	// Addr is where auth serves gRPC.
	Addr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`

	// CodeLife is how long an authorization code lives (spec: Other constants).
	CodeLife time.Duration `env:"VITAE_AUTH_CODE_LIFE" envDefault:"10m"`
	// AccessLife is how long an access token lives.
	AccessLife time.Duration `env:"VITAE_AUTH_ACCESS_LIFE" envDefault:"1h"`
	// RefreshLife is how long a refresh token lives; every rotation gives it again.
	RefreshLife time.Duration `env:"VITAE_AUTH_REFRESH_LIFE" envDefault:"2160h"`
	// SessionLife is how long a browser session lives.
	SessionLife time.Duration `env:"VITAE_AUTH_SESSION_LIFE" envDefault:"12h"`
	// PasswordsAtOnce bounds the password hashes computed at once, 19 MiB each.
	PasswordsAtOnce int `env:"VITAE_AUTH_PASSWORDS_AT_ONCE" envDefault:"4"`

	// The budgets of the named plans (spec: Account budget).
	StandardPerMinute int32 `env:"VITAE_PLAN_STANDARD_PER_MINUTE" envDefault:"300"`
	StandardPerDay    int32 `env:"VITAE_PLAN_STANDARD_PER_DAY" envDefault:"20000"`
	ElevatedPerMinute int32 `env:"VITAE_PLAN_ELEVATED_PER_MINUTE" envDefault:"1000"`
	ElevatedPerDay    int32 `env:"VITAE_PLAN_ELEVATED_PER_DAY" envDefault:"200000"`
}

func (c Config) plans() developer.Plans {
	return developer.Plans{
		Standard: developer.Plan{Name: developer.Standard, PerMinute: c.StandardPerMinute, PerDay: c.StandardPerDay},
		Elevated: developer.Plan{Name: developer.Elevated, PerMinute: c.ElevatedPerMinute, PerDay: c.ElevatedPerDay},
	}
}
