package platform

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/team"
)

type accountServer struct {
	authv1.UnimplementedAccountServiceServer
	accounts *account.Service
	members  *team.Service
	plans    account.Plans
}

func (s *accountServer) ListAccounts(ctx context.Context, req *authv1.ListAccountsRequest) (*authv1.ListAccountsResponse, error) {
	if person := PersonOf(ctx); person != "" {
		return s.own(ctx, person)
	}
	accounts, next, err := s.accounts.Accounts(ctx, account.Search{
		Text: req.GetText(), PageToken: req.GetPageToken(), PageSize: int(req.GetPageSize()),
	})
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListAccountsResponse{NextPageToken: next}
	for _, a := range accounts {
		resp.Accounts = append(resp.Accounts, accountToProto(a, s.plans))
	}
	return resp, nil
}

// own lists a person's accounts, with the person's role in each of them.
func (s *accountServer) own(ctx context.Context, personID string) (*authv1.ListAccountsResponse, error) {
	memberships, err := s.members.Memberships(ctx, personID)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListAccountsResponse{}
	for _, m := range memberships {
		a := accountToProto(m.Account, s.plans)
		a.Role = roles.Value(string(m.Role))
		resp.Accounts = append(resp.Accounts, a)
	}
	return resp, nil
}

func (s *accountServer) UpdateAccount(ctx context.Context, req *authv1.UpdateAccountRequest) (*authv1.UpdateAccountResponse, error) {
	a, err := s.accounts.Update(ctx, req.GetId(), account.Change{Name: req.Name, Email: req.Email, ByMember: PersonOf(ctx) != ""})
	if err != nil {
		return nil, err
	}
	changed := accountToProto(a, s.plans)
	changed.Role = roleOf(ctx)
	return &authv1.UpdateAccountResponse{Account: changed}, nil
}

func (s *accountServer) CloseAccount(ctx context.Context, req *authv1.CloseAccountRequest) (*authv1.CloseAccountResponse, error) {
	return &authv1.CloseAccountResponse{}, s.accounts.Close(ctx, req.GetId(), req.GetName())
}

func (s *accountServer) VerifyAccount(ctx context.Context, req *authv1.VerifyAccountRequest) (*authv1.VerifyAccountResponse, error) {
	a, err := s.accounts.Verify(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.VerifyAccountResponse{Account: accountToProto(a, s.plans)}, nil
}

func (s *accountServer) UnverifyAccount(ctx context.Context, req *authv1.UnverifyAccountRequest) (*authv1.UnverifyAccountResponse, error) {
	a, err := s.accounts.Unverify(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.UnverifyAccountResponse{Account: accountToProto(a, s.plans)}, nil
}
