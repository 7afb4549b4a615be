package app

import (
	"errors"
	"fmt"
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

// check refuses figures that would refuse everyone for ever, and lives without one.
func (c Config) check() error {
	var faults []error
	for name, n := range map[string]int64{
		"VITAE_PLAN_STANDARD_PER_MINUTE": int64(c.StandardPerMinute), "VITAE_PLAN_STANDARD_PER_DAY": int64(c.StandardPerDay),
		"VITAE_PLAN_ELEVATED_PER_MINUTE": int64(c.ElevatedPerMinute), "VITAE_PLAN_ELEVATED_PER_DAY": int64(c.ElevatedPerDay),
		"VITAE_AUTH_CODE_LIFE": int64(c.CodeLife), "VITAE_AUTH_ACCESS_LIFE": int64(c.AccessLife), "VITAE_AUTH_REFRESH_LIFE": int64(c.RefreshLife),
		"VITAE_AUTH_SESSION_LIFE": int64(c.SessionLife), "VITAE_AUTH_PASSWORDS_AT_ONCE": int64(c.PasswordsAtOnce),
	} {
		if n < 1 {
			faults = append(faults, fmt.Errorf("auth: %s must be more than nothing", name))
		}
	}
	return errors.Join(faults...)
}

func (c Config) plans() developer.Plans {
	return developer.Plans{
		Standard: developer.Plan{Name: developer.Standard, PerMinute: c.StandardPerMinute, PerDay: c.StandardPerDay},
		Elevated: developer.Plan{Name: developer.Elevated, PerMinute: c.ElevatedPerMinute, PerDay: c.ElevatedPerDay},
	}
}
