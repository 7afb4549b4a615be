package grpcapi

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/internal/credentialstate"
)

// SessionRecordToProto makes the message of a session record. The message goes both over
// gRPC and into Redis, so that the edge reads the same in either place.
func SessionRecordToProto(r credentialstate.Record) *authv1.SessionRecord {
	p := &identityv1.Principal{
		Kind:      credentialKinds.Value(string(r.Kind)),
		AccountId: r.AccountID,
		AppId:     r.AppID,
		Scopes:    r.Scopes,
		ApiKeyId:  r.APIKeyID,
	}
	if c := r.Connection; c != nil {
		p.ConnectionId = c.ID
		p.PersonId = c.PersonID
		p.GrantedScopes = c.Scopes
		p.CvId = c.CvID
		p.SharePhoto = c.SharePhoto
		p.PhotoVersion = c.PhotoVersion
		p.ConnectedAt = timestamppb.New(c.CreatedAt)
		p.CvLinkId = c.LinkID
	}
	return &authv1.SessionRecord{
		Principal:        p,
		AccountSuspended: r.AccountSuspended,
		Plan:             planToProto(r.Plan),
		ExpiresAt:        timeToProto(r.ExpiresAt),
	}
}
