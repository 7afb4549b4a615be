package grpcapi

import (
	"context"

	"vitae.internal/pkg/grpcserver"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/membership"
)

// Members gives pkg/grpcserver the use case that decides on calls for people of the
// developer console.
type Members struct{ members *membership.Service }

var _ grpcserver.Members = Members{}

// NewMembers makes Members.
func NewMembers(m *membership.Service) Members { return Members{members: m} }

// things are the kinds of thing of the contract.
var things = map[optionsv1.Thing]membership.Thing{
	optionsv1.Thing_THING_ACCOUNT:       membership.Account,
	optionsv1.Thing_THING_APP:           membership.App,
	optionsv1.Thing_THING_API_KEY:       membership.APIKey,
	optionsv1.Thing_THING_CLIENT_SECRET: membership.ClientSecret,
	optionsv1.Thing_THING_INVITATION:    membership.Invitation,
}

// Admit implements grpcserver.Members.
func (m Members) Admit(ctx context.Context, session string, need grpcserver.MemberNeed) (context.Context, error) {
	return m.members.Admit(ctx, session, membership.Need{
		Role: membership.Role(roles.Word(need.Role)), Thing: things[need.Thing], ID: need.ID, OwnID: need.PersonID,
		WhileSuspended: need.WhileSuspended, Proven: need.Proven,
	})
}

// personOf is the id of the person of the console for whom a call is made; empty for a
// call of an operator.
func personOf(ctx context.Context) string {
	caller, _ := membership.FromContext(ctx)
	return caller.Person.ID
}

// roleOf is the role of the person in the account of the call; none for an operator.
func roleOf(ctx context.Context) optionsv1.Role {
	caller, _ := membership.FromContext(ctx)
	return roles.Value(string(caller.Role))
}

// actorOf is who makes what a call makes: the person, or the certificate name of the
// caller.
func actorOf(ctx context.Context) string {
	if id := personOf(ctx); id != "" {
		return id
	}
	return grpcserver.Caller(ctx)
}
