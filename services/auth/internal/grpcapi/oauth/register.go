// Package oauth serves authorization requests, tokens, connections and session records.
package oauth

import (
	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/people/session"
)

// Config holds the use cases. All fields are required.
type Config struct {
	Authorizations *authorize.Service
	Grants         *grant.Service
	Tokens         *token.Service
	Connections    *connection.Service
	Credentials    *state.Service
	Sessions       *session.Service
}

// Register adds the services to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) {
	authv1.RegisterOAuthServiceServer(r, &oauthServer{authorizations: c.Authorizations, grants: c.Grants, tokens: c.Tokens})
	authv1.RegisterLegacyTokenServiceServer(r, &legacyTokenServer{grants: c.Grants, tokens: c.Tokens})
	authv1.RegisterConnectionServiceServer(r, &connectionServer{connections: c.Connections, credentials: c.Credentials, sessions: c.Sessions})
	authv1.RegisterCredentialServiceServer(r, &credentialServer{credentials: c.Credentials})
}
