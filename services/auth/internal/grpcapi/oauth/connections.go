package oauth

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/people/session"
)

type connectionServer struct {
	authv1.UnimplementedConnectionServiceServer
	connections *connection.Service
	credentials *state.Service
	sessions    *session.Service
}

// person returns the id of the person on whose behalf an actor acts. Only an operator may specify the person without
// a session. Errors: SESSION_ENDED, CALLER_NOT_ALLOWED.
func (s *connectionServer) person(ctx context.Context, a *authv1.Actor) (string, error) {
	if secret := a.GetSessionToken(); secret != "" {
		who, _, err := s.sessions.Get(ctx, secret)
		return who.ID, err
	}
	if !grpcx.IsOperator(ctx) {
		return "", errs.New(errs.Denied, "CALLER_NOT_ALLOWED", "This caller must name the session.")
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: a.GetPersonId()})
	return a.GetPersonId(), nil
}

func (s *connectionServer) ListConnections(ctx context.Context, req *authv1.ListConnectionsRequest) (*authv1.ListConnectionsResponse, error) {
	personID, err := s.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	all, err := s.connections.List(ctx, personID)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListConnectionsResponse{}
	for _, conn := range all {
		resp.Connections = append(resp.Connections, connectionToProto(conn))
	}
	return resp, nil
}

func (s *connectionServer) UpdateConnection(ctx context.Context, req *authv1.UpdateConnectionRequest) (*authv1.UpdateConnectionResponse, error) {
	personID, err := s.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	changed, err := s.connections.Update(ctx, personID, req.GetId(), changeFromProto(req))
	if err != nil {
		return nil, err
	}
	return &authv1.UpdateConnectionResponse{Connection: connectionToProto(changed)}, nil
}

func (s *connectionServer) PreviewConnection(ctx context.Context, req *authv1.PreviewConnectionRequest) (*authv1.PreviewConnectionResponse, error) {
	personID, err := s.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	record, err := s.credentials.Preview(ctx, personID, req.GetId())
	if errors.Is(err, state.ErrUnknown) {
		return nil, connection.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &authv1.PreviewConnectionResponse{Principal: SessionRecordToProto(record).GetPrincipal(), AccountSuspended: record.AccountSuspended}, nil
}

func (s *connectionServer) ListReads(ctx context.Context, req *authv1.ListReadsRequest) (*authv1.ListReadsResponse, error) {
	personID, err := s.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	reads, err := s.connections.Reads(ctx, personID, req.GetId())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListReadsResponse{Reads: make([]*authv1.ReadDay, len(reads))}
	for i, r := range reads {
		resp.Reads[i] = &authv1.ReadDay{
			Day: usage.FormatDay(r.Day), Kind: readKinds.Value(r.Kind), Reads: r.Count, LastAt: timestamppb.New(r.Latest), From: FromToProto(r.From),
		}
	}
	return resp, nil
}

func FromToProto(from []connection.ReadsFrom) []*authv1.ReadsFromCountry {
	out := make([]*authv1.ReadsFromCountry, len(from))
	for i, f := range from {
		out[i] = &authv1.ReadsFromCountry{Country: f.Country, Reads: f.Count}
	}
	return out
}

func (s *connectionServer) Disconnect(ctx context.Context, req *authv1.DisconnectRequest) (*authv1.DisconnectResponse, error) {
	personID, err := s.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	return &authv1.DisconnectResponse{}, s.connections.Disconnect(ctx, personID, req.GetId(), req.GetOnly())
}
