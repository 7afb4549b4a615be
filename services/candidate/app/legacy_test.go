package app_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// legacyPrincipal returns the principal of a token from the legacy interface that includes the
// photo.
func legacyPrincipal(personID string) *identityv1.Principal {
	p := consent(personID, "", "profile:read")
	p.Kind, p.GrantedScopes, p.SharePhoto = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN, []string{"profile:read"}, true
	return p
}

func (r *running) getLegacy(p *identityv1.Principal) (*candidatev1.LegacyProfile, error) {
	resp, err := candidatev1.NewLegacyProfileServiceClient(r.dial("gateway")).
		GetLegacyProfile(principal.NewContext(r.t.Context(), p), &candidatev1.GetLegacyProfileRequest{})
	return resp.GetProfile(), err
}

func TestLegacyProfileHasEveryStoredField(t *testing.T) {
	t.Parallel()
	r := start(t)
	stored := full("usr_1")
	stored.Content.Socials["linkedin"], stored.Content.Socials["website"] = "https://linkedin.com/in/sara", "https://sara.example"
	r.create(stored)
	p := legacyPrincipal("usr_1")
	got, err := r.getLegacy(p)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "profile", got, &candidatev1.LegacyProfile{
		Name: proto.String("Sara"), Email: proto.String("sara@example.com"), PhoneNumber: proto.String("+971 50 123 4567"),
		Location: proto.String("Dubai"), Headline: proto.String("Engineer"), CvUrl: proto.String(p.GetCvLinkUrl()),
		ProfilePicture: proto.String(p.GetPhotoUrl()), Skills: []string{"Go", "SQL"}, Languages: []string{"Arabic (native)"},
		Experience: []*candidatev1.LegacyExperience{{
			Title: "Engineer", Company: "Acme", Location: proto.String("Dubai"), StartDate: proto.String("2019-01"),
			EndDate: proto.String("2020-02"), Description: proto.String("Overview\nDid"),
		}},
		Education: []*candidatev1.LegacyEducation{{
			Degree: proto.String("BSc"), Institution: "School", GraduationYear: proto.Int32(2012), Field: proto.String("Computing"),
		}},
		Certifications: []*candidatev1.LegacyCertification{{Name: "Name", Issuer: "Issuer", Year: proto.Int32(2020)}},
		SocialLinks: &candidatev1.LegacySocialLinks{
			Linkedin: proto.String("https://linkedin.com/in/sara"), Github: proto.String("https://github.com/sara"), Portfolio: proto.String("https://sara.example"),
		},
	})
	if missing := unset(got.ProtoReflect(), ""); len(missing) != 0 {
		t.Errorf("these fields are absent although everything is stored: %q", missing)
	}
	p.SharePhoto = false
	if got, err = r.getLegacy(p); err != nil || got.ProfilePicture != nil {
		t.Errorf("a token without the photo gets %v, %v", got, err)
	}
}

func TestLegacyProfileOmitsUnsetFields(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(&candidatev1.Profile{PersonId: "usr_1", Email: "unverified@example.com", Name: "Sara"})
	got, err := r.getLegacy(legacyPrincipal("usr_1"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "profile", got, &candidatev1.LegacyProfile{Name: proto.String("Sara")})

	// The location and a link are included even if there is no CV, but the URL of a CV is not.
	filled := &candidatev1.Profile{PersonId: "usr_1", Content: &candidatev1.CvContent{
		Location: "Dubai", Socials: map[string]string{"github": "https://github.com/sara"},
	}}
	r.update(filled, "content")
	if got, err = r.getLegacy(legacyPrincipal("usr_1")); err != nil {
		t.Fatal(err)
	}
	equal(t, "profile", got, &candidatev1.LegacyProfile{
		Name: proto.String("Sara"), Location: proto.String("Dubai"),
		SocialLinks: &candidatev1.LegacySocialLinks{Github: proto.String("https://github.com/sara")},
	})
}

func TestLegacyProfileNeedsLegacyToken(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	as := func(kind identityv1.CredentialKind, scopes ...string) *identityv1.Principal {
		p := legacyPrincipal("usr_1")
		p.Kind, p.Scopes = kind, scopes
		return p
	}
	const (
		token = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
		key   = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
		link  = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
		older = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
	)
	for name, tc := range map[string]struct {
		principal *identityv1.Principal
		code      string
		kind      errs.Kind
	}{
		"no principal":                          {nil, "PRINCIPAL_MISSING", errs.Unauthenticated},
		"an access token":                       {as(token, "profile", "email", "cv:read", "cv:contact"), "PRINCIPAL_MISSING", errs.Unauthenticated},
		"an access token with the legacy scope": {as(token, "profile:read"), "PRINCIPAL_MISSING", errs.Unauthenticated},
		"API key":                               {as(key, "profile:read"), "PRINCIPAL_MISSING", errs.Unauthenticated},
		"link":                                  {as(link, "profile:read"), "PRINCIPAL_MISSING", errs.Unauthenticated},
		"a principal without a kind":            {as(0, "profile:read"), "PRINCIPAL_MISSING", errs.Unauthenticated},
		"without scopes":                        {as(older), "OAUTH_INSUFFICIENT_SCOPE", errs.Denied},
		"other scopes":                          {as(older, "profile", "cv:read"), "OAUTH_INSUFFICIENT_SCOPE", errs.Denied},
		"without a person":                      {legacyPrincipal("usr_nobody"), "PROFILE_NOT_FOUND", errs.NotFound},
	} {
		if got, err := r.getLegacy(tc.principal); !errs.HasCode(err, tc.code) || errs.KindOf(err) != tc.kind {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, caller := range []string{"internal", "cvrender", "vitaectl"} {
		_, err := candidatev1.NewLegacyProfileServiceClient(r.dial(caller)).GetLegacyProfile(
			principal.NewContext(t.Context(), legacyPrincipal("usr_1")), &candidatev1.GetLegacyProfileRequest{})
		if !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s: %v", caller, err)
		}
	}
}
