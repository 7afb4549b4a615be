package pagestest

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// The person who can sign in, and the callback URL of the app that requests access.
const (
	GoodEmail    = "layla@example.com"
	GoodPassword = "correct horse"
	RedirectURI  = "https://jobs.example/callback?lang=en"
)

// Now is the current time in every test.
var Now = time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC)

// Backend is a fake of the auth and candidate services. It implements as many of their rules as the tests
// need, and records the requests that tests check.
type Backend struct {
	Mutex sync.Mutex

	// Fail, if set, is the error that every call returns. SignInFail is the error that SignIn returns,
	// and so on. Refuse is the error that CheckAuthorization returns, and Fault is the fault that it
	// reports.
	Fail, SignInFail, ListFail, AuthorizeFail, DeclineFail, Refuse error
	Fault                                                          *authv1.AuthorizationFault
	// PageLimitUsed reports whether the visitor's IP address has used up its page limit.
	PageLimitUsed bool
	// Suspended reports whether the account of every app is suspended.
	Suspended bool
	// ShownStatus, if set, is the status of the API responses that apps get. ShownBody maps paths to
	// bodies. ShownFor is the principal of the last request.
	ShownStatus int
	ShownBody   map[string]string
	ShownFor    *identityv1.Principal

	App               *authv1.App
	Publisher         string
	Verified, OfVitae bool
	Sessions, Devices map[string]bool
	SignedIn          []*authv1.SignInRequest
	Authorized        []*authv1.AuthorizeRequest
	Declined          []*authv1.DeclineAuthorizationRequest
	Updated           []*authv1.UpdateConnectionRequest
	LogosAsked        int
	Connections       []*authv1.Connection
	Reads             []*authv1.ReadDay
	CVs               *candidatev1.ListOwnCvsResponse
	Documents         []*candidatev1.Document
	// Applied maps page tokens to pages of applications.
	Applied map[string]*candidatev1.ListOwnApplicationsResponse
	// EmailUnverified makes the person's email address unverified.
	EmailUnverified bool
	Public          *candidatev1.GetPublicProfileResponse

	accounts
	written
}

// NewBackend returns a Backend with one person, Layla, who has a profile, CVs and connected apps.
func NewBackend() *Backend {
	app := &authv1.App{Id: "app_1", Name: "Acme Jobs", ClientId: "svc_ci_1", RedirectUris: []string{RedirectURI}}
	return &Backend{
		App: app, Sessions: map[string]bool{}, Devices: map[string]bool{},
		CVs: &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad", HasPhoto: true, Cvs: []*candidatev1.CvReference{
			{Id: "master", Title: "Main CV", UpdatedAt: timestamppb.New(Now.AddDate(0, -1, 0))},
			{Id: "cv_2", Title: "Front-end, short", UpdatedAt: timestamppb.New(Now.AddDate(0, -2, 3))},
			{Id: "cv_3", Title: "السيرة الذاتية بالعربية", UpdatedAt: timestamppb.New(Now.AddDate(0, -5, 0))},
		}},
		Connections: []*authv1.Connection{
			{
				// This is a different app of the same developer. The requesting app is not connected yet.
				Id: "con_1", App: &authv1.App{Id: "app_0", Name: "Acme Jobs", ClientId: "svc_ci_0"}, Scopes: []string{"profile", "email", "cv:read", "cv:contact"},
				GrantedScopes: []string{"profile", "email", "cv:read", "cv:contact"}, PhotoGranted: true,
				CvGranted: true, CvSharing: true, CvId: "master", SharePhoto: true, CreatedAt: timestamppb.New(Now.AddDate(0, -1, 0)),
			},
			{
				Id: "con_2", App: &authv1.App{Id: "app_2", Name: "نور للتوظيف"}, Scopes: []string{"profile"}, GrantedScopes: []string{"profile", "cv:read"},
				CvGranted: true, CvId: "cv_deleted", CreatedAt: timestamppb.New(Now.AddDate(-1, 0, 0)),
			},
			{Id: "con_3", App: &authv1.App{Id: "app_3", Name: "Badge Maker"}, Scopes: []string{"profile", "email"}, GrantedScopes: []string{"profile", "email"}, CreatedAt: timestamppb.New(Now)},
		},
		Public:    publicLayla(),
		Documents: documentsOfLayla(),
		written:   newWritten(),
	}
}

// Person returns the signed-in person.
func (b *Backend) Person() *authv1.Person {
	return &authv1.Person{Id: "usr_1", Email: GoodEmail, EmailVerified: !b.EmailUnverified, Language: b.Language}
}

func (b *Backend) SignIn(_ context.Context, req *authv1.SignInRequest) (*authv1.SignInResponse, error) {
	b.SignedIn = append(b.SignedIn, req)
	if b.SignInFail != nil {
		return nil, b.SignInFail
	}
	if req.GetEmail() != GoodEmail || req.GetPassword() != GoodPassword {
		return nil, errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "wrong")
	}
	delete(b.Sessions, req.GetPreviousSessionToken())
	token := "session-" + time.Duration(len(b.SignedIn)).String()
	b.Sessions[token] = true
	device := req.GetDeviceToken()
	if !b.Devices[device] {
		device = "device-" + time.Duration(len(b.SignedIn)).String()
		b.Devices[device] = true
	}
	return &authv1.SignInResponse{
		SessionToken: token, Person: b.Person(), ExpiresAt: timestamppb.New(Now.Add(12 * time.Hour)),
		DeviceToken: device, DeviceExpiresAt: timestamppb.New(Now.Add(180 * 24 * time.Hour)),
	}, nil
}

func cmpErr(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Backend) live(token string) error {
	if !b.Sessions[token] {
		return errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
	}
	return nil
}

func (b *Backend) GetSession(_ context.Context, req *authv1.GetSessionRequest) (*authv1.GetSessionResponse, error) {
	if err := b.live(req.GetSessionToken()); err != nil {
		return nil, err
	}
	return &authv1.GetSessionResponse{Person: b.Person(), Proven: !b.Unproven}, nil
}

func (b *Backend) SignOut(_ context.Context, req *authv1.SignOutRequest) (*authv1.SignOutResponse, error) {
	delete(b.Sessions, req.GetSessionToken())
	return &authv1.SignOutResponse{}, nil
}

func (b *Backend) CheckAuthorization(_ context.Context, req *authv1.CheckAuthorizationRequest) (*authv1.CheckAuthorizationResponse, error) {
	if err := b.Refuse; err != nil {
		return nil, err
	}
	if !slices.Contains(b.App.GetRedirectUris(), req.GetParameters().GetRedirectUri()) {
		return nil, errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "redirect_uri").WithField("redirect_uri")
	}
	var scopes []string
	for _, scope := range []string{"profile", "email", "cv:read", "cv:contact"} {
		if slices.Contains(strings.Fields(req.GetParameters().GetScope()), scope) {
			scopes = append(scopes, scope)
		}
	}
	if req.GetParameters().GetLegacy() {
		scopes = []string{"profile:read"}
	}
	return &authv1.CheckAuthorizationResponse{
		App: b.App, Scopes: scopes, Fault: b.Fault, PublisherName: b.Publisher, PublisherVerified: b.Verified, PublisherOwn: b.OfVitae,
	}, nil
}

func (b *Backend) Authorize(_ context.Context, req *authv1.AuthorizeRequest) (*authv1.AuthorizeResponse, error) {
	if err := b.AuthorizeFail; err != nil {
		return nil, err
	}
	b.Authorized = append(b.Authorized, req)
	return &authv1.AuthorizeResponse{Code: "svc_ac_code+/="}, nil
}

func (b *Backend) DeclineAuthorization(ctx context.Context, req *authv1.DeclineAuthorizationRequest) (*authv1.DeclineAuthorizationResponse, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return nil, errs.New(errs.Internal, "NO_DEADLINE", "the person would wait for as long as the call takes")
	}
	b.Declined = append(b.Declined, req)
	return &authv1.DeclineAuthorizationResponse{}, b.DeclineFail
}

func (b *Backend) ListConnections(context.Context, *authv1.ListConnectionsRequest) (*authv1.ListConnectionsResponse, error) {
	return &authv1.ListConnectionsResponse{Connections: slices.Clone(b.Connections)}, b.ListFail
}

func (b *Backend) find(id string) (*authv1.Connection, error) {
	for _, c := range b.Connections {
		if c.GetId() == id {
			return c, nil
		}
	}
	return nil, errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "no such connection")
}

func (b *Backend) UpdateConnection(_ context.Context, req *authv1.UpdateConnectionRequest) (*authv1.UpdateConnectionResponse, error) {
	c, err := b.find(req.GetId())
	if err != nil {
		return nil, err
	}
	b.Updated = append(b.Updated, req)
	if req.CvId != nil {
		c.CvId = req.GetCvId()
	}
	if req.CvSharing != nil {
		c.CvSharing = req.GetCvSharing()
	}
	if req.GetEndsAt() != nil && !req.GetEndsAt().AsTime().After(Now) {
		return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "ends_at must be in the future").WithField("ends_at")
	}
	for _, one := range b.Connections {
		if one.GetApp().GetId() == c.GetApp().GetId() {
			changeAll(one, req)
		}
	}
	withhold := func(scope string, shared *bool) {
		if shared == nil {
			return
		}
		c.WithheldScopes = slices.DeleteFunc(c.GetWithheldScopes(), func(s string) bool { return s == scope })
		if !*shared {
			c.WithheldScopes = append(c.GetWithheldScopes(), scope)
		}
	}
	withhold("email", req.ShareEmail)
	withhold("cv:contact", req.ShareContact)
	return &authv1.UpdateConnectionResponse{Connection: proto.CloneOf(c)}, nil
}

func (b *Backend) PreviewConnection(_ context.Context, req *authv1.PreviewConnectionRequest) (*authv1.PreviewConnectionResponse, error) {
	c, err := b.find(req.GetId())
	if err := cmpErr(err, b.live(req.GetActor().GetSessionToken())); err != nil {
		return nil, err
	}
	if b.Suspended {
		return &authv1.PreviewConnectionResponse{AccountSuspended: true}, nil
	}
	return &authv1.PreviewConnectionResponse{Principal: &identityv1.Principal{ConnectionId: c.GetId(), Scopes: c.GetScopes()}}, nil
}

func (b *Backend) ListReads(_ context.Context, req *authv1.ListReadsRequest) (*authv1.ListReadsResponse, error) {
	return &authv1.ListReadsResponse{Reads: b.Reads}, b.live(req.GetActor().GetSessionToken())
}

// shown returns handlers that respond with the principal's connection id and the request path.
func shown() pages.Shown {
	answer := func(scope string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, p := backendOf(r.Context()), principal.FromContext(r.Context())
			b.Mutex.Lock()
			defer b.Mutex.Unlock()
			b.ShownFor = p
			switch {
			case b.ShownStatus != 0:
				w.WriteHeader(b.ShownStatus)
			case !slices.Contains(p.GetScopes(), scope):
				w.WriteHeader(http.StatusForbidden)
			}
			if body := b.ShownBody[r.URL.Path]; body != "" {
				fmt.Fprint(w, body)
				return
			}
			fmt.Fprintf(w, `{"data":{},"of":%q,"at":%q,"for":%q}`, p.GetConnectionId(), r.URL.Path, p.GetCvLinkUrl())
		})
	}
	return pages.Shown{
		Me: answer("profile"), CV: answer("cv:read"), PDF: answer("cv:read"), Legacy: answer("profile:read"),
		PublicPDF: func(w http.ResponseWriter, _ *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprintf(w, "PDF of %s for %s", cv.GetDocument().GetName(), share)
			return nil
		},
		Sign: func(p *identityv1.Principal) *identityv1.Principal {
			p.CvLinkUrl = "https://signed.example"
			return p
		},
	}
}

// changeAll changes the settings that apply to all of an app's connections.
func changeAll(c *authv1.Connection, req *authv1.UpdateConnectionRequest) {
	if req.SharePhoto != nil && c.GetPhotoGranted() {
		c.SharePhoto = req.GetSharePhoto()
	}
	if req.Paused != nil {
		if c.PausedAt = nil; req.GetPaused() {
			c.PausedAt = timestamppb.New(Now)
		}
	}
	if req.EndsAt != nil || req.GetNoEnd() {
		c.EndsAt = req.GetEndsAt()
	}
}

func (b *Backend) Disconnect(_ context.Context, req *authv1.DisconnectRequest) (*authv1.DisconnectResponse, error) {
	c, err := b.find(req.GetId())
	if err != nil {
		return nil, err
	}
	b.Connections = slices.DeleteFunc(b.Connections, func(other *authv1.Connection) bool {
		return other == c || !req.GetOnly() && other.GetApp().GetId() == c.GetApp().GetId()
	})
	return &authv1.DisconnectResponse{}, nil
}

func (b *Backend) ListOwnCvs(_ context.Context, req *candidatev1.ListOwnCvsRequest) (*candidatev1.ListOwnCvsResponse, error) {
	cvs := proto.CloneOf(b.CVs)
	cvs.Drafts = slices.Collect(maps.Keys(b.Drafts))
	if err := b.live(req.GetSessionToken()); err != nil {
		return nil, err
	}
	// The candidate service also allows a person without a CV to share the main CV.
	own := func(cv *candidatev1.CvReference) bool { return cv.GetId() == req.GetCvId() }
	if req.GetCvId() != "" && !slices.ContainsFunc(cvs.GetCvs(), own) && (req.GetCvId() != "master" || len(cvs.GetCvs()) > 0) {
		return nil, errs.New(errs.NotFound, "CV_NOT_FOUND", "none")
	}
	return cvs, nil
}

func (b *Backend) GetPublicProfile(_ context.Context, req *candidatev1.GetPublicProfileRequest) (*candidatev1.GetPublicProfileResponse, error) {
	if req.GetUsername() != "layla" {
		return nil, errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "none")
	}
	return b.Public, nil
}

func publicLayla() *candidatev1.GetPublicProfileResponse {
	s := wrapperspb.String
	return &candidatev1.GetPublicProfileResponse{
		User: &candidatev1.SignedInUser{Name: "Layla Haddad", Headline: s("Front-end developer"), AvatarUrl: s("https://img.example/layla.png")},
		Cv: &cvv1.SharedCv{Id: "master", Language: "en", Document: &cvv1.CvDocument{
			Name: "Layla Haddad", Title: s("Front-end developer"), Location: s("Sharjah, United Arab Emirates"),
			Summary:   s("I build accessible web interfaces.\nSmall parts, honest messages."),
			Bio:       s("Volunteer teacher of HTML on Saturdays. <script>alert(1)</script>"),
			AvatarUrl: s("https://img.example/layla.png"), OpenToWork: true, IsUaePassVerified: true,
			Socials: map[string]string{"github": "https://github.example/layla", "site": "javascript:alert(1)"},
			SkillGroups: []*cvv1.SkillGroup{
				{Category: "Languages", Items: []string{"TypeScript", "HTML", "CSS"}}, {Category: "Practice", Items: []string{"Accessibility", "Testing"}},
			},
			Languages:  []string{"Arabic (native)", "English (fluent)"},
			Highlights: []*cvv1.Highlight{{Title: "Speaker", Desc: "GulfJS 2025"}},
			Experiences: []*cvv1.Experience{
				{Id: "1", Title: "Front-end developer", Company: "Noor Digital", Location: s("Dubai"), StartDate: s("2025-09"), Current: true,
					Overview: s("Checkout and account pages."), Bullets: []string{"Cut the bundle by half", "Keyboard paths for every form"}},
				{Id: "2", Title: "Intern", Company: "Souq Labs", StartDate: s("2024"), EndDate: s("2025-03-01")},
			},
			Educations: []*cvv1.Education{{Id: "1", School: "University of Sharjah", Degree: s("BSc"), FieldOfStudy: s("Computer Science"), StartDate: s("2020"), EndDate: s("2024")}},
			Certifications: []*cvv1.Certification{{Id: "1", Name: "CPWA", Issuer: "IAAP", IssueDate: s("2025-01"), ExpirationDate: s("2028-01"),
				CredentialUrl: s("https://iaap.example/1")}},
			Projects: []*cvv1.Project{{Id: "1", Title: "Bidi playground", Description: s("Mixed text, explained."), Link: s("https://bidi.example"), Technologies: []string{"Go", "HTML"}}},
		}},
	}
}
