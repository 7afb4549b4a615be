package grpcapi

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/internal/credentials/state"
)

// SessionRecordToProto converts a session record. The message is sent over gRPC and stored in
// Redis, so that the gateway reads the same in both places.
func SessionRecordToProto(r state.Record) *authv1.SessionRecord {
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
