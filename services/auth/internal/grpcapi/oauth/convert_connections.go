package oauth

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/grpcapi/platform"
	"vitae.internal/services/auth/internal/oauth/connection"
)

func connectionToProto(c connection.Connection) *authv1.Connection {
	return &authv1.Connection{
		Id: c.ID, App: platform.AppToProto(c.App), PersonId: c.PersonID, Scopes: c.Scopes,
		CvGranted: c.CvGranted(), CvSharing: c.CvGranted() && c.Sharing, CvId: c.CvID,
		SharePhoto: c.SharePhoto, CreatedAt: timestamppb.New(c.CreatedAt), Legacy: c.Legacy,
		GrantedScopes: c.Granted, WithheldScopes: c.Withheld, DeclinedScopes: c.Declined, PhotoGranted: c.PhotoGranted(),
		PausedAt: convert.TimeToProto(c.PausedAt), EndsAt: convert.TimeToProto(c.EndsAt),
		PublisherName: c.Publisher.Name, PublisherVerified: c.Publisher.Verified, PublisherOwn: c.Publisher.Own,
	}
}

func changeFromProto(req *authv1.UpdateConnectionRequest) connection.Change {
	return connection.Change{
		CvID: req.CvId, Sharing: req.CvSharing, Email: req.ShareEmail, Contact: req.ShareContact, Photo: req.SharePhoto,
		Paused: req.Paused, EndsAt: convert.TimeFromProto(req.GetEndsAt()), NoEnd: req.GetNoEnd(),
	}
}
