package grpcapi

import (
	"errors"

	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/developer"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

// Config has the use cases. All fields are required.
type Config struct {
	People         *person.Service
	Sessions       *session.Service
	SignUps        *signup.Service
	Passwords      *recovery.Service
	Passkeys       *passkey.Service
	Developers     *developer.Service
	Authorizations *authorize.Service
	Grants         *grant.Service
	Tokens         *token.Service
	Connections    *connection.Service
	Credentials    *state.Service
	Usage          *usage.Service
	Audit          *auditlog.Service
	Console        *console.Service
	Members        *team.Service
	Invitations    *invitation.Service
	Deletions      *deletion.Service
	PersonData     *export.Service
	Countries      Countries
	// Plans has the budgets of the named plans.
	Plans developer.Plans
}

// Countries returns the country of an IP address as ISO 3166-1 alpha-2; empty if unknown.
type Countries interface{ Country(address string) string }

func (c Config) check() error {
	if c.People == nil || c.Sessions == nil || c.Developers == nil || c.Authorizations == nil || c.Grants == nil ||
		c.Console == nil || c.Members == nil || c.Invitations == nil || c.SignUps == nil || c.Passwords == nil || c.Passkeys == nil ||
		c.Deletions == nil || c.PersonData == nil || c.Countries == nil ||
		c.Tokens == nil || c.Connections == nil || c.Credentials == nil || c.Usage == nil || c.Audit == nil || c.Plans == (developer.Plans{}) {
		return errors.New("grpcapi: every use case, the countries and the plans are required")
	}
	return nil
}

// API implements the gRPC services of auth.
type API struct{ useCases Config }

// New returns an API, or an error if a required field is missing.
func New(c Config) (*API, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &API{useCases: c}, nil
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	c := a.useCases
	authv1.RegisterPeopleServiceServer(r, &peopleServer{people: c.People})
	authv1.RegisterSessionServiceServer(r, &sessionServer{sessions: c.Sessions})
	authv1.RegisterSignUpServiceServer(r, &signUpServer{signUps: c.SignUps})
	authv1.RegisterPasswordServiceServer(r, &passwordServer{passwords: c.Passwords})
	authv1.RegisterPersonDataServiceServer(r, &personDataServer{sessions: c.Sessions, deletions: c.Deletions, data: c.PersonData})
	authv1.RegisterPasskeyServiceServer(r, &passkeyServer{passkeys: c.Passkeys, signUps: c.SignUps, sessions: c.Sessions})
	authv1.RegisterDeveloperServiceServer(r, &developerServer{developers: c.Developers, plans: c.Plans})
	authv1.RegisterAccountServiceServer(r, &accountServer{developers: c.Developers, members: c.Members, plans: c.Plans})
	authv1.RegisterMemberServiceServer(r, &memberServer{members: c.Members, invitations: c.Invitations})
	authv1.RegisterConsoleServiceServer(r, &consoleServer{console: c.Console, members: c.Members, plans: c.Plans})
	authv1.RegisterAppLogoServiceServer(r, &logoServer{developers: c.Developers})
	authv1.RegisterOAuthServiceServer(r, &oauthServer{authorizations: c.Authorizations, grants: c.Grants, tokens: c.Tokens})
	authv1.RegisterConnectionServiceServer(r, &connectionServer{connections: c.Connections, credentials: c.Credentials, sessions: c.Sessions})
	authv1.RegisterCredentialServiceServer(r, &credentialServer{credentials: c.Credentials})
	authv1.RegisterLegacyTokenServiceServer(r, &legacyTokenServer{grants: c.Grants, tokens: c.Tokens})
	authv1.RegisterUsageServiceServer(r, &usageServer{usage: c.Usage})
	authv1.RegisterApplicationReadServiceServer(r, &applicationReadServer{usage: c.Usage})
	authv1.RegisterAuditServiceServer(r, &auditServer{log: c.Audit, sessions: c.Sessions, countries: c.Countries})
}
