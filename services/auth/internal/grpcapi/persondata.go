package grpcapi

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/deletion"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/persondata"
	"vitae.internal/services/auth/internal/recovery"
	"vitae.internal/services/auth/internal/session"
)

type personDataServer struct {
	authv1.UnimplementedPersonDataServiceServer
	passwords *recovery.Service
	sessions  *session.Service
	deletions *deletion.Service
	data      *persondata.Service
}

func (s *personDataServer) confirm(ctx context.Context, req *authv1.ConfirmPersonRequest) (person.Person, error) {
	return s.passwords.Confirm(ctx, req.GetSessionToken(), session.SignIn{
		Password: req.GetCurrentPassword(), ClientIP: req.GetClientIp(),
		Device: req.GetDeviceToken(), DeviceSince: timeOf(req.GetDeviceSince()),
	})
}

// ConfirmPerson implements authv1.PersonDataServiceServer.
func (s *personDataServer) ConfirmPerson(ctx context.Context, req *authv1.ConfirmPersonRequest) (*authv1.ConfirmPersonResponse, error) {
	who, err := s.confirm(ctx, req)
	if err != nil {
		return nil, err
	}
	return &authv1.ConfirmPersonResponse{Person: personToProto(who)}, nil
}

// RequestDeletion implements authv1.PersonDataServiceServer.
func (s *personDataServer) RequestDeletion(ctx context.Context, req *authv1.RequestDeletionRequest) (*authv1.RequestDeletionResponse, error) {
	who, err := s.confirm(ctx, req.GetBy())
	if err != nil {
		return nil, err
	}
	due, err := s.deletions.Request(ctx, who, req.GetLanguage())
	if err != nil {
		return nil, err
	}
	return &authv1.RequestDeletionResponse{DueAt: timestamppb.New(due)}, nil
}

// KeepAccount implements authv1.PersonDataServiceServer.
func (s *personDataServer) KeepAccount(ctx context.Context, req *authv1.KeepAccountRequest) (*authv1.KeepAccountResponse, error) {
	who, _, err := s.sessions.Get(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	return &authv1.KeepAccountResponse{}, s.deletions.Keep(ctx, who, req.GetLanguage())
}

// ReadPersonData implements authv1.PersonDataServiceServer.
func (s *personDataServer) ReadPersonData(req *authv1.ReadPersonDataRequest, stream grpc.ServerStreamingServer[authv1.ReadPersonDataResponse]) error {
	return s.data.Read(stream.Context(), req.GetPersonId(), pieces{stream})
}

// AnnounceExport implements authv1.PersonDataServiceServer.
func (s *personDataServer) AnnounceExport(ctx context.Context, req *authv1.AnnounceExportRequest) (*authv1.AnnounceExportResponse, error) {
	return &authv1.AnnounceExportResponse{}, s.data.Announce(ctx, req.GetPersonId(), req.GetExportId(), req.GetLanguage())
}

// pieces sends what auth holds of a person, piece by piece.
type pieces struct {
	to interface {
		Send(*authv1.ReadPersonDataResponse) error
	}
}

var _ persondata.Taker = pieces{}

// Account implements persondata.Taker.
func (p pieces) Account(a persondata.Account) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Account{Account: &authv1.ExportedAccount{
		Person: personToProto(a.Person), Language: a.Language, PasswordSetAt: timestamppb.New(a.PasswordSetAt),
	}}})
}

// Session implements persondata.Taker.
func (p pieces) Session(l session.Listed) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Session{Session: sessionToProto(l)}})
}

// Connection implements persondata.Taker.
func (p pieces) Connection(c persondata.Connection) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Connection{Connection: &authv1.ExportedConnection{
		Id: c.ID, AppId: c.AppID, AppName: c.AppName, GrantedScopes: c.Granted, Scopes: c.Scopes, CvId: c.CvID,
		CvSharing: c.CvSharing, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: timestamppb.New(c.CreatedAt),
		PausedAt: timeToProto(c.PausedAt), EndsAt: timeToProto(c.EndsAt), EndedAt: timeToProto(c.EndedAt),
	}}})
}

// Read implements persondata.Taker.
func (p pieces) Read(r persondata.Read) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Read{Read: &authv1.ExportedRead{
		ConnectionId: r.ConnectionID, Day: r.Day.Format(time.DateOnly), Kind: r.Kind, Count: r.Count, LastAt: timestamppb.New(r.LastAt),
	}}})
}

// Membership implements persondata.Taker.
func (p pieces) Membership(m persondata.Membership) error {
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Membership{Membership: &authv1.ExportedMembership{
		AccountId: m.AccountID, AccountName: m.AccountName, Role: m.Role, CreatedAt: timestamppb.New(m.CreatedAt),
	}}})
}

// Event implements persondata.Taker. The address is the person's only if the person acted.
func (p pieces) Event(e audit.Event) error {
	out := &authv1.ExportedEvent{
		At: timestamppb.New(e.At), Action: string(e.Action), Outcome: string(e.Outcome), Actor: string(e.Actor.Kind), AppId: e.AppID,
	}
	if e.Actor.Kind == audit.Person && e.Actor.ID == e.PersonID {
		out.ClientAddress = e.ClientAddress
	}
	return p.to.Send(&authv1.ReadPersonDataResponse{Piece: &authv1.ReadPersonDataResponse_Event{Event: out}})
}
