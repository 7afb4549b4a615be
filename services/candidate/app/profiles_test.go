package app_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

func TestAProfileIsReadBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	r := start(t)
	created := r.create(full("usr_1"))
	want := full("usr_1")
	want.CreatedAt, want.UpdatedAt = created.GetCreatedAt(), created.GetUpdatedAt()
	if want.GetCreatedAt() == nil || want.GetUpdatedAt() == nil {
		t.Error("no times")
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

func TestACvIsReadBackAsItWasWritten(t *testing.T) {
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
		t.Errorf("changed %v, %v", changed, err)
	}
}

func TestFaultsNameTheirFieldOverTheWireAndWriteNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	broken := func(change func(p *candidatev1.Profile)) *candidatev1.Profile {
		p := bare("usr_2")
		change(p)
		return p
	}
	for field, p := range map[string]*candidatev1.Profile{
		"profile.person_id": broken(func(p *candidatev1.Profile) { p.PersonId = "" }),
		"profile.email":     broken(func(p *candidatev1.Profile) { p.Email = "sara" }),
		"profile.name":      broken(func(p *candidatev1.Profile) { p.Name = " " }),
		"profile.username":  broken(func(p *candidatev1.Profile) { p.Username = "Sara" }),
		"profile.avatar_url": broken(func(p *candidatev1.Profile) {
			p.AvatarUrl = "javascript:alert(1)"
		}),
		"profile.content.experiences[2].title": broken(func(p *candidatev1.Profile) {
			e := p.GetContent().GetExperiences()[0]
			p.Content.Experiences = []*cvv1.Experience{e, e, {Company: "Acme"}}
		}),
		"profile.content.summary": broken(func(p *candidatev1.Profile) { p.Content.Summary = strings.Repeat("x", 10_001) }),
	} {
		_, err := r.internal.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: p})
		if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != field || !strings.Contains(e.Message, field) {
			t.Errorf("create: %v, want a fault of %s", err, field)
		}
		if field == "profile.person_id" {
			continue
		}
		// An update skips the rules of the .proto, so the domain's must hold alone.
		p.PersonId = "usr_1"
		path := strings.Split(field, ".")[1]
		_, err = r.internal.UpdateProfile(t.Context(), &candidatev1.UpdateProfileRequest{
			Profile: p, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"headline", path}},
		})
		if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != field {
			t.Errorf("update: %v, want a fault of %s", err, field)
		}
	}
	_, err := r.internal.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: "usr_2"}})
	if !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Errorf("something was written: %v", err)
	}
}

func TestTwoOfAKindAreRefusedByName(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	for name, tc := range map[string]struct {
		profile     *candidatev1.Profile
		code, field string
	}{
		"a second profile": {full2("usr_1", "other"), "PROFILE_EXISTS", "profile.person_id"},
		"a taken handle":   {full2("usr_2", "sara"), "USERNAME_TAKEN", "profile.username"},
	} {
		for _, only := range []bool{true, false} {
			_, err := r.internal.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: tc.profile, ValidateOnly: only})
			e, ok := errs.As(err)
			if !ok || e.Kind != errs.Exists || e.Code != tc.code || e.Field() != tc.field {
				t.Errorf("%s, validate only %t: %v", name, only, err)
			}
		}
	}
}

func TestValidateOnlyMakesTheChecksAndWritesNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	resp, err := r.internal.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: full("usr_1"), ValidateOnly: true})
	if err != nil || resp.GetProfile() != nil {
		t.Errorf("profile: %v, %v", resp, err)
	}
	// The person need not exist yet.
	cvResp, err := r.internal.CreateCv(t.Context(), &candidatev1.CreateCvRequest{
		PersonId: "usr_1", Title: "t", Content: full("usr_1").GetContent(), ValidateOnly: true,
	})
	if err != nil || cvResp.GetCv() != nil {
		t.Errorf("CV: %v, %v", cvResp, err)
	}
	_, err = r.internal.CreateCv(t.Context(), &candidatev1.CreateCvRequest{
		PersonId: "usr_1", Title: "t", Content: &candidatev1.CvContent{Projects: []*cvv1.Project{{}}}, ValidateOnly: true,
	})
	if e, ok := errs.As(err); !ok || e.Field() != "content.projects[0].title" {
		t.Errorf("CV: %v", err)
	}
	r.create(full("usr_1")) // fails if anything was written
	list, err := r.internal.ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_1"})
	if err != nil || len(list.GetCvs()) != 1 {
		t.Errorf("CVs: %v, %v", list, err)
	}
}

func TestListOfCvsIsWhatAPersonCanShare(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := r.create(full("usr_1"))
	first, second := r.createCv("usr_1", "First", &candidatev1.CvContent{}), r.createCv("usr_1", "Second", &candidatev1.CvContent{})
	got, err := r.internal.ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_1"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "list", got, &candidatev1.ListCvsResponse{
		Name: "Sara", HasPhoto: true,
		Cvs: []*candidatev1.CvReference{
			{Id: "master", Title: "Main CV", UpdatedAt: p.GetUpdatedAt()},
			{Id: second.GetId(), Title: "Second", UpdatedAt: second.GetUpdatedAt()},
			{Id: first.GetId(), Title: "First", UpdatedAt: first.GetUpdatedAt()},
		},
	})
}

func TestPublicPageIsThereOnlyForAPublicProfileWithAHandle(t *testing.T) {
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
		t.Errorf("null in the CV: %q, want %q", missing, want)
	}
	if _, has := page.GetCv().GetDocument().GetSocials()["phone"]; has || page.GetCv().GetDocument().GetLocation().GetValue() != "Dubai" {
		t.Errorf("CV %v", page.GetCv())
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
		t.Error("the stored content is not what was written")
	}
}
