package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/session"
)

// Connections serves ConnectionService.
type Connections struct {
	authv1.UnimplementedConnectionServiceServer
	Connections *connection.Connections
	Sessions    *session.Sessions
}

// person finds out for whom an actor acts. Errors: SESSION_ENDED,
// CALLER_NOT_ALLOWED.
func (c *Connections) person(ctx context.Context, a *authv1.Actor) (string, error) {
	if secret := a.GetSessionToken(); secret != "" {
		who, _, err := c.Sessions.Get(ctx, secret)
		return who.ID, err
	}
	if !grpcx.IsOperator(ctx) {
		return "", errs.New(errs.Denied, "CALLER_NOT_ALLOWED", "This caller must name the session.")
	}
	return a.GetPersonId(), nil
}

// ListConnections implements authv1.ConnectionServiceServer.
func (c *Connections) ListConnections(ctx context.Context, req *authv1.ListConnectionsRequest) (*authv1.ListConnectionsResponse, error) {
	personID, err := c.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	all, err := c.Connections.List(ctx, personID)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListConnectionsResponse{}
	for _, conn := range all {
		resp.Connections = append(resp.Connections, fromConnection(conn))
	}
	return resp, nil
}

// UpdateConnection implements authv1.ConnectionServiceServer.
func (c *Connections) UpdateConnection(ctx context.Context, req *authv1.UpdateConnectionRequest) (*authv1.UpdateConnectionResponse, error) {
	personID, err := c.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	changed, err := c.Connections.Update(ctx, personID, req.GetId(), connection.Change{CvID: req.CvId, Sharing: req.CvSharing})
	if err != nil {
		return nil, err
	}
	return &authv1.UpdateConnectionResponse{Connection: fromConnection(changed)}, nil
}

// Disconnect implements authv1.ConnectionServiceServer.
func (c *Connections) Disconnect(ctx context.Context, req *authv1.DisconnectRequest) (*authv1.DisconnectResponse, error) {
	personID, err := c.person(ctx, req.GetActor())
	if err != nil {
		return nil, err
	}
	return &authv1.DisconnectResponse{}, c.Connections.Disconnect(ctx, personID, req.GetId())
}

func fromConnection(c connection.Connection) *authv1.Connection {
	return &authv1.Connection{
		Id: c.ID, App: fromApp(c.App), PersonId: c.PersonID, Scopes: c.Scopes,
		CvGranted: c.CvGranted(), CvSharing: c.CvGranted() && c.Sharing, CvId: c.CvID,
		SharePhoto: c.SharePhoto, CreatedAt: timestamppb.New(c.CreatedAt), Legacy: c.Legacy,
	}
}
