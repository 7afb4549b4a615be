package people

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/person"
)

func personToProto(p person.Person) *authv1.Person {
	return &authv1.Person{
		Id: p.ID, Email: p.Email, EmailVerified: p.EmailVerified, CreatedAt: timestamppb.New(p.CreatedAt), Language: p.Language,
	}
}
