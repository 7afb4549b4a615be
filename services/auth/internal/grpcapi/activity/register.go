// Package activity serves usage, the request log and the audit log.
package activity

import (
	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/people/session"
)

// Config holds the use cases. All fields are required.
type Config struct {
	Usage     *usage.Service
	Requests  *requestlog.Service
	Audit     *auditlog.Service
	Sessions  *session.Service
	Countries Countries
}

// Countries looks up the country of an IP address. It returns an ISO 3166-1 alpha-2 code, or "" if the country is
// unknown.
type Countries interface{ Country(address string) string }

// Register adds the services to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) {
	authv1.RegisterUsageServiceServer(r, &usageServer{usage: c.Usage, requests: c.Requests})
	authv1.RegisterApplicationReadServiceServer(r, &applicationReadServer{usage: c.Usage})
	authv1.RegisterAuditServiceServer(r, &auditServer{log: c.Audit, sessions: c.Sessions, countries: c.Countries})
}
