package app_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func TestAChangeOfTheProfileShowsInTheNextReadOfTheMainCv(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.create(bare("usr_1"))
	reader := consent("usr_1", "master", "profile", "cv:read")
	changed := bare("usr_1")
	changed.Name, changed.Content.Summary = "سارة", strings.Repeat("مهندسة برمجيات في دبي أعمل على أنظمة كبيرة. ", 4)
	after := r.update(changed, "name", "content")

	got, err := r.getSharedCv(reader)
	if err != nil {
		t.Fatal(err)
	}
	if got.GetDocument().GetName() != "سارة" || got.GetDocument().GetSummary().GetValue() != changed.GetContent().GetSummary() || got.GetLanguage() != "ar" {
		t.Errorf("got %v", got)
	}
	if !proto.Equal(got.GetUpdatedAt(), after.GetUpdatedAt()) || !after.GetUpdatedAt().AsTime().After(before.GetUpdatedAt().AsTime()) {
		t.Errorf("updatedAt %v, written at %v after %v", got.GetUpdatedAt(), after.GetUpdatedAt(), before.GetUpdatedAt())
	}
	again, err := r.getSharedCv(reader)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "a second read", again, got)
}

func TestAnotherCvHasItsOwnContentAndTheIdentityOfTheProfile(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	own := r.createCv("usr_1", "For banks", &candidatev1.CvContent{Summary: "Banker"})
	reader := consent("usr_1", own.GetId(), "profile", "email", "cv:read", "cv:contact")
	renamed := full("usr_1")
	renamed.Name, renamed.Content = "Sara A.", nil
	r.update(renamed, "name")

	got, err := r.getSharedCv(reader)
	if err != nil {
		t.Fatal(err)
	}
	d := got.GetDocument()
	if got.GetId() != own.GetId() || got.GetTitle() != "For banks" || got.GetIsMainCv() || d.GetSummary().GetValue() != "Banker" ||
		len(d.GetExperiences()) != 0 || d.GetName() != "Sara A." || d.GetContactEmail().GetValue() != "sara@example.com" || d.GetSocials()["phone"] == "" {
		t.Errorf("got %v", got)
	}
	if !proto.Equal(got.GetUpdatedAt(), own.GetUpdatedAt()) {
		t.Errorf("updatedAt moved with the profile: %v, want %v", got.GetUpdatedAt(), own.GetUpdatedAt())
	}
	title := "For large banks"
	resp, err := r.internal.UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{Id: own.GetId(), Title: &title})
	if err != nil {
		t.Fatal(err)
	}
	if got, err = r.getSharedCv(reader); err != nil || got.GetTitle() != title || !proto.Equal(got.GetUpdatedAt(), resp.GetCv().GetUpdatedAt()) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestNoOtherCvTakesThePlaceOfOneThatIsGone(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	r.create(full2("usr_2", "omar"))
	own, foreign := r.createCv("usr_1", "Own", &candidatev1.CvContent{}), r.createCv("usr_2", "Foreign", &candidatev1.CvContent{})
	if _, err := r.internal.DeleteCv(t.Context(), &candidatev1.DeleteCvRequest{Id: own.GetId()}); err != nil {
		t.Fatal(err)
	}
	for name, chosen := range map[string]string{"deleted": own.GetId(), "another person's": foreign.GetId(), "none": "", "nonsense": "cv_\n"} {
		reader := consent("usr_1", chosen, "profile", "cv:read")
		if got, err := r.getSharedCv(reader); !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
		if got, err := r.getMe(reader); err != nil || got.GetConnection().GetCv() != nil {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

func TestAMainCvWithoutContentIsNotShared(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := bare("usr_1")
	p.Content = &candidatev1.CvContent{Location: "Dubai"}
	r.create(p)
	reader := consent("usr_1", "master", "profile", "cv:read")
	if got, err := r.getSharedCv(reader); !errs.HasCode(err, "CV_NOT_FOUND") {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := r.getMe(reader); err != nil || got.GetConnection().GetCv() != nil {
		t.Errorf("got %v, %v", got, err)
	}
	r.update(bare("usr_1"), "content")
	if _, err := r.getSharedCv(reader); err != nil {
		t.Errorf("with content: %v", err)
	}
}

func full2(personID, username string) *candidatev1.Profile {
	p := full(personID)
	p.Username = username
	return p
}
