package console_test

import (
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestRemovalListsMemberCredentials(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.keys = []*authv1.ApiKey{
		{Id: "key_1", Name: "ats", Hint: "abcd", CreatedBy: "usr_2"}, {Id: "key_2", Name: "other", CreatedBy: "usr_1"},
		{Id: "key_3", Name: "over", CreatedBy: "usr_2", ExpiresAt: timestamppb.New(now)},
	}
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/team/usr_2/remove")
	wantAll(t, page, "API key ats (…abcd) of", "stay members")
	wantNone(t, page, "API key other", "API key over", "Client secret")
	wantAll(t, b.page("/team/usr_1/remove"), "Client secret sec_1 of")
}

func TestOnlyOwnerCannotLeave(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/team")
	wantAll(t, page, `action="/team/usr_2/role"`, "Make someone else an owner first")
	wantNone(t, page, `action="/team/usr_1/`)
	answer(back, func(*authv1.ListMembersRequest) (*authv1.ListMembersResponse, error) {
		return &authv1.ListMembersResponse{Members: []*authv1.AccountMember{{PersonId: "usr_1", Role: owner}, {PersonId: "usr_2", Role: owner}}}, nil
	})
	wantAll(t, b.page("/team"), `action="/team/usr_1/role"`)
}
