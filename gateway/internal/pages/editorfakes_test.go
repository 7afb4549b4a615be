package pages

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// written is what a person has written. It has as many of candidate's rules as the tests need.
type written struct {
	profile  *candidatev1.Profile
	version  int64
	own      map[string]*candidatev1.Cv
	versions map[string]int64
	// saves counts the calls that would write.
	saves int
	// full says that the person has as many CVs as they can have.
	full bool
	// beforeCreate is called before a CV is made or checked.
	beforeCreate func()
	kept         string
	// drafts are by document.
	drafts   map[string]*candidatev1.Draft
	revision int64
}

func newWritten() written {
	return written{
		beforeCreate: func() {},
		version:      1, own: map[string]*candidatev1.Cv{}, versions: map[string]int64{}, drafts: map[string]*candidatev1.Draft{},
		profile: &candidatev1.Profile{
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

// addOwn adds a CV, and gives its id.
func (b *backend) addOwn(title string, content *candidatev1.CvContent) string {
	id := fmt.Sprintf("cv_own%d", len(b.own)+1)
	b.own[id] = &candidatev1.Cv{Id: id, Title: title, Content: content}
	b.versions[id] = 1
	b.cvs.Cvs = append(b.cvs.Cvs, &candidatev1.CvReference{Id: id, Title: title, UpdatedAt: timestamppb.New(now)})
	return id
}

func (b *backend) enter(session string) error { return cmpErr(b.fail, b.live(session)) }

func (b *backend) GetOwnProfile(_ context.Context, req *candidatev1.GetOwnProfileRequest, _ ...grpc.CallOption) (*candidatev1.GetOwnProfileResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &candidatev1.GetOwnProfileResponse{Profile: proto.CloneOf(b.profile), Version: b.version, Draft: b.drafts[mainCV]}, b.enter(req.GetSessionToken())
}

func (b *backend) SaveOwnProfile(_ context.Context, req *candidatev1.SaveOwnProfileRequest, _ ...grpc.CallOption) (*candidatev1.SaveOwnProfileResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := cmpErr(b.enter(req.GetSessionToken()), checkWritten("profile.name", req.GetProfile().GetName(), req.GetUpdateMask().GetPaths()),
		checkContent("profile.content", req.GetProfile().GetContent())); err != nil {
		return nil, err
	}
	if v := req.GetVersion(); v != 0 && (v != b.version || req.GetDraftRevision() != b.drafts[mainCV].GetRevision()) {
		return nil, errChanged
	}
	if req.GetVersion() != 0 {
		delete(b.drafts, mainCV)
	}
	b.saves++
	b.version++
	from, to := req.GetProfile().ProtoReflect(), b.profile.ProtoReflect()
	for _, path := range req.GetUpdateMask().GetPaths() {
		f := to.Descriptor().Fields().ByName(protoreflect.Name(path))
		if from.Has(f) {
			to.Set(f, from.Get(f))
		} else {
			to.Clear(f)
		}
	}
	return &candidatev1.SaveOwnProfileResponse{Version: b.version}, nil
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

func (b *backend) GetOwnCv(_ context.Context, req *candidatev1.GetOwnCvRequest, _ ...grpc.CallOption) (*candidatev1.GetOwnCvResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, err := b.ownCv(req.GetId())
	if err := cmpErr(b.enter(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	return &candidatev1.GetOwnCvResponse{Cv: proto.CloneOf(found), Version: b.versions[req.GetId()], Draft: b.drafts[req.GetId()]}, nil
}

func (b *backend) ownCv(id string) (*candidatev1.Cv, error) {
	found, ok := b.own[id]
	if !ok {
		return nil, errs.New(errs.NotFound, "CV_NOT_FOUND", "none")
	}
	return found, nil
}

func (b *backend) CreateOwnCv(_ context.Context, req *candidatev1.CreateOwnCvRequest, _ ...grpc.CallOption) (*candidatev1.CreateOwnCvResponse, error) {
	b.beforeCreate()
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := cmpErr(b.enter(req.GetSessionToken()), checkTitle(req.GetTitle()), checkContent("content", req.GetContent())); err != nil || req.GetValidateOnly() {
		return &candidatev1.CreateOwnCvResponse{}, err
	}
	if b.full {
		return nil, errFull
	}
	b.saves++
	return &candidatev1.CreateOwnCvResponse{Id: b.addOwn(req.GetTitle(), req.GetContent())}, nil
}

var errFull = errs.New(errs.Precondition, "TOO_MANY_CVS", "The person has too many CVs.")

func checkTitle(title string) error {
	if title == "" {
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "title is required").WithViolations(errs.Violation{Field: "title", Description: "is required"})
	}
	return nil
}

func (b *backend) SaveOwnCv(_ context.Context, req *candidatev1.SaveOwnCvRequest, _ ...grpc.CallOption) (*candidatev1.SaveOwnCvResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, err := b.ownCv(req.GetId())
	if err := cmpErr(b.enter(req.GetSessionToken()), checkTitle(req.GetTitle()), checkContent("content", req.GetContent()), err); err != nil {
		return nil, err
	}
	if req.GetVersion() != b.versions[req.GetId()] || req.GetDraftRevision() != b.drafts[req.GetId()].GetRevision() {
		return nil, errChanged
	}
	delete(b.drafts, req.GetId())
	b.saves++
	b.versions[req.GetId()]++
	found.Title, found.Content = req.GetTitle(), req.GetContent()
	return &candidatev1.SaveOwnCvResponse{Version: b.versions[req.GetId()]}, nil
}

var errChanged = errs.New(errs.Precondition, "VERSION_CONFLICT", "changed")

func (b *backend) SaveOwnDraft(_ context.Context, req *candidatev1.SaveOwnDraftRequest, _ ...grpc.CallOption) (*candidatev1.SaveOwnDraftResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	version := b.version
	if req.GetId() != mainCV {
		if _, err := b.ownCv(req.GetId()); err != nil {
			return nil, err
		}
		version = b.versions[req.GetId()]
	}
	if err := b.enter(req.GetSessionToken()); err != nil {
		return nil, err
	}
	if before := b.drafts[req.GetId()]; req.GetVersion() != version || before != nil && before.GetRevision() != req.GetRevision() {
		return nil, errChanged
	}
	b.revision++
	b.drafts[req.GetId()] = &candidatev1.Draft{Form: req.GetForm(), Version: version, Revision: b.revision, SavedAt: timestamppb.New(now)}
	return &candidatev1.SaveOwnDraftResponse{Revision: b.revision}, nil
}

func (b *backend) DiscardOwnDraft(_ context.Context, req *candidatev1.DiscardOwnDraftRequest, _ ...grpc.CallOption) (*candidatev1.DiscardOwnDraftResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drafts[req.GetId()].GetRevision() == req.GetRevision() {
		delete(b.drafts, req.GetId())
	}
	return &candidatev1.DiscardOwnDraftResponse{}, b.enter(req.GetSessionToken())
}

func (b *backend) DeleteOwnCv(_ context.Context, req *candidatev1.DeleteOwnCvRequest, _ ...grpc.CallOption) (*candidatev1.DeleteOwnCvResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.ownCv(req.GetId())
	if err := cmpErr(b.enter(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	delete(b.own, req.GetId())
	b.cvs.Cvs = slices.DeleteFunc(b.cvs.GetCvs(), func(c *candidatev1.CvReference) bool { return c.GetId() == req.GetId() })
	return &candidatev1.DeleteOwnCvResponse{}, nil
}

func (b *backend) MakeMainCv(_ context.Context, req *candidatev1.MakeMainCvRequest, _ ...grpc.CallOption) (*candidatev1.MakeMainCvResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, err := b.ownCv(req.GetId())
	if req.GetKeptTitle() == "" {
		err = errs.New(errs.Invalid, "INVALID_ARGUMENT", "kept_title").WithViolations(errs.Violation{Field: "kept_title", Description: "is required"})
	}
	if err := cmpErr(b.enter(req.GetSessionToken()), err); err != nil {
		return nil, err
	}
	if b.full {
		return nil, errFull
	}
	b.kept = req.GetKeptTitle()
	b.profile.Content = proto.CloneOf(found.GetContent())
	return &candidatev1.MakeMainCvResponse{}, nil
}

func (b *backend) PreviewOwnCv(_ context.Context, req *candidatev1.PreviewOwnCvRequest, _ ...grpc.CallOption) (*candidatev1.PreviewOwnCvResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content := b.profile.GetContent()
	if req.GetId() != mainCV {
		found, err := b.ownCv(req.GetId())
		if err != nil {
			return nil, err
		}
		content = found.GetContent()
	}
	if req.GetWritten() != nil {
		content = req.GetWritten().GetContent()
	}
	if err := b.enter(req.GetSessionToken()); err != nil {
		return nil, err
	}
	return &candidatev1.PreviewOwnCvResponse{
		User: &candidatev1.SignedInUser{Name: b.profile.GetName(), Headline: wrapperspb.String(b.profile.GetHeadline())},
		Cv: &cvv1.SharedCv{Id: req.GetId(), Language: "en", Document: &cvv1.CvDocument{
			Name: b.profile.GetName(), Summary: wrapperspb.String(content.GetSummary()), Experiences: content.GetExperiences(),
		}},
	}, nil
}
