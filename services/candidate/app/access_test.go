package app_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func TestMethodsRejectOtherCallers(t *testing.T) {
	t.Parallel()
	r := start(t)
	ctx, person := t.Context(), "usr_1"
	ofCvs := &candidatev1.ListCvsRequest{PersonId: person}
	dial := r.dial
	upload := func() error {
		return second(r.send("gateway", describe(&candidatev1.ResumeDescription{PersonId: person})))
	}
	download := func() error {
		stream, err := r.resumes("internal").DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: "obj=x"})
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	}
	for name, err := range map[string]error{
		"cvrender reads a person":       second(candidatev1.NewMeServiceClient(dial("cvrender")).GetMe(ctx, &candidatev1.GetMeRequest{})),
		"internal reads a shared CV":    second(candidatev1.NewMeServiceClient(dial("internal")).GetSharedCv(ctx, &candidatev1.GetSharedCvRequest{})),
		"the gateway reads a profile":   second(r.pages.GetProfile(ctx, &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: person}})),
		"the gateway creates a profile": second(r.pages.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: bare(person)})),
		"the gateway reads a CV":        second(r.pages.GetCv(ctx, &candidatev1.GetCvRequest{Id: "cv_1"})),
		"the gateway lists CVs":         second(r.pages.ListCvs(ctx, ofCvs)),
		"cvrender lists CVs":            second(candidatev1.NewProfileServiceClient(dial("cvrender")).ListCvs(ctx, ofCvs)),
		"the gateway applies":           second(candidatev1.NewApplicationIntakeServiceClient(dial("gateway")).Apply(ctx, request("job_1", person))),
		"cvrender lists applications":   second(candidatev1.NewApplicationServiceClient(dial("cvrender")).ListJobApplications(ctx, &candidatev1.ListJobApplicationsRequest{})),
		"internal reads a photo":        second(candidatev1.NewPhotoServiceClient(dial("internal")).GetPhoto(ctx, &candidatev1.GetPhotoRequest{PersonId: person})),
		"the gateway uploads a resume":  upload(),
		"internal downloads a resume":   download(),
		"internal edits as a person":    second(candidatev1.NewEditorServiceClient(dial("internal")).GetOwnProfile(ctx, &candidatev1.GetOwnProfileRequest{SessionToken: sara})),
	} {
		if !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// namedByTheGateway lists the methods whose requests name the person although they are called by
// the gateway, with the reason for each.
var namedByTheGateway = map[protoreflect.FullName]string{
	"vitae.candidate.v1.PhotoService.GetPhoto": "the gateway signed the address of the photo, and its reader has no session",
}

func TestGatewayRequestsNameNoPerson(t *testing.T) {
	t.Parallel()
	named := 0
	protoregistry.GlobalFiles.RangeFilesByPackage("vitae.candidate.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access)
				_, excused := namedByTheGateway[m.FullName()]
				if excused {
					named++
				}
				if slices.Contains(access.GetCallers(), "gateway") && m.Input().Fields().ByName("person_id") != nil != excused {
					t.Errorf("%s: the gateway's request names a person: %v", m.FullName(), !excused)
				}
				if m.Input().Fields().ByName("session_token") != nil && access.GetSession() == optionsv1.Session_SESSION_UNSPECIFIED {
					t.Errorf("%s takes a session token that is not checked", m.FullName())
				}
			}
		}
		return true
	})
	if named != len(namedByTheGateway) {
		t.Errorf("%d of the %d exempted methods exist", named, len(namedByTheGateway))
	}
}

func TestOwnDataNeedsSession(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(full("usr_sara"))
	gateway := e.dial("gateway")
	documents, data := candidatev1.NewDocumentServiceClient(gateway), candidatev1.NewPersonDataServiceClient(gateway)
	download := func(token string) error {
		stream, err := data.DownloadExport(t.Context(), &candidatev1.DownloadExportRequest{SessionToken: token, ExportId: "exp_1"})
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	}
	for name, call := range map[string]func(token string) error{
		"list documents": func(token string) error {
			_, err := documents.ListDocuments(t.Context(), &candidatev1.ListDocumentsRequest{SessionToken: token})
			return err
		},
		"read a document": func(token string) error {
			_, err := documents.GetDocument(t.Context(), &candidatev1.GetDocumentRequest{SessionToken: token, CvId: "master"})
			return err
		},
		"choose a template": func(token string) error {
			_, err := documents.ChooseTemplate(t.Context(), &candidatev1.ChooseTemplateRequest{SessionToken: token, CvId: "master", Template: compact})
			return err
		},
		"list CVs to share": func(token string) error {
			list, err := candidatev1.NewProfileServiceClient(gateway).ListOwnCvs(t.Context(), &candidatev1.ListOwnCvsRequest{SessionToken: token})
			if err == nil && (list.GetName() != "Sara" || len(list.GetCvs()) != 1 || !list.GetHasPhoto()) {
				t.Errorf("the CVs that the person can share are %v", list)
			}
			return err
		},
		"share a CV": func(token string) error {
			_, err := candidatev1.NewProfileServiceClient(gateway).ListOwnCvs(t.Context(), &candidatev1.ListOwnCvsRequest{SessionToken: token, CvId: "master"})
			return err
		},
		"list applications": func(token string) error {
			_, err := candidatev1.NewApplicantServiceClient(gateway).ListOwnApplications(t.Context(), &candidatev1.ListOwnApplicationsRequest{SessionToken: token})
			return err
		},
		"start an export": func(token string) error {
			_, err := data.StartExport(t.Context(), &candidatev1.StartExportRequest{SessionToken: token, Language: "en"})
			return err
		},
		"read an export": func(token string) error {
			_, err := data.GetExport(t.Context(), &candidatev1.GetExportRequest{SessionToken: token})
			return err
		},
		"download an export": func(token string) error {
			if err := download(token); !errs.HasCode(err, "PROOF_NEEDED") {
				return err
			}
			return nil
		},
	} {
		// A missing session token is the caller's mistake.
		for token, code := range map[string]string{"": "INVALID_ARGUMENT", "stolen": "SESSION_ENDED"} {
			if err := call(token); !errs.HasCode(err, code) {
				t.Errorf("%s with the session %q: %v, want %s", name, token, err, code)
			}
		}
		if err := call(sara); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := download(sara); !errs.HasCode(err, "PROOF_NEEDED") {
		t.Errorf("a download without recent re-authentication: %v", err)
	}
	if err := download("proven " + sara); !errs.HasCode(err, "EXPORT_NOT_FOUND") {
		t.Errorf("a download with recent re-authentication: %v", err)
	}
}

func TestPartnerReadsNeedCredentialWithScope(t *testing.T) {
	t.Parallel()
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
		me, cv    string // the expected error codes, or "" for success
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
				t.Errorf("%s: %s: error %v, want %q", name, method, err, want)
			}
		}
		_, err := r.getMe(tc.principal)
		check("GetMe", tc.me, err)
		_, err = r.getSharedCv(tc.principal)
		check("GetSharedCv", tc.cv, err)
	}
}

func TestPersonWithoutProfileSharesNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	nobody := consent("usr_nobody", "master", "profile", "cv:read")
	if _, err := r.getMe(nobody); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Errorf("GetMe: %v", err)
	}
	if _, err := r.getSharedCv(nobody); !errs.HasCode(err, "CV_NOT_FOUND") || errs.KindOf(err) != errs.NotFound {
		t.Errorf("GetSharedCv: %v", err)
	}
	list, err := r.internal.ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_nobody"})
	if err != nil || len(list.GetCvs()) != 0 {
		t.Errorf("ListCvs: %v, %v", list, err)
	}
}
