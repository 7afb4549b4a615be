package people

import (
	"context"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/person"
)

type peopleServer struct {
	authv1.UnimplementedPeopleServiceServer
	people *person.Service
}

func (s *peopleServer) CreatePerson(ctx context.Context, req *authv1.CreatePersonRequest) (*authv1.CreatePersonResponse, error) {
	made, err := s.people.Create(ctx, person.Creation{
		Email: req.GetEmail(), Password: req.GetPassword(), EmailVerified: req.GetEmailVerified(),
		ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreatePersonResponse{}, err
	}
	return &authv1.CreatePersonResponse{Person: personToProto(made)}, nil
}

func (s *peopleServer) FindPeople(ctx context.Context, req *authv1.FindPeopleRequest) (*authv1.FindPeopleResponse, error) {
	found, err := s.people.Find(ctx, req.GetText(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.FindPeopleResponse{}
	for _, p := range found {
		resp.People = append(resp.People, personToProto(p))
	}
	return resp, nil
}

func (s *peopleServer) GetPerson(ctx context.Context, req *authv1.GetPersonRequest) (*authv1.GetPersonResponse, error) {
	var (
		found person.Person
		err   error
	)
	if id := req.GetId(); id != "" {
		found, err = s.people.Get(ctx, id)
	} else {
		found, err = s.people.GetByEmail(ctx, req.GetEmail())
	}
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: found.ID, ObjectID: found.ID})
	return &authv1.GetPersonResponse{Person: personToProto(found)}, nil
}
