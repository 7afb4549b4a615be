package app

import (
	"errors"
	"fmt"
	"time"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/maillink"
)

// Config is auth's configuration. The defaults are the figures of docs/behaviour.
type Config struct {
	// Postgres is auth's own database.
	Postgres postgres.Config
	// Redis holds session records and the counts of sign-in attempts.
	Redis redisx.Config
	// RecordKeys seal session records, for the gateway, which has the same ring.
	RecordKeys keyring.Ring `env:"VITAE_RECORD_KEYS"`
	// Addr is where auth serves gRPC.
	Addr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`

	// AppURL is the public address of the pages, to which links in mails lead.
	AppURL string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081"`
	// ConsoleURL is the public address of the developer console, to which emails about developer
	// accounts lead; empty for no such emails.
	ConsoleURL string `env:"VITAE_CONSOLE_URL"`
	// CandidateAddr is where service candidate is, which makes the profiles of new accounts.
	CandidateAddr string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	// Mail says how mail is sent.
	Mail Mail
	// AddressDatabase is the path of a file in the MaxMind DB format that knows the countries of
	// addresses (behaviour: accounts#countries); empty for none.
	AddressDatabase string `env:"VITAE_ADDRESS_DATABASE"`

	// CodeLife is how long an authorization code lives (behaviour: tokens#authorization-codes).
	CodeLife time.Duration `env:"VITAE_AUTH_CODE_LIFE" envDefault:"10m"`
	// AccessLife is how long an access token lives.
	AccessLife time.Duration `env:"VITAE_AUTH_ACCESS_LIFE" envDefault:"1h"`
	// RefreshLife is how long a refresh token lives; each rotation starts it anew.
	RefreshLife time.Duration `env:"VITAE_AUTH_REFRESH_LIFE" envDefault:"2160h"`
	// SessionLife is how long a browser session lives.
	SessionLife time.Duration `env:"VITAE_AUTH_SESSION_LIFE" envDefault:"12h"`
	// DeviceLife is how long a browser stays known to an account after a sign-in there
	// (behaviour: sign-in#known-browsers).
	DeviceLife time.Duration `env:"VITAE_AUTH_DEVICE_LIFE" envDefault:"4320h"`
	// PasswordsAtOnce bounds how many password hashes are computed at once. Each needs
	// 19 MiB.
	PasswordsAtOnce int `env:"VITAE_AUTH_PASSWORDS_AT_ONCE" envDefault:"4"`
	// PasswordsWaiting bounds how many password checks wait: of browsers that are known, of
	// others, and of new accounts, so many each.
	PasswordsWaiting int `env:"VITAE_AUTH_PASSWORDS_WAITING" envDefault:"128"`

	// ReservedNames are names of accounts and apps that only operators may assign, in addition to those
	// of the product, separated by commas (behaviour: apps#names-that-are-reserved).
	ReservedNames []string `env:"VITAE_AUTH_RESERVED_NAMES"`

	// The budgets of the named plans (behaviour: limits#account-budget).
	StandardPerMinute int32 `env:"VITAE_PLAN_STANDARD_PER_MINUTE" envDefault:"300"`
	StandardPerDay    int32 `env:"VITAE_PLAN_STANDARD_PER_DAY" envDefault:"20000"`
	ElevatedPerMinute int32 `env:"VITAE_PLAN_ELEVATED_PER_MINUTE" envDefault:"1000"`
	ElevatedPerDay    int32 `env:"VITAE_PLAN_ELEVATED_PER_DAY" envDefault:"200000"`
}

// check refuses a configuration without a usable database or without keys, and zero and
// negative figures: a budget of zero would refuse every request for ever.
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
	if c.CandidateAddr == "" {
		faults = append(faults, errors.New("VITAE_CANDIDATE_GRPC_ADDR must not be empty"))
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

func (c Config) plans() developer.Plans {
	return developer.Plans{
		Standard: developer.Plan{Name: developer.Standard, PerMinute: c.StandardPerMinute, PerDay: c.StandardPerDay},
		Elevated: developer.Plan{Name: developer.Elevated, PerMinute: c.ElevatedPerMinute, PerDay: c.ElevatedPerDay},
	}
}
