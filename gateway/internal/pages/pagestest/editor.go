package pagestest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// written is what the person has written. It implements as many of the candidate service's rules as
// the tests need.
type written struct {
	Profile  *candidatev1.Profile
	Version  int64
	Own      map[string]*candidatev1.Cv
	Versions map[string]int64
	// Saves is the number of calls that have saved something.
	Saves int
	// Full reports whether the person has the maximum number of CVs.
	Full bool
	// BeforeCreate is called before a CV is created or validated.
	BeforeCreate func()
	// Kept is the title under which the previous main CV was kept.
	Kept string
	// Drafts maps documents to their drafts.
	Drafts   map[string]*candidatev1.Draft
	revision int64
}

func newWritten() written {
	return written{
		BeforeCreate: func() {},
		Version:      1, Own: map[string]*candidatev1.Cv{}, Versions: map[string]int64{}, Drafts: map[string]*candidatev1.Draft{},
		Profile: &candidatev1.Profile{
			PersonId: "usr_1", Name: "Layla Haddad", Headline: "Front-end developer", Username: "layla", Locale: "en",
			Content: &candidatev1.CvContent{
				Summary: "I build accessible web interfaces.", Skills: []string{"TypeScript", "HTML"},
				Socials: map[string]string{"github": "https://github.example/layla"},
				Experiences: []*cvv1.Experience{
					{Id: "e1", Title: "Front-end developer", Company: "Noor Digital", StartDate: wrapperspb.String("2025-09"), Current: true, Bullets: []string{"Cut the bundle by half"}},
					{Id: "e2", Title: "Intern", Company: "Souq Labs", EmploymentType: wrapperspb.String("apprenticeship")},
				},
			},
		},
	}
}

// AddOwn adds a CV and returns its id.
func (b *Backend) AddOwn(title string, content *candidatev1.CvContent) string {
	id := fmt.Sprintf("cv_own%d", len(b.Own)+1)
	b.Own[id] = &candidatev1.Cv{Id: id, Title: title, Content: content}
	b.Versions[id] = 1
	b.CVs.Cvs = append(b.CVs.Cvs, &candidatev1.CvReference{Id: id, Title: title, UpdatedAt: timestamppb.New(Now)})
	return id
}

func (b *Backend) GetOwnProfile(_ context.Context, req *candidatev1.GetOwnProfileRequest) (*candidatev1.GetOwnProfileResponse, error) {
	return &candidatev1.GetOwnProfileResponse{Profile: proto.CloneOf(b.Profile), Version: b.Version, Draft: b.Drafts["master"]}, b.live(req.GetSessionToken())
}

func (b *Backend) SaveOwnProfile(_ context.Context, req *candidatev1.SaveOwnProfileRequest) (*candidatev1.SaveOwnProfileResponse, error) {
	if err := cmpErr(b.live(req.GetSessionToken()), checkWritten("profile.name", req.GetProfile().GetName(), req.GetUpdateMask().GetPaths()),
		checkContent("profile.content", req.GetProfile().GetContent())); err != nil {
		return nil, err
	}
	if v := req.GetVersion(); v != 0 && (v != b.Version || req.GetDraftRevision() != b.Drafts["master"].GetRevision()) {
		return nil, errChanged
	}
	if req.GetVersion() != 0 {
		delete(b.Drafts, "master")
	}
	b.Saves++
	b.Version++
	from, to := req.GetProfile().ProtoReflect(), b.Profile.ProtoReflect()
	for _, path := range req.GetUpdateMask().GetPaths() {
		f := to.Descriptor().Fields().ByName(protoreflect.Name(path))
		if from.Has(f) {
			to.Set(f, from.Get(f))
		} else {
			to.Clear(f)
		}
	}
	return &candidatev1.SaveOwnProfileResponse{Version: b.Version}, nil
}

func checkWritten(path, text string, mask []string) error {
	if slices.Contains(mask, "name") && strings.TrimSpace(text) == "" {
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "%s is required", path).WithViolations(errs.Violation{Field: path, Description: "is required"})
	}
	return nil
}

func checkContent(path string, c *candidatev1.CvContent) error {
	var found []errs.Violation
	for i, e := range c.GetExperiences() {
		if e.GetCompany() == "" {
			found = append(found, errs.Violation{Field: fmt.Sprintf("%s.experiences[%d].company", path, i), Description: "is required"})
		}
	}
	for platform, link := range maps.All(c.GetSocials()) {
		if !strings.HasPrefix(link, "http") {
			found = append(found, errs.Violation{Field: fmt.Sprintf("%s.socials[%q]", path, platform), Description: "must be an http or https URL with a host"})
		}
	}
	if len(found) == 0 {
		return nil
	}
	return errs.New(errs.Invalid, "INVALID_ARGUMENT", "wrong").WithViolations(found...)
}

func (b *Backend) GetOwnCv(_ context.Context, req *candidatev1.GetOwnCvRequest) (*candidatev1.GetOwnCvResponse, error) {
	found, err := b.ownCv(req.GetId())
	if err := cmpErr(b.live(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	return &candidatev1.GetOwnCvResponse{Cv: proto.CloneOf(found), Version: b.Versions[req.GetId()], Draft: b.Drafts[req.GetId()]}, nil
}

func (b *Backend) ownCv(id string) (*candidatev1.Cv, error) {
	found, ok := b.Own[id]
	if !ok {
		return nil, errs.New(errs.NotFound, "CV_NOT_FOUND", "none")
	}
	return found, nil
}

func (b *Backend) CreateOwnCv(_ context.Context, req *candidatev1.CreateOwnCvRequest) (*candidatev1.CreateOwnCvResponse, error) {
	func() {
		b.Mutex.Unlock()
		defer b.Mutex.Lock()
		b.BeforeCreate()
	}()
	if err := cmpErr(b.live(req.GetSessionToken()), checkTitle(req.GetTitle()), checkContent("content", req.GetContent())); err != nil || req.GetValidateOnly() {
		return &candidatev1.CreateOwnCvResponse{}, err
	}
	if b.Full {
		return nil, errFull
	}
	b.Saves++
	return &candidatev1.CreateOwnCvResponse{Id: b.AddOwn(req.GetTitle(), req.GetContent())}, nil
}

var errFull = errs.New(errs.Precondition, "TOO_MANY_CVS", "The person has too many CVs.")

func checkTitle(title string) error {
	if title == "" {
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "title is required").WithViolations(errs.Violation{Field: "title", Description: "is required"})
	}
	return nil
}

func (b *Backend) SaveOwnCv(_ context.Context, req *candidatev1.SaveOwnCvRequest) (*candidatev1.SaveOwnCvResponse, error) {
	found, err := b.ownCv(req.GetId())
	if err := cmpErr(b.live(req.GetSessionToken()), checkTitle(req.GetTitle()), checkContent("content", req.GetContent()), err); err != nil {
		return nil, err
	}
	if req.GetVersion() != b.Versions[req.GetId()] || req.GetDraftRevision() != b.Drafts[req.GetId()].GetRevision() {
		return nil, errChanged
	}
	delete(b.Drafts, req.GetId())
	b.Saves++
	b.Versions[req.GetId()]++
	found.Title, found.Content = req.GetTitle(), req.GetContent()
	return &candidatev1.SaveOwnCvResponse{Version: b.Versions[req.GetId()]}, nil
}

var errChanged = errs.New(errs.Precondition, "VERSION_CONFLICT", "changed")

func (b *Backend) SaveOwnDraft(_ context.Context, req *candidatev1.SaveOwnDraftRequest) (*candidatev1.SaveOwnDraftResponse, error) {
	version := b.Version
	if req.GetId() != "master" {
		if _, err := b.ownCv(req.GetId()); err != nil {
			return nil, err
		}
		version = b.Versions[req.GetId()]
	}
	if err := b.live(req.GetSessionToken()); err != nil {
		return nil, err
	}
	if before := b.Drafts[req.GetId()]; req.GetVersion() != version || before != nil && before.GetRevision() != req.GetRevision() {
		return nil, errChanged
	}
	b.revision++
	b.Drafts[req.GetId()] = &candidatev1.Draft{Form: req.GetForm(), Version: version, Revision: b.revision, SavedAt: timestamppb.New(Now)}
	return &candidatev1.SaveOwnDraftResponse{Revision: b.revision}, nil
}

func (b *Backend) DiscardOwnDraft(_ context.Context, req *candidatev1.DiscardOwnDraftRequest) (*candidatev1.DiscardOwnDraftResponse, error) {
	if b.Drafts[req.GetId()].GetRevision() == req.GetRevision() {
		delete(b.Drafts, req.GetId())
	}
	return &candidatev1.DiscardOwnDraftResponse{}, b.live(req.GetSessionToken())
}

func (b *Backend) DeleteOwnCv(_ context.Context, req *candidatev1.DeleteOwnCvRequest) (*candidatev1.DeleteOwnCvResponse, error) {
	_, err := b.ownCv(req.GetId())
	if err := cmpErr(b.live(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	delete(b.Own, req.GetId())
	b.CVs.Cvs = slices.DeleteFunc(b.CVs.GetCvs(), func(c *candidatev1.CvReference) bool { return c.GetId() == req.GetId() })
	return &candidatev1.DeleteOwnCvResponse{}, nil
}

func (b *Backend) MakeMainCv(_ context.Context, req *candidatev1.MakeMainCvRequest) (*candidatev1.MakeMainCvResponse, error) {
	found, err := b.ownCv(req.GetId())
	if req.GetKeptTitle() == "" {
		err = errs.New(errs.Invalid, "INVALID_ARGUMENT", "kept_title").WithViolations(errs.Violation{Field: "kept_title", Description: "is required"})
	}
	if err := cmpErr(b.live(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	if b.Full {
		return nil, errFull
	}
	b.Kept = req.GetKeptTitle()
	b.Profile.Content = proto.CloneOf(found.GetContent())
	return &candidatev1.MakeMainCvResponse{}, nil
}

func (b *Backend) PreviewOwnCv(_ context.Context, req *candidatev1.PreviewOwnCvRequest) (*candidatev1.PreviewOwnCvResponse, error) {
	content := b.Profile.GetContent()
	if req.GetId() != "master" {
		found, err := b.ownCv(req.GetId())
		if err != nil {
			return nil, err
		}
		content = found.GetContent()
	}
	if req.GetWritten() != nil {
		content = req.GetWritten().GetContent()
	}
	if err := b.live(req.GetSessionToken()); err != nil {
		return nil, err
	}
	return &candidatev1.PreviewOwnCvResponse{
		User: &candidatev1.SignedInUser{Name: b.Profile.GetName(), Headline: wrapperspb.String(b.Profile.GetHeadline())},
		Cv: &cvv1.SharedCv{Id: req.GetId(), Language: "en", Document: &cvv1.CvDocument{
			Name: b.Profile.GetName(), Summary: wrapperspb.String(content.GetSummary()), Experiences: content.GetExperiences(),
		}},
	}, nil
}
