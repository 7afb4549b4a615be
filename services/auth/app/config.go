package app

import (
	"errors"
	"fmt"
	"time"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/platform/account"
)

// Config is the configuration of the auth service. The defaults are documented in docs/behaviour.
type Config struct {
	// Postgres is the auth service's own database.
	Postgres postgres.Config
	// Redis holds session records and the counts of sign-in attempts.
	Redis      redisx.Config
	RecordKeys keyring.Ring `env:"VITAE_RECORD_KEYS" help:"Ring of keys for session records and links in emails. Required, and the same as in the gateway."`
	Addr       string       `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"Where auth listens."`

	AppURL     string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081" help:"Public address of the pages, for links in emails and for passkeys."`
	ConsoleURL string `env:"VITAE_CONSOLE_URL" help:"Public address of the developer console, for emails about developer accounts. Without it none are sent."`
	// Mail configures how email is sent.
	Mail Mail
	// (behaviour: accounts#countries)
	AddressDatabase string `env:"VITAE_ADDRESS_DATABASE" help:"File in the MaxMind DB format that maps client addresses to countries. Without it no country is shown."`

	// (behaviour: tokens#authorization-codes)
	CodeLife    time.Duration `env:"VITAE_AUTH_CODE_LIFE" envDefault:"10m" help:"Lifetime of an authorization code."`
	AccessLife  time.Duration `env:"VITAE_AUTH_ACCESS_LIFE" envDefault:"1h" help:"Lifetime of an access token."`
	RefreshLife time.Duration `env:"VITAE_AUTH_REFRESH_LIFE" envDefault:"2160h" help:"Lifetime of a refresh token. Each rotation restarts it."`
	SessionLife time.Duration `env:"VITAE_AUTH_SESSION_LIFE" envDefault:"12h" help:"Lifetime of a browser session."`
	// (behaviour: sign-in#known-browsers)
	DeviceLife       time.Duration `env:"VITAE_AUTH_DEVICE_LIFE" envDefault:"4320h" help:"How long a browser stays known to an account after a sign-in."`
	PasswordsAtOnce  int           `env:"VITAE_AUTH_PASSWORDS_AT_ONCE" envDefault:"4" help:"Password checks that run at once, 19 MiB each."`
	PasswordsWaiting int           `env:"VITAE_AUTH_PASSWORDS_WAITING" envDefault:"128" help:"Password checks that may wait, in each of three queues: known browsers, other browsers, new accounts."`

	// (behaviour: apps#reserved-names)
	ReservedNames []string `env:"VITAE_AUTH_RESERVED_NAMES" help:"Names of accounts and apps that only operators may assign, comma-separated."`

	// (behaviour: limits#account-budget)
	StandardPerMinute int32 `env:"VITAE_PLAN_STANDARD_PER_MINUTE" envDefault:"300" help:"Requests a minute of the standard plan."`
	StandardPerDay    int32 `env:"VITAE_PLAN_STANDARD_PER_DAY" envDefault:"20000" help:"Requests a day of the standard plan."`
	ElevatedPerMinute int32 `env:"VITAE_PLAN_ELEVATED_PER_MINUTE" envDefault:"1000" help:"Requests a minute of the elevated plan."`
	ElevatedPerDay    int32 `env:"VITAE_PLAN_ELEVATED_PER_DAY" envDefault:"200000" help:"Requests a day of the elevated plan."`
}

// check rejects a configuration without a usable database or without keys. It also rejects zero and negative limits,
// because a budget of zero would reject every request forever.
func (c Config) check() error {
	faults := []error{c.Postgres.Check()}
	if keys, err := c.recordKeys(); err != nil {
		faults = append(faults, err)
	} else if _, err := maillink.New(c.AppURL, keys); err != nil {
		faults = append(faults, err)
	}
	if _, _, err := c.Mail.transport(); err != nil {
		faults = append(faults, err)
	}
	for name, n := range map[string]int64{
		"VITAE_PLAN_STANDARD_PER_MINUTE": int64(c.StandardPerMinute), "VITAE_PLAN_STANDARD_PER_DAY": int64(c.StandardPerDay),
		"VITAE_PLAN_ELEVATED_PER_MINUTE": int64(c.ElevatedPerMinute), "VITAE_PLAN_ELEVATED_PER_DAY": int64(c.ElevatedPerDay),
		"VITAE_AUTH_CODE_LIFE": int64(c.CodeLife), "VITAE_AUTH_ACCESS_LIFE": int64(c.AccessLife), "VITAE_AUTH_REFRESH_LIFE": int64(c.RefreshLife),
		"VITAE_AUTH_SESSION_LIFE": int64(c.SessionLife), "VITAE_AUTH_PASSWORDS_AT_ONCE": int64(c.PasswordsAtOnce),
		"VITAE_AUTH_PASSWORDS_WAITING": int64(c.PasswordsWaiting), "VITAE_AUTH_DEVICE_LIFE": int64(c.DeviceLife),
	} {
		if n < 1 {
			faults = append(faults, fmt.Errorf("%s must be positive", name))
		}
	}
	return errors.Join(faults...)
}

func (c Config) recordKeys() (keyring.Ring, error) {
	return c.RecordKeys.Named("record")
}

func (c Config) plans() account.Plans {
	return account.Plans{
		Standard: account.Plan{Name: account.Standard, PerMinute: c.StandardPerMinute, PerDay: c.StandardPerDay},
		Elevated: account.Plan{Name: account.Elevated, PerMinute: c.ElevatedPerMinute, PerDay: c.ElevatedPerDay},
	}
}
