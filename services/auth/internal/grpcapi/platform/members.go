package platform

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

type memberServer struct {
	authv1.UnimplementedMemberServiceServer
	members     *team.Service
	invitations *invitation.Service
}

func (s *memberServer) ListMembers(ctx context.Context, req *authv1.ListMembersRequest) (*authv1.ListMembersResponse, error) {
	members, err := s.members.Members(ctx, req.GetAccountId())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListMembersResponse{}
	for _, m := range members {
		resp.Members = append(resp.Members, memberToProto(m))
	}
	return resp, nil
}

func (s *memberServer) AddMember(ctx context.Context, req *authv1.AddMemberRequest) (*authv1.AddMemberResponse, error) {
	m, err := s.members.Add(ctx, req.GetAccountId(), req.GetPersonId(), team.Role(roles.Word(req.GetRole())))
	if err != nil {
		return nil, err
	}
	return &authv1.AddMemberResponse{Member: memberToProto(m)}, nil
}

func (s *memberServer) UpdateMember(ctx context.Context, req *authv1.UpdateMemberRequest) (*authv1.UpdateMemberResponse, error) {
	m, err := s.members.SetRole(ctx, req.GetAccountId(), req.GetPersonId(), team.Role(roles.Word(req.GetRole())))
	if err != nil {
		return nil, err
	}
	return &authv1.UpdateMemberResponse{Member: memberToProto(m)}, nil
}

func (s *memberServer) RemoveMember(ctx context.Context, req *authv1.RemoveMemberRequest) (*authv1.RemoveMemberResponse, error) {
	return &authv1.RemoveMemberResponse{}, s.members.Remove(ctx, req.GetAccountId(), req.GetPersonId())
}

func (s *memberServer) CreateInvitation(ctx context.Context, req *authv1.CreateInvitationRequest) (*authv1.CreateInvitationResponse, error) {
	made, err := s.invitations.Create(ctx, req.GetAccountId(), req.GetEmail(), team.Role(roles.Word(req.GetRole())), actorOf(ctx))
	if err != nil {
		return nil, err
	}
	return &authv1.CreateInvitationResponse{Invitation: invitationToProto(made.Invitation), Secret: made.Secret, Emailed: made.Emailed}, nil
}

func (s *memberServer) ListInvitations(ctx context.Context, req *authv1.ListInvitationsRequest) (*authv1.ListInvitationsResponse, error) {
	open, err := s.invitations.List(ctx, req.GetAccountId())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListInvitationsResponse{}
	for _, i := range open {
		resp.Invitations = append(resp.Invitations, invitationToProto(i))
	}
	return resp, nil
}

func (s *memberServer) WithdrawInvitation(ctx context.Context, req *authv1.WithdrawInvitationRequest) (*authv1.WithdrawInvitationResponse, error) {
	return &authv1.WithdrawInvitationResponse{}, s.invitations.Withdraw(ctx, req.GetId())
}

func (s *memberServer) GetInvitation(ctx context.Context, req *authv1.GetInvitationRequest) (*authv1.GetInvitationResponse, error) {
	caller, _ := team.FromContext(ctx)
	o, err := s.invitations.Offer(ctx, req.GetSecret(), caller.Person)
	if err != nil {
		return nil, err
	}
	return &authv1.GetInvitationResponse{Invitation: invitationToProto(o.Invitation), AccountName: o.AccountName}, nil
}

func (s *memberServer) AcceptInvitation(ctx context.Context, req *authv1.AcceptInvitationRequest) (*authv1.AcceptInvitationResponse, error) {
	caller, _ := team.FromContext(ctx)
	o, err := s.invitations.Accept(ctx, req.GetSecret(), caller.Person)
	if err != nil {
		return nil, err
	}
	return &authv1.AcceptInvitationResponse{AccountId: o.AccountID, Role: roles.Value(string(o.Role))}, nil
}

func memberToProto(m team.Member) *authv1.AccountMember {
	return &authv1.AccountMember{
		PersonId: m.PersonID, Name: m.Name, Email: m.Email, Role: roles.Value(string(m.Role)), CreatedAt: timestamppb.New(m.CreatedAt),
	}
}

func invitationToProto(i invitation.Invitation) *authv1.Invitation {
	return &authv1.Invitation{
		Id: i.ID, AccountId: i.AccountID, Email: i.Email, Role: roles.Value(string(i.Role)), CreatedBy: i.CreatedBy,
		CreatedAt: timestamppb.New(i.CreatedAt), ExpiresAt: timestamppb.New(i.ExpiresAt),
	}
}
