package oauth

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/grpcapi/platform"
)

var (
	credentialKinds = vocabulary.New[identityv1.CredentialKind]()
	readKinds       = vocabulary.New[authv1.ReadKind]()
)

// SessionRecordToProto converts a session record. The same message is sent over gRPC and stored in Redis, so the
// gateway has only one format to read.
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
		Plan:             platform.PlanToProto(r.Plan),
		ExpiresAt:        convert.TimeToProto(r.ExpiresAt),
	}
}
