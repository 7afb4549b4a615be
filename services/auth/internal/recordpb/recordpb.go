// Package recordpb turns a session record into the message that goes both over
// gRPC and into Redis, so that the edge cannot be told two things.
package recordpb

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/livestate"
)

var kinds = map[livestate.Kind]identityv1.CredentialKind{
	livestate.AccessToken: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN,
	livestate.APIKey:      identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY,
	livestate.CVLink:      identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK,
	livestate.LegacyToken: identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
}

// Kind is the domain's name for a kind of the contract; false for none.
func Kind(k identityv1.CredentialKind) (livestate.Kind, bool) {
	for domain, message := range kinds {
		if message == k {
			return domain, true
		}
	}
	return 0, false
}

// From makes the message of a record.
func From(r livestate.Record) *authv1.SessionRecord {
	p := &identityv1.Principal{
		Kind:      kinds[r.Kind],
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
		p.ConnectedAt = timestamppb.New(c.CreatedAt)
		p.CvLinkId = c.LinkID
	}
	return &authv1.SessionRecord{
		Principal:        p,
		AccountSuspended: r.AccountSuspended,
		Plan:             Plan(r.Plan),
		ExpiresAt:        timestamp(r.ExpiresAt),
	}
}

var plans = map[developer.PlanName]authv1.PlanName{
	developer.Standard: authv1.PlanName_PLAN_NAME_STANDARD,
	developer.Elevated: authv1.PlanName_PLAN_NAME_ELEVATED,
	developer.Custom:   authv1.PlanName_PLAN_NAME_CUSTOM,
}

// Plan makes the message of a plan.
func Plan(p developer.Plan) *authv1.Plan {
	return &authv1.Plan{Name: plans[p.Name], PerMinute: p.PerMinute, PerDay: p.PerDay}
}

// PlanName is the domain's name for a plan of the contract; empty for none.
func PlanName(n authv1.PlanName) developer.PlanName {
	for domain, message := range plans {
		if message == n {
			return domain
		}
	}
	return ""
}

func timestamp(t *time.Time) *timestamppb.Timestamp {
	if t == nil {
		return nil
	}
	return timestamppb.New(*t)
}
