package app_test

import (
	"testing"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestOnlyTheNamedPartsMayCallAMethod(t *testing.T) {
	r := start(t)
	for name, err := range map[string]error{
		"cvrender reads a person": func() error {
			_, err := candidatev1.NewMeServiceClient(r.dial("cvrender")).GetMe(t.Context(), &candidatev1.GetMeRequest{})
			return err
		}(),
		"internal reads a shared CV": func() error {
			_, err := candidatev1.NewMeServiceClient(r.dial("internal")).GetSharedCv(t.Context(), &candidatev1.GetSharedCvRequest{})
			return err
		}(),
		"the edge reads a whole profile": func() error {
			_, err := r.pages.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: "usr_1"}})
			return err
		}(),
		"the edge writes a profile": func() error {
			_, err := r.pages.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: bare("usr_1")})
			return err
		}(),
		"the edge reads a whole CV": func() error {
			_, err := r.pages.GetCv(t.Context(), &candidatev1.GetCvRequest{Id: "cv_1"})
			return err
		}(),
		"cvrender lists CVs": func() error {
			_, err := candidatev1.NewProfileServiceClient(r.dial("cvrender")).ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_1"})
			return err
		}(),
	} {
		if !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadsOfAPartnerNeedAPersonsCredentialWithTheScope(t *testing.T) {
	r := start(t)
	r.create(bare("usr_1"))
	const (
		token   = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
		link    = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
		key     = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
		older   = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
		unknown = identityv1.CredentialKind_CREDENTIAL_KIND_UNSPECIFIED
	)
	as := func(kind identityv1.CredentialKind, scopes ...string) *identityv1.Principal {
		p := consent("usr_1", "master", scopes...)
		p.Kind = kind
		return p
	}
	for name, tc := range map[string]struct {
		principal *identityv1.Principal
		me, cv    string // the reason codes, "" for success
	}{
		"no principal":                  {nil, "PRINCIPAL_MISSING", "PRINCIPAL_MISSING"},
		"token":                         {as(token, "profile", "cv:read"), "", ""},
		"token without cv:read":         {as(token, "profile", "cv:contact"), "", "OAUTH_INSUFFICIENT_SCOPE"},
		"token without profile":         {as(token, "cv:read"), "OAUTH_INSUFFICIENT_SCOPE", ""},
		"token without scopes":          {as(token), "OAUTH_INSUFFICIENT_SCOPE", "OAUTH_INSUFFICIENT_SCOPE"},
		"durable link":                  {as(link, "profile", "cv:read"), "OAUTH_INSUFFICIENT_SCOPE", ""},
		"durable link without cv:read":  {as(link, "profile"), "OAUTH_INSUFFICIENT_SCOPE", "OAUTH_INSUFFICIENT_SCOPE"},
		"API key":                       {as(key, "candidates:read"), "API_KEY_INSUFFICIENT_SCOPE", "API_KEY_INSUFFICIENT_SCOPE"},
		"API key with a user's scopes":  {as(key, "profile", "cv:read"), "API_KEY_INSUFFICIENT_SCOPE", "API_KEY_INSUFFICIENT_SCOPE"},
		"token of the legacy interface": {as(older, "profile:read", "profile", "cv:read"), "OAUTH_INSUFFICIENT_SCOPE", "OAUTH_INSUFFICIENT_SCOPE"},
		"no kind":                       {as(unknown, "profile", "cv:read"), "OAUTH_INSUFFICIENT_SCOPE", "OAUTH_INSUFFICIENT_SCOPE"},
	} {
		check := func(method, want string, err error) {
			t.Helper()
			if want == "" && err != nil || want != "" && !errs.HasCode(err, want) {
				t.Errorf("%s: %s: %v, want %q", name, method, err, want)
			}
		}
		_, err := r.getMe(tc.principal)
		check("GetMe", tc.me, err)
		_, err = r.getSharedCv(tc.principal)
		check("GetSharedCv", tc.cv, err)
	}
}

func TestAPersonWithoutAProfileHasNothingToShare(t *testing.T) {
	r := start(t)
	nobody := consent("usr_nobody", "master", "profile", "cv:read")
	if _, err := r.getMe(nobody); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Errorf("GetMe: %v", err)
	}
	if _, err := r.getSharedCv(nobody); !errs.HasCode(err, "CV_NOT_FOUND") || errs.KindOf(err) != errs.NotFound {
		t.Errorf("GetSharedCv: %v", err)
	}
	list, err := r.pages.ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_nobody"})
	if err != nil || len(list.GetCvs()) != 0 {
		t.Errorf("ListCvs: %v, %v", list, err)
	}
}
