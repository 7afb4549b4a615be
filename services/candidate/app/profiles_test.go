package app_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func TestProfileRoundTrip(t *testing.T) {
	t.Parallel()
	r := start(t)
	created := r.create(full("usr_1"))
	want := full("usr_1")
	want.CreatedAt, want.UpdatedAt = created.GetCreatedAt(), created.GetUpdatedAt()
	if want.GetCreatedAt() == nil || want.GetUpdatedAt() == nil {
		t.Error("the profile has no times")
	}
	equal(t, "created", created, want)
	byID, err := r.internal.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: "usr_1"}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "by id", byID.GetProfile(), want)
	byUsername, err := r.internal.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_Username{Username: "SARA"}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "by username", byUsername.GetProfile(), want)
}

func TestCVRoundTrip(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	created := r.createCv("usr_1", "Mine", full("usr_1").GetContent())
	equal(t, "content", created.GetContent(), full("usr_1").GetContent())
	got, err := r.internal.GetCv(t.Context(), &candidatev1.GetCvRequest{Id: created.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "read", got.GetCv(), created)
	changed, err := r.internal.UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{Id: created.GetId(), Content: &candidatev1.CvContent{Summary: "new"}})
	if err != nil || changed.GetCv().GetTitle() != "Mine" || changed.GetCv().GetContent().GetSummary() != "new" {
		t.Errorf("the updated CV is %v, %v", changed, err)
	}
}

func TestPublicPageNeedsHandleAndVisibility(t *testing.T) {
	t.Parallel()
	r := start(t)
	stored := r.create(full("usr_1"))
	get := func(username string) (*candidatev1.GetPublicProfileResponse, error) {
		return r.pages.GetPublicProfile(t.Context(), &candidatev1.GetPublicProfileRequest{Username: username})
	}
	page, err := get("Sara")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "user", page.GetUser(), &candidatev1.SignedInUser{
		Name: "Sara", Username: text("sara"), Headline: text("Engineer"), Locale: text("en-AE"),
		AvatarUrl: text("https://example.com/sara.jpg"), ProfileUrl: text(appURL + "/p/sara"),
	})
	missing := unset(page.GetCv().ProtoReflect(), "")
	if want := []string{"document.contact_email", "personal_details", "pdf"}; !slices.Equal(missing, want) {
		t.Errorf("these fields of the CV are null: %q, want %q", missing, want)
	}
	if _, has := page.GetCv().GetDocument().GetSocials()["phone"]; has || page.GetCv().GetDocument().GetLocation().GetValue() != "Dubai" {
		t.Errorf("the CV is %v", page.GetCv())
	}

	empty := full("usr_1")
	empty.Content = nil
	r.update(empty, "content")
	if page, err = get("sara"); err != nil || page.GetCv() != nil || page.GetUser() == nil {
		t.Errorf("without a main CV: %v, %v", page, err)
	}
	r.update(&candidatev1.Profile{PersonId: "usr_1"}, "profile_public")
	for _, username := range []string{"sara", "nobody", "a\x00b", "../sara", strings.Repeat("a", 1000)} {
		if page, err := get(username); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
			t.Errorf("%.20q: %v, %v", username, page, err)
		}
	}
	if !proto.Equal(stored.GetContent(), full("usr_1").GetContent()) {
		t.Error("the stored content differs from what was written")
	}
}
