// Package people serves people's accounts: sign-in, sign-up, passwords, passkeys, deletion and
// export.
package people

import (
	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
)

// Config holds the use cases. All fields are required.
type Config struct {
	People     *person.Service
	Sessions   *session.Service
	SignUps    *signup.Service
	Passwords  *recovery.Service
	Passkeys   *passkey.Service
	Deletions  *deletion.Service
	PersonData *export.Service
}

// Register adds the services to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) {
	authv1.RegisterPeopleServiceServer(r, &peopleServer{people: c.People})
	authv1.RegisterSessionServiceServer(r, &sessionServer{sessions: c.Sessions})
	authv1.RegisterSignUpServiceServer(r, &signUpServer{signUps: c.SignUps})
	authv1.RegisterPasswordServiceServer(r, &passwordServer{passwords: c.Passwords})
	authv1.RegisterPasskeyServiceServer(r, &passkeyServer{passkeys: c.Passkeys, signUps: c.SignUps, sessions: c.Sessions})
	authv1.RegisterPersonDataServiceServer(r, &personDataServer{sessions: c.Sessions, deletions: c.Deletions, data: c.PersonData})
}
