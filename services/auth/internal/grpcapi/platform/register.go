// Package platform serves developer accounts, apps, teams and the developer console.
package platform

import (
	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

// Config holds the use cases. All fields are required.
type Config struct {
	Accounts    *account.Service
	Apps        *app.Service
	Members     *team.Service
	Invitations *invitation.Service
	Console     *console.Service
	// Plans holds the budgets of the named plans.
	Plans account.Plans
}

// Register adds the services to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) {
	authv1.RegisterDeveloperServiceServer(r, &developerServer{accounts: c.Accounts, apps: c.Apps, plans: c.Plans})
	authv1.RegisterAccountServiceServer(r, &accountServer{accounts: c.Accounts, members: c.Members, plans: c.Plans})
	authv1.RegisterMemberServiceServer(r, &memberServer{members: c.Members, invitations: c.Invitations})
	authv1.RegisterConsoleServiceServer(r, &consoleServer{console: c.Console, members: c.Members, plans: c.Plans})
	authv1.RegisterAppLogoServiceServer(r, &logoServer{apps: c.Apps})
}
