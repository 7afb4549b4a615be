package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/person"
)

// People serves PeopleService.
type People struct {
	authv1.UnimplementedPeopleServiceServer
	People *person.People
}

// CreatePerson implements authv1.PeopleServiceServer.
func (p *People) CreatePerson(ctx context.Context, req *authv1.CreatePersonRequest) (*authv1.CreatePersonResponse, error) {
	made, err := p.People.Create(ctx, person.Creation{
		Email: req.GetEmail(), Password: req.GetPassword(), EmailVerified: req.GetEmailVerified(),
		ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreatePersonResponse{}, err
	}
	return &authv1.CreatePersonResponse{Person: fromPerson(made)}, nil
}

// GetPerson implements authv1.PeopleServiceServer.
func (p *People) GetPerson(ctx context.Context, req *authv1.GetPersonRequest) (*authv1.GetPersonResponse, error) {
	var (
		found person.Person
		err   error
	)
	if id := req.GetId(); id != "" {
		found, err = p.People.Get(ctx, id)
	} else {
		found, err = p.People.GetByEmail(ctx, req.GetEmail())
	}
	if err != nil {
		return nil, err
	}
	return &authv1.GetPersonResponse{Person: fromPerson(found)}, nil
}

func fromPerson(p person.Person) *authv1.Person {
	return &authv1.Person{
		Id: p.ID, Email: p.Email, EmailVerified: p.EmailVerified, CreatedAt: timestamppb.New(p.CreatedAt),
	}
}
