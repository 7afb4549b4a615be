package app_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// unset returns the paths of the fields below m that are null or absent. Plain scalars, lists and
// maps are always present (package vitae.cv.v1).
func unset(m protoreflect.Message, path string) []string {
	var found []string
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		at := path + string(fd.Name())
		switch {
		case fd.IsMap():
		case fd.IsList() && fd.Kind() == protoreflect.MessageKind:
			for j := range m.Get(fd).List().Len() {
				found = append(found, unset(m.Get(fd).List().Get(j).Message(), at+".")...)
			}
		case !fd.HasPresence():
		case !m.Has(fd):
			found = append(found, at)
		case fd.Kind() == protoreflect.MessageKind && fd.Message().ParentFile().Package() != "google.protobuf":
			found = append(found, unset(m.Get(fd).Message(), at+".")...)
		}
	}
	return found
}

// nullable returns the paths of the fields that can be null or absent.
func nullable(m protoreflect.MessageDescriptor, path string) (found []string) {
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		at := path + string(f.Name())
		if f.HasPresence() {
			found = append(found, at)
		}
		if message := f.Message(); !f.IsMap() && message != nil && (f.IsList() || at == "document") {
			found = append(found, nullable(message, at+".")...)
		}
	}
	return found
}

func text(s string) *wrapperspb.StringValue { return wrapperspb.String(s) }

// full returns a profile in which every field is set. Text fields of the content that are not
// listed here contain their own names.
func full(personID string) *candidatev1.Profile {
	p := &candidatev1.Profile{
		PersonId: personID, Email: "sara@example.com", EmailVerified: true, Name: "Sara", Username: "sara", Headline: "Engineer",
		Locale: "en-AE", AvatarUrl: "https://example.com/sara.jpg", UaePassVerified: true, OpenToWork: true, ProfilePublic: true,
		Phone: "+971 50 123 4567", Address: "Villa 7, Dubai",
		PersonalDetails: &cvv1.PersonalDetails{
			DateOfBirth: text("1990-05-17"), Gender: text("female"), MaritalStatus: text("single"), Nationality: text("Emirati"),
			Residence: text("Dubai"), VisaResidency: text("citizen"), NationalService: text("done"), Dependents: text("none"),
		},
		Content: &candidatev1.CvContent{
			Summary: "Summary", Bio: "Bio", About: "About", Location: "Dubai",
			Socials: map[string]string{"github": "https://github.com/sara"}, Languages: []string{"Arabic (native)"},
			Skills: []string{"Go"}, SkillGroups: []*cvv1.SkillGroup{{Category: "Data", Items: []string{"SQL"}}}, Interests: []string{"Sailing"},
			Highlights: []*cvv1.Highlight{{Id: proto.String("h1"), Title: "Title", Desc: "Description"}},
			Experiences: []*cvv1.Experience{{
				Id: "e1", Title: "Engineer", Company: "Acme", Location: text("Dubai"), LocationType: text("hybrid"),
				EmploymentType: text("full_time"), StartDate: text("2019-01"), EndDate: text("2020-02"), Overview: text("Overview"), Bullets: []string{"Did"},
			}},
			Educations: []*cvv1.Education{{
				Id: "s1", School: "School", Degree: text("BSc"), FieldOfStudy: text("Computing"), StartDate: text("2008"), EndDate: text("2012"), Description: text("Good"),
			}},
			Certifications: []*cvv1.Certification{{
				Id: "c1", Name: "Name", Issuer: "Issuer", IssueDate: text("2020-01-02"), ExpirationDate: text("2030-01-02"), CredentialUrl: text("https://example.com/c"),
			}},
			Projects: []*cvv1.Project{{
				Id: "p1", Title: "Project", Description: text("Description"), Image: text("https://example.com/i.png"), Link: text("https://example.com/p"), Technologies: []string{"Go"},
			}},
		},
	}
	content := p.GetContent().ProtoReflect()
	for i := range content.Descriptor().Fields().Len() {
		if f := content.Descriptor().Fields().Get(i); isText(f) && !content.Has(f) {
			content.Set(f, protoreflect.ValueOfString(f.TextName()))
		}
	}
	return p
}

func isText(f protoreflect.FieldDescriptor) bool {
	return f.Kind() == protoreflect.StringKind && !f.IsList() && !f.IsMap()
}

// addTexts sets the unset fields of a document to the values in a CV's content.
func addTexts(d *cvv1.CvDocument, content *candidatev1.CvContent) *cvv1.CvDocument {
	from, to := content.ProtoReflect(), d.ProtoReflect()
	for i := range from.Descriptor().Fields().Len() {
		f := from.Descriptor().Fields().Get(i)
		if own := to.Descriptor().Fields().ByName(f.Name()); isText(f) && own != nil && !to.Has(own) {
			to.Set(own, protoreflect.ValueOfMessage(text(from.Get(f).String()).ProtoReflect()))
		}
	}
	return d
}

func TestSharedCVHasEveryStoredField(t *testing.T) {
	t.Parallel()
	r := start(t)
	stored := r.create(full("usr_1"))
	p := consent("usr_1", "master", "profile", "email", "cv:read", "cv:contact")
	p.SharePhoto = true
	got, err := r.getSharedCv(p)
	if err != nil {
		t.Fatal(err)
	}
	want := full("usr_1")
	content := want.GetContent()
	equal(t, "shared CV", got, &cvv1.SharedCv{
		Id: "master", Title: "Main CV", UpdatedAt: stored.GetUpdatedAt(), IsMainCv: true, Language: "en",
		Document: addTexts(&cvv1.CvDocument{
			Username: "sara", PublicCvUrl: text(appURL + "/p/sara/cv"), Name: "Sara", Title: text("Engineer"),
			Location: text("Villa 7, Dubai"), AvatarUrl: text(p.GetPhotoUrl()), ContactEmail: text("sara@example.com"), IsUaePassVerified: true,
			Socials:    map[string]string{"github": "https://github.com/sara", "phone": "+971 50 123 4567"},
			OpenToWork: true, Skills: []string{"Go", "SQL"}, SkillGroups: content.GetSkillGroups(), Languages: content.GetLanguages(),
			Highlights: content.GetHighlights(), Experiences: content.GetExperiences(), Educations: content.GetEducations(),
			Certifications: content.GetCertifications(), Projects: content.GetProjects(),
		}, content),
		PersonalDetails:  want.GetPersonalDetails(),
		PublicProfileUrl: text(appURL + "/p/sara"),
		Pdf:              &cvv1.CvPdf{Url: p.GetCvLinkUrl(), ContentType: "application/pdf"},
	})
	if missing := unset(got.ProtoReflect(), ""); len(missing) != 0 {
		t.Errorf("these fields are null although everything is stored and granted: %q", missing)
	}
}

func TestUnsetFieldsOfSharedCVAreNull(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	got, err := r.getSharedCv(consent("usr_1", "master", "profile", "email", "cv:read", "cv:contact"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, path := range nullable(got.ProtoReflect().Descriptor(), "") {
		if path != "updated_at" && path != "document" && path != "pdf" {
			want = append(want, path)
		}
	}
	if missing := unset(got.ProtoReflect(), ""); !slices.Equal(missing, want) {
		t.Errorf("these fields are null:\n%q\nwant\n%q", missing, want)
	}
	d := got.GetDocument()
	if d.GetUsername() != "" || len(d.GetSocials()) != 0 || d.GetIsUaePassVerified() || d.GetOpenToWork() {
		t.Errorf("the document is %v", d)
	}
	for name, id := range map[string]string{
		"experience": d.GetExperiences()[0].GetId(), "education": d.GetEducations()[0].GetId(),
		"certification": d.GetCertifications()[0].GetId(), "project": d.GetProjects()[0].GetId(),
	} {
		if id == "" {
			t.Errorf("the %s has no id", name)
		}
	}
}

func TestUserContainsEveryField(t *testing.T) {
	t.Parallel()
	r := start(t)
	stored := r.create(full("usr_1"))
	p := consent("usr_1", "master", "profile", "email", "cv:read")
	p.SharePhoto = true
	got, err := r.getMe(p)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "user", got, &candidatev1.SignedInUser{
		Id: "usr_1", Name: "Sara", Username: text("sara"), Headline: text("Engineer"), Locale: text("en-AE"),
		AvatarUrl: text(p.GetPhotoUrl()), ProfileUrl: text(appURL + "/p/sara"), Email: proto.String("sara@example.com"),
		Connection: &candidatev1.ConnectionSummary{
			Id: "con_1", Scopes: []string{"profile", "email", "cv:read"}, CreatedAt: timestamppb.New(connectedAt),
			Cv: &candidatev1.CvReference{Id: "master", Title: "Main CV", UpdatedAt: stored.GetUpdatedAt()},
		},
	})
	if missing := unset(got.ProtoReflect(), ""); len(missing) != 0 {
		t.Errorf("these fields are null or absent although everything is stored and granted: %q", missing)
	}

	narrowed, err := r.getMe(consent("usr_1", "master", "profile"))
	if scopes := narrowed.GetConnection().GetScopes(); err != nil || !slices.Equal(scopes, []string{"profile"}) {
		t.Errorf("a token with only the scope profile has the scopes %q: %v", scopes, err)
	}

	r.create(bare("usr_2"))
	got, err = r.getMe(consent("usr_2", "master", "profile", "email"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"username", "headline", "locale", "avatar_url", "profile_url", "email", "connection.cv"}
	if missing := unset(got.ProtoReflect(), ""); !slices.Equal(missing, want) {
		t.Errorf("these fields are null or absent: %q, want %q", missing, want)
	}
}

func TestMainCVWithoutContentIsNotShared(t *testing.T) {
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
		t.Errorf("a main CV with content: %v", err)
	}
}
