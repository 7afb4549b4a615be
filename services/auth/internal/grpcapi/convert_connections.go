package grpcapi

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/connection"
)

func connectionToProto(c connection.Connection) *authv1.Connection {
	return &authv1.Connection{
		Id: c.ID, App: appToProto(c.App), PersonId: c.PersonID, Scopes: c.Scopes,
		CvGranted: c.CvGranted(), CvSharing: c.CvGranted() && c.Sharing, CvId: c.CvID,
		SharePhoto: c.SharePhoto, CreatedAt: timestamppb.New(c.CreatedAt), Legacy: c.Legacy,
	}
}
