package people

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/grpcapi/oauth"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/session"
)

type personDataServer struct {
	authv1.UnimplementedPersonDataServiceServer
	sessions  *session.Service
	deletions *deletion.Service
	data      *export.Service
}

func (s *personDataServer) RequestDeletion(ctx context.Context, req *authv1.RequestDeletionRequest) (*authv1.RequestDeletionResponse, error) {
	who, err := s.sessions.Proven(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	due, err := s.deletions.Request(ctx, who, req.GetLanguage())
	if err != nil {
		return nil, err
	}
	return &authv1.RequestDeletionResponse{DueAt: timestamppb.New(due)}, nil
}

func (s *personDataServer) ListSolelyOwnedAccounts(ctx context.Context, req *authv1.ListSolelyOwnedAccountsRequest) (*authv1.ListSolelyOwnedAccountsResponse, error) {
	who, _, err := s.sessions.Get(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	owned, err := s.deletions.OwnedAlone(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListSolelyOwnedAccountsResponse{}
	for _, a := range owned {
		resp.Accounts = append(resp.Accounts, &authv1.SolelyOwnedAccount{Id: a.ID, Name: a.Name})
	}
	return resp, nil
}

func (s *personDataServer) KeepAccount(ctx context.Context, req *authv1.KeepAccountRequest) (*authv1.KeepAccountResponse, error) {
	who, _, err := s.sessions.Get(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	return &authv1.KeepAccountResponse{}, s.deletions.Keep(ctx, who, req.GetLanguage())
}

func (s *personDataServer) ReadPersonData(req *authv1.ReadPersonDataRequest, stream grpc.ServerStreamingServer[authv1.ReadPersonDataResponse]) error {
	return s.data.Read(stream.Context(), req.GetPersonId(), pieces{stream})
}

func (s *personDataServer) AnnounceExport(ctx context.Context, req *authv1.AnnounceExportRequest) (*authv1.AnnounceExportResponse, error) {
	return &authv1.AnnounceExportResponse{}, s.data.Announce(ctx, req.GetPersonId(), req.GetExportId(), req.GetLanguage(), req.GetExpiresAt().AsTime())
}

func (s *personDataServer) LeaseErasures(ctx context.Context, _ *authv1.LeaseErasuresRequest) (*authv1.LeaseErasuresResponse, error) {
	due, err := s.deletions.LeaseElsewhere(ctx)
	resp := &authv1.LeaseErasuresResponse{Erasures: make([]*authv1.Erasure, len(due))}
	for i, d := range due {
		resp.Erasures[i] = &authv1.Erasure{PersonId: d.PersonID, Step: int32(d.Step)}
	}
	return resp, err
}

func (s *personDataServer) FinishErasure(ctx context.Context, req *authv1.FinishErasureRequest) (*authv1.FinishErasureResponse, error) {
	e := req.GetErasure()
	return &authv1.FinishErasureResponse{}, s.deletions.FinishElsewhere(ctx, deletion.Due{PersonID: e.GetPersonId(), Step: int(e.GetStep())})
}

// pieces is an export.Sink that streams the exported records to the caller.
type pieces struct {
	to interface {
		Send(*authv1.ReadPersonDataResponse) error
	}
}

var _ export.Sink = pieces{}

func (p pieces) Account(a export.Account) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Account{Account: &authv1.ExportedAccount{
		Person: personToProto(a.Person), Language: a.Language, PasswordSetAt: convert.TimeToProto(a.PasswordSetAt),
		DeletionRequestedAt: convert.TimeToProto(a.DeletionRequestedAt), DeletionDueAt: convert.TimeToProto(a.DeletionDueAt),
	}}})
}

func (p pieces) Session(l export.Session) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Session{Session: &authv1.ExportedSession{
		Session: sessionToProto(l.Listed), ExpiresAt: timestamppb.New(l.ExpiresAt), ProvenAt: timestamppb.New(l.ProvenAt), Language: l.Language,
	}}})
}

func (p pieces) Passkey(k export.Passkey) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Passkey{Passkey: &authv1.ExportedPasskey{
		Name: k.Name, CreatedAt: timestamppb.New(k.CreatedAt), UsedAt: convert.TimeToProto(k.UsedAt),
	}}})
}

func (p pieces) Browser(b export.Browser) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Browser{Browser: &authv1.ExportedBrowser{
		SignedInAt: timestamppb.New(b.SignedInAt), ExpiresAt: timestamppb.New(b.ExpiresAt), WrongPasswords: int32(b.WrongPasswords),
	}}})
}

func (p pieces) ConsoleSession(c export.ConsoleSession) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_ConsoleSession{ConsoleSession: &authv1.ExportedConsoleSession{
		CreatedAt: timestamppb.New(c.CreatedAt), UsedAt: timestamppb.New(c.UsedAt), ExpiresAt: timestamppb.New(c.ExpiresAt),
	}}})
}

func (p pieces) Invitation(i export.Invitation) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Invitation{Invitation: &authv1.ExportedInvitation{
		AccountId: i.AccountID, AccountName: i.AccountName, Role: i.Role, CreatedAt: timestamppb.New(i.CreatedAt), ExpiresAt: timestamppb.New(i.ExpiresAt),
	}}})
}

func (p pieces) Connection(c export.Connection) error {
	var links []*authv1.ExportedLink
	for _, l := range c.Links {
		links = append(links, &authv1.ExportedLink{CreatedAt: timestamppb.New(l.CreatedAt), EndedAt: convert.TimeToProto(l.EndedAt)})
	}
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Connection{Connection: &authv1.ExportedConnection{
		Id: c.ID, AppId: c.AppID, AppName: c.AppName, GrantedScopes: c.Granted, Scopes: c.Scopes, CvId: c.CvID,
		CvSharing: c.CvSharing, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: timestamppb.New(c.CreatedAt),
		PausedAt: convert.TimeToProto(c.PausedAt), EndsAt: convert.TimeToProto(c.EndsAt), EndedAt: convert.TimeToProto(c.EndedAt),
		WithheldScopes: c.Withheld, PhotoWithheld: c.PhotoWithheld, Links: links,
	}}})
}

func (p pieces) Read(r export.Read) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Read{Read: &authv1.ExportedRead{
		ConnectionId: r.ConnectionID, Day: r.Day.Format(time.DateOnly), Kind: r.Kind, Count: r.Count, LastAt: timestamppb.New(r.LastAt),
		From: oauth.FromToProto(r.From),
	}}})
}

func (p pieces) Membership(m export.Membership) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Membership{Membership: &authv1.ExportedMembership{
		AccountId: m.AccountID, AccountName: m.AccountName, Role: m.Role, CreatedAt: timestamppb.New(m.CreatedAt),
	}}})
}

// Event omits the IP address, the object and the details unless the person was the actor. Someone else may have
// acted from a different place, and on data of other people too. Event also omits the app for events about
// applications, because the app would reveal the employer behind a masked job.
func (p pieces) Event(e audit.Event) error {
	out := &authv1.ExportedEvent{
		At: timestamppb.New(e.At), Action: string(e.Action), Outcome: string(e.Outcome), Actor: string(e.Actor.Kind),
		ErrorCode: e.Code, ObjectType: e.Object.Type,
	}
	if e.Object.Type != "application" {
		out.AppId = e.AppID
	}
	if e.Actor.Kind == audit.Person && e.Actor.ID == e.PersonID {
		out.ClientAddress, out.ObjectId, out.Details = e.ClientAddress, e.Object.ID, e.Details
	}
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Event{Event: out}})
}
