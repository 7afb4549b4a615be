package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/id"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/app"
)

// browserSessions is a fake of the auth service's sessions. A person's token is sessionOf(id), with
// the prefix "proven " if the person has just re-authenticated.
type browserSessions struct {
	authv1.UnimplementedSessionServiceServer
}

func (browserSessions) GetSession(_ context.Context, req *authv1.GetSessionRequest) (*authv1.GetSessionResponse, error) {
	token, proven := strings.CutPrefix(req.GetSessionToken(), "proven ")
	id, ok := strings.CutPrefix(token, sessionOf(""))
	if !ok {
		return nil, errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended.")
	}
	return &authv1.GetSessionResponse{Person: &authv1.Person{Id: id}, Proven: proven}, nil
}

// editing runs the service with a fake auth service that knows browser sessions.
type editing struct {
	*running
	editor   candidatev1.EditorServiceClient
	database string
}

func startEditing(t *testing.T) editing {
	t.Helper()
	return startEditingOn(t, database(t))
}

// startEditingOn starts the service on an existing database.
func startEditingOn(t *testing.T, url string) editing {
	t.Helper()
	dir := servertest.Certificates(t, append(slices.Clone(parts), "auth")...)
	catalog := newCatalog()
	service, err := app.New(t.Context(), app.Config{
		Postgres: pkgpostgres.Config{URL: url, MaxConns: 8}, AppURL: appURL, BaseURL: baseURL, BlobURL: "file://" + t.TempDir(),
		CVRenderAddr:       nowhere,
		PartnerCatalogAddr: servertest.Serve(t, servertest.Identity(t, dir, "partnercatalog"), quiet, catalog.register),
		AuthAddr: servertest.Serve(t, servertest.Identity(t, dir, "auth"), quiet, func(r grpc.ServiceRegistrar) {
			authv1.RegisterSessionServiceServer(r, browserSessions{})
		}),
		BlobSigningKeys: testkit.Ring("blob_signing", "a"),
	}, quiet, servertest.Identity(t, dir, app.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close(context.Background()) })
	r := &running{t: t, dir: dir, catalog: catalog}
	r.addr = servertest.Serve(t, r.identity(app.Name), quiet, service.Register, grpcserver.WithAudit(service.Audit()), grpcserver.WithSessions(service.Sessions()))
	gateway := r.dial("gateway")
	r.me, r.pages = candidatev1.NewMeServiceClient(gateway), candidatev1.NewProfileServiceClient(gateway)
	r.internal = candidatev1.NewProfileServiceClient(r.dial("internal"))
	return editing{r, candidatev1.NewEditorServiceClient(gateway), url}
}

const sara = "session of usr_sara"

func (e editing) own() (*candidatev1.Profile, int64) {
	e.t.Helper()
	resp, err := e.editor.GetOwnProfile(e.t.Context(), &candidatev1.GetOwnProfileRequest{SessionToken: sara})
	if err != nil {
		e.t.Fatal(err)
	}
	return resp.GetProfile(), resp.GetVersion()
}

func (e editing) save(version int64, p *candidatev1.Profile, paths ...string) (int64, error) {
	resp, err := e.editor.SaveOwnProfile(e.t.Context(), &candidatev1.SaveOwnProfileRequest{
		SessionToken: sara, Profile: p, UpdateMask: &fieldmaskpb.FieldMask{Paths: paths}, Version: version,
	})
	return resp.GetVersion(), err
}

// behaviour: profiles#concurrent-edits
func TestSaveOfOlderVersionIsRejected(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(bare("usr_sara"))
	_, first := e.own()
	second, err := e.save(first, &candidatev1.Profile{Headline: "Engineer"}, "headline")
	if err != nil || second <= first {
		t.Fatalf("the save got version %d after %d: %v", second, first, err)
	}
	if _, err := e.save(first, &candidatev1.Profile{Headline: "Baker"}, "headline"); !errs.HasCode(err, "VERSION_CONFLICT") {
		t.Errorf("a save by the other tab: %v", err)
	}
	if p, version := e.own(); p.GetHeadline() != "Engineer" || version != second {
		t.Errorf("the stored headline is %q at version %d", p.GetHeadline(), version)
	}
	// A write by an internal team also makes a form that is open in a browser outdated.
	e.update(&candidatev1.Profile{PersonId: "usr_sara", Name: "Sara Ali"}, "name")
	if _, err := e.save(second, &candidatev1.Profile{Headline: "Baker"}, "headline"); !errs.HasCode(err, "VERSION_CONFLICT") {
		t.Errorf("a save after an internal team's write: %v", err)
	}
}

func TestPeopleCannotVerifyThemselves(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(bare("usr_sara"))
	for _, path := range []string{"email", "email_verified", "uae_pass_verified", "person_id", "created_at"} {
		p := &candidatev1.Profile{Email: "other@example.com", EmailVerified: true, UaePassVerified: true}
		if _, err := e.save(0, p, path); errs.KindOf(err) != errs.Invalid || !strings.Contains(err.Error(), "update_mask") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := e.save(0, &candidatev1.Profile{AvatarUrl: "http://169.254.169.254/me.png"}, "avatar_url"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("setting the URL of a photo: %v", err)
	}
	if p, _ := e.own(); p.GetEmailVerified() || p.GetUaePassVerified() || p.GetAvatarUrl() != "" {
		t.Errorf("the profile is %v", p)
	}
}

func TestSaveAppliesSameRulesAsImport(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(bare("usr_sara"))
	_, version := e.own()
	_, err := e.save(version, &candidatev1.Profile{Content: &candidatev1.CvContent{
		Experiences: []*cvv1.Experience{{Title: "Engineer", Company: "Acme"}, {Title: "Intern"}},
	}}, "content")
	failed, _ := errs.As(err)
	if failed == nil || failed.Field() != "profile.content.experiences[1].company" {
		t.Errorf("an invalid profile: %v", err)
	}
	_, err = e.editor.CreateOwnCv(t.Context(), &candidatev1.CreateOwnCvRequest{SessionToken: sara, Title: " ", ValidateOnly: true})
	if failed, _ = errs.As(err); failed == nil || failed.Field() != "title" {
		t.Errorf("a CV without a title: %v", err)
	}
}

func TestOtherPeoplesCVsAreNotFound(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(bare("usr_sara"))
	e.create(bare("usr_omar"))
	theirs := e.createCv("usr_omar", "Omar's", &candidatev1.CvContent{Summary: "Private"})
	calls := map[string]func(session, id string) error{
		"read": func(session, id string) error {
			_, err := e.editor.GetOwnCv(t.Context(), &candidatev1.GetOwnCvRequest{SessionToken: session, Id: id})
			return err
		},
		"save": func(session, id string) error {
			_, err := e.editor.SaveOwnCv(t.Context(), &candidatev1.SaveOwnCvRequest{SessionToken: session, Id: id, Title: "Mine", Version: 1})
			return err
		},
		"preview": func(session, id string) error {
			_, err := e.editor.PreviewOwnCv(t.Context(), &candidatev1.PreviewOwnCvRequest{SessionToken: session, Id: id})
			return err
		},
		"make main": func(session, id string) error {
			_, err := e.editor.MakeMainCv(t.Context(), &candidatev1.MakeMainCvRequest{SessionToken: session, Id: id, KeptTitle: "Before"})
			return err
		},
		"delete": func(session, id string) error {
			_, err := e.editor.DeleteOwnCv(t.Context(), &candidatev1.DeleteOwnCvRequest{SessionToken: session, Id: id})
			return err
		},
	}
	for name, call := range calls {
		if err := call(sara, theirs.GetId()); !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("%s of another person's CV: %v", name, err)
		}
		if err := call("somebody", theirs.GetId()); !errs.HasCode(err, "SESSION_ENDED") {
			t.Errorf("%s without a session: %v", name, err)
		}
	}
	resp, err := e.internal.GetCv(t.Context(), &candidatev1.GetCvRequest{Id: theirs.GetId()})
	if err != nil || resp.GetCv().GetTitle() != "Omar's" {
		t.Errorf("the CV afterwards: %v, %v", resp, err)
	}
}

// behaviour: profiles#replacing-the-main-cv
func TestReplacingMainCVKeepsOldOne(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	p := bare("usr_sara")
	p.Content = &candidatev1.CvContent{Summary: "Before", Location: "Dubai", Socials: map[string]string{"github": "https://github.example/sara"}}
	e.create(p)
	chosen := e.createCv("usr_sara", "For designers", &candidatev1.CvContent{Summary: "After"})
	if _, err := e.editor.MakeMainCv(t.Context(), &candidatev1.MakeMainCvRequest{SessionToken: sara, Id: chosen.GetId(), KeptTitle: "Main until today"}); err != nil {
		t.Fatal(err)
	}
	now, _ := e.own()
	equal(t, "the profile", now.GetContent(), &candidatev1.CvContent{
		Summary: "After", Location: "Dubai", Socials: map[string]string{"github": "https://github.example/sara"},
	})
	listed, err := e.internal.ListCvs(t.Context(), &candidatev1.ListCvsRequest{PersonId: "usr_sara"})
	if err != nil {
		t.Fatal(err)
	}
	summaries := map[string]string{}
	for _, one := range listed.GetCvs()[1:] {
		resp, err := e.editor.GetOwnCv(t.Context(), &candidatev1.GetOwnCvRequest{SessionToken: sara, Id: one.GetId()})
		if err != nil {
			t.Fatal(err)
		}
		summaries[one.GetTitle()] = resp.GetCv().GetContent().GetSummary()
	}
	if len(summaries) != 2 || summaries["Main until today"] != "Before" || summaries["For designers"] != "After" {
		t.Errorf("the CVs are %v", summaries)
	}
}

// behaviour: profiles#preview
func TestPreviewEqualsPublicPage(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	p := bare("usr_sara")
	p.Username, p.ProfilePublic, p.Phone = "sara", true, "+971 50 123 4567"
	e.create(p)
	public, err := e.pages.GetPublicProfile(t.Context(), &candidatev1.GetPublicProfileRequest{Username: "sara"})
	if err != nil {
		t.Fatal(err)
	}
	preview := func(id string) *candidatev1.PreviewOwnCvResponse {
		t.Helper()
		resp, err := e.editor.PreviewOwnCv(t.Context(), &candidatev1.PreviewOwnCvRequest{SessionToken: sara, Id: id})
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	got := preview("master")
	equal(t, "the CV", got.GetCv(), public.GetCv())
	equal(t, "the person", got.GetUser(), public.GetUser())
	_, version := e.own()
	if _, err := e.save(version, &candidatev1.Profile{}, "profile_public"); err != nil {
		t.Fatal(err)
	}
	if got = preview("master"); got.GetCv().GetDocument().GetExperiences()[0].GetTitle() != "Engineer" {
		t.Errorf("a preview without a public page: %v", got)
	}
}

// Changes that people make to their own data are audited with the person as the actor.
func TestChangesByPeopleAreAudited(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	person := id.New("usr") // the log stores only valid ids
	e.create(bare(person))
	session := "session of " + person
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: e.database, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	_, err = e.editor.SaveOwnProfile(t.Context(), &candidatev1.SaveOwnProfileRequest{
		SessionToken: session, Profile: &candidatev1.Profile{Headline: "Engineer"}, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"headline"}}, Version: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	created, err := e.editor.CreateOwnCv(t.Context(), &candidatev1.CreateOwnCvRequest{SessionToken: session, Title: "Second"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.editor.SaveOwnCv(t.Context(), &candidatev1.SaveOwnCvRequest{SessionToken: session, Id: created.GetId(), Title: "Third", Version: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.editor.DeleteOwnCv(t.Context(), &candidatev1.DeleteOwnCvRequest{SessionToken: session, Id: created.GetId()}); err != nil {
		t.Fatal(err)
	}
	rows, err := pool.Query(t.Context(), `SELECT event ->> 'action' || ' by ' || (event -> 'actor' ->> 'kind') || ' ' || coalesce(event -> 'actor' ->> 'id', 'nobody') || ' of ' || coalesce(event -> 'object' ->> 'id', 'nothing')
		FROM audit_outbox WHERE event -> 'actor' ->> 'kind' = 'person' ORDER BY at, id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		got = append(got, one)
	}
	want := []string{
		"profile.update by person " + person + " of " + person, "cv.create by person " + person + " of " + created.GetId(),
		"cv.update by person " + person + " of " + created.GetId(), "cv.delete by person " + person + " of " + created.GetId(),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// behaviour: profiles#autosave
func TestDraftsAreInvisibleToOthers(t *testing.T) {
	t.Parallel()
	e := startEditing(t)
	e.create(bare("usr_sara"))
	if _, err := e.save(0, &candidatev1.Profile{Username: "sara", ProfilePublic: true, Content: &candidatev1.CvContent{Summary: "Builds bridges."}}, "username", "profile_public", "content"); err != nil {
		t.Fatal(err)
	}
	stored, version := e.own()
	kept, err := e.editor.SaveOwnDraft(e.t.Context(), &candidatev1.SaveOwnDraftRequest{SessionToken: sara, Id: "master", Form: "summary=Half+a+sen", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	if other, err := e.editor.SaveOwnDraft(e.t.Context(), &candidatev1.SaveOwnDraftRequest{SessionToken: "session of usr_omar", Id: "master", Form: "x=1", Version: version}); err == nil {
		t.Errorf("saving a draft without a profile: %v", other)
	}
	resp, err := e.editor.GetOwnProfile(e.t.Context(), &candidatev1.GetOwnProfileRequest{SessionToken: sara})
	if err != nil {
		t.Fatal(err)
	}
	if d := resp.GetDraft(); d.GetForm() != "summary=Half+a+sen" || d.GetRevision() != kept.GetRevision() || d.GetSavedAt() == nil {
		t.Errorf("the draft is %v", d)
	}
	if resp.GetVersion() != version || !resp.GetProfile().GetUpdatedAt().AsTime().Equal(stored.GetUpdatedAt().AsTime()) {
		t.Errorf("saving a draft changed the version of the profile to %d, from %d", resp.GetVersion(), version)
	}
	public, err := e.pages.GetPublicProfile(e.t.Context(), &candidatev1.GetPublicProfileRequest{Username: "sara"})
	if err != nil || public.GetCv().GetDocument().GetSummary().GetValue() != "Builds bridges." {
		t.Errorf("the public page shows %v, %v", public.GetCv(), err)
	}
	shown, err := e.editor.PreviewOwnCv(e.t.Context(), &candidatev1.PreviewOwnCvRequest{
		SessionToken: sara, Id: "master", Written: &candidatev1.Profile{Name: "Sara", Content: &candidatev1.CvContent{Summary: "Half a sen", Experiences: []*cvv1.Experience{{Title: "Cook"}}}},
	})
	if err != nil || shown.GetCv().GetDocument().GetSummary().GetValue() != "Half a sen" || shown.GetUser().GetName() != "Sara" {
		t.Errorf("the preview shows %v, %v", shown, err)
	}
	_, err = e.editor.SaveOwnProfile(e.t.Context(), &candidatev1.SaveOwnProfileRequest{
		SessionToken: sara, Profile: &candidatev1.Profile{Content: &candidatev1.CvContent{Summary: "A whole sentence."}},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"content"}}, Version: version, DraftRevision: kept.GetRevision(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := e.editor.GetOwnProfile(e.t.Context(), &candidatev1.GetOwnProfileRequest{SessionToken: sara}); err != nil || resp.GetDraft() != nil || resp.GetProfile().GetContent().GetSummary() != "A whole sentence." {
		t.Errorf("the draft after the save: %v, %v", resp, err)
	}
}
