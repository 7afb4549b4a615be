package pages

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const (
	goodEmail    = "layla@example.com"
	goodPassword = "correct horse"
	redirectURI  = "https://jobs.example/callback?lang=en"
)

var now = time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC)

// backend stands for auth and candidate. It has as many of their rules as the tests
// need.
type backend struct {
	mu sync.Mutex

	// fail, when set, is what every call answers.
	fail error
	// signInFail is what SignIn answers.
	signInFail error
	// fault is what CheckAuthorization finds, refuse what it refuses with.
	fault  *authv1.AuthorizationFault
	refuse error
	// reads are what every app has read.
	reads []*authv1.ReadDay
	// suspended says that the account of every app is.
	suspended bool
	// shownStatus is what apps are answered with, if it is set.
	shownStatus int
	// shownBody is what apps are answered with by path, shownFor the last principal that asked.
	shownBody map[string]string
	shownFor  *identityv1.Principal
	// listFail is what ListConnections answers.
	listFail error
	// authorizeFail is what Authorize answers.
	authorizeFail error
	// declineFail is what DeclineAuthorization answers.
	declineFail error

	app         *authv1.App
	publisher   string
	verified    bool
	ofVitae     bool
	sessions    map[string]bool
	devices     map[string]bool
	signedIn    []*authv1.SignInRequest
	authorized  []*authv1.AuthorizeRequest
	declined    []*authv1.DeclineAuthorizationRequest
	updated     []*authv1.UpdateConnectionRequest
	logosAsked  int
	connections []*authv1.Connection
	cvs         *candidatev1.ListOwnCvsResponse
	documents   []*candidatev1.Document
	// applied are pages of applications by their tokens.
	applied map[string]*candidatev1.ListOwnApplicationsResponse
	public  *candidatev1.GetPublicProfileResponse

	accounts
	written
}

func newBackend() *backend {
	app := &authv1.App{Id: "app_1", Name: "Acme Jobs", ClientId: "svc_ci_1", RedirectUris: []string{redirectURI}}
	return &backend{
		app: app, sessions: map[string]bool{}, devices: map[string]bool{},
		cvs: &candidatev1.ListOwnCvsResponse{Name: "Layla Haddad", HasPhoto: true, Cvs: []*candidatev1.CvReference{
			{Id: "master", Title: "Main CV", UpdatedAt: timestamppb.New(now.AddDate(0, -1, 0))},
			{Id: "cv_2", Title: "Front-end, short", UpdatedAt: timestamppb.New(now.AddDate(0, -2, 3))},
			{Id: "cv_3", Title: "السيرة الذاتية بالعربية", UpdatedAt: timestamppb.New(now.AddDate(0, -5, 0))},
		}},
		connections: []*authv1.Connection{
			{
				// Another app of the same developer. The app that asks is not connected yet.
				Id: "con_1", App: &authv1.App{Id: "app_0", Name: "Acme Jobs", ClientId: "svc_ci_0"}, Scopes: []string{"profile", "email", "cv:read", "cv:contact"},
				GrantedScopes: []string{"profile", "email", "cv:read", "cv:contact"}, PhotoGranted: true,
				CvGranted: true, CvSharing: true, CvId: "master", SharePhoto: true, CreatedAt: timestamppb.New(now.AddDate(0, -1, 0)),
			},
			{
				Id: "con_2", App: &authv1.App{Id: "app_2", Name: "نور للتوظيف"}, Scopes: []string{"profile"}, GrantedScopes: []string{"profile", "cv:read"},
				CvGranted: true, CvId: "cv_deleted", CreatedAt: timestamppb.New(now.AddDate(-1, 0, 0)),
			},
			{Id: "con_3", App: &authv1.App{Id: "app_3", Name: "Badge Maker"}, Scopes: []string{"profile", "email"}, GrantedScopes: []string{"profile", "email"}, CreatedAt: timestamppb.New(now)},
		},
		public:    publicLayla(),
		documents: documentsOfLayla(),
		written:   newWritten(),
	}
}

func (b *backend) person() *authv1.Person {
	return &authv1.Person{Id: "usr_1", Email: goodEmail, EmailVerified: true, Language: b.language}
}

func (b *backend) SignIn(_ context.Context, req *authv1.SignInRequest, _ ...grpc.CallOption) (*authv1.SignInResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.signedIn = append(b.signedIn, req)
	if b.fail != nil || b.signInFail != nil {
		return nil, cmpErr(b.fail, b.signInFail)
	}
	if req.GetEmail() != goodEmail || req.GetPassword() != goodPassword {
		return nil, errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "wrong")
	}
	delete(b.sessions, req.GetPreviousSessionToken())
	token := "session-" + time.Duration(len(b.signedIn)).String()
	b.sessions[token] = true
	device := req.GetDeviceToken()
	if !b.devices[device] {
		device = "device-" + time.Duration(len(b.signedIn)).String()
		b.devices[device] = true
	}
	return &authv1.SignInResponse{
		SessionToken: token, Person: b.person(), ExpiresAt: timestamppb.New(now.Add(12 * time.Hour)),
		DeviceToken: device, DeviceExpiresAt: timestamppb.New(now.Add(180 * 24 * time.Hour)),
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

func (b *backend) live(token string) error {
	if !b.sessions[token] {
		return errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
	}
	return nil
}

func (b *backend) GetSession(_ context.Context, req *authv1.GetSessionRequest, _ ...grpc.CallOption) (*authv1.GetSessionResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := cmpErr(b.fail, b.live(req.GetSessionToken())); err != nil {
		return nil, err
	}
	return &authv1.GetSessionResponse{Person: b.person(), Proven: !b.unproven}, nil
}

func (b *backend) SignOut(_ context.Context, req *authv1.SignOutRequest, _ ...grpc.CallOption) (*authv1.SignOutResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sessions, req.GetSessionToken())
	return &authv1.SignOutResponse{}, b.fail
}

func (b *backend) CheckAuthorization(_ context.Context, req *authv1.CheckAuthorizationRequest, _ ...grpc.CallOption) (*authv1.CheckAuthorizationResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := cmpErr(b.fail, b.refuse); err != nil {
		return nil, err
	}
	if !slices.Contains(b.app.GetRedirectUris(), req.GetParameters().GetRedirectUri()) {
		return nil, errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "redirect_uri").WithField("redirect_uri")
	}
	var scopes []string
	for _, scope := range []string{"profile", "email", "cv:read", "cv:contact"} {
		if slices.Contains(splitScope(req.GetParameters().GetScope()), scope) {
			scopes = append(scopes, scope)
		}
	}
	if req.GetParameters().GetLegacy() {
		scopes = []string{"profile:read"}
	}
	return &authv1.CheckAuthorizationResponse{
		App: b.app, Scopes: scopes, Fault: b.fault, PublisherName: b.publisher, PublisherVerified: b.verified, PublisherOwn: b.ofVitae,
	}, nil
}

func (b *backend) Authorize(_ context.Context, req *authv1.AuthorizeRequest, _ ...grpc.CallOption) (*authv1.AuthorizeResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := cmpErr(b.fail, b.authorizeFail); err != nil {
		return nil, err
	}
	b.authorized = append(b.authorized, req)
	return &authv1.AuthorizeResponse{Code: "svc_ac_code+/="}, nil
}

func (b *backend) DeclineAuthorization(ctx context.Context, req *authv1.DeclineAuthorizationRequest, _ ...grpc.CallOption) (*authv1.DeclineAuthorizationResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, bounded := ctx.Deadline(); !bounded {
		return nil, errs.New(errs.Internal, "NO_DEADLINE", "the person would wait for as long as the call takes")
	}
	b.declined = append(b.declined, req)
	return &authv1.DeclineAuthorizationResponse{}, b.declineFail
}

func (b *backend) ListConnections(context.Context, *authv1.ListConnectionsRequest, ...grpc.CallOption) (*authv1.ListConnectionsResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &authv1.ListConnectionsResponse{Connections: slices.Clone(b.connections)}, cmpErr(b.fail, b.listFail)
}

func (b *backend) find(id string) (*authv1.Connection, error) {
	for _, c := range b.connections {
		if c.GetId() == id {
			return c, nil
		}
	}
	return nil, errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "no such connection")
}

func (b *backend) UpdateConnection(_ context.Context, req *authv1.UpdateConnectionRequest, _ ...grpc.CallOption) (*authv1.UpdateConnectionResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.find(req.GetId())
	if err := cmpErr(b.fail, err); err != nil {
		return nil, err
	}
	b.updated = append(b.updated, req)
	if req.CvId != nil {
		c.CvId = req.GetCvId()
	}
	if req.CvSharing != nil {
		c.CvSharing = req.GetCvSharing()
	}
	if req.GetEndsAt() != nil && !req.GetEndsAt().AsTime().After(now) {
		return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "ends_at must be in the future").WithField("ends_at")
	}
	for _, one := range b.connections {
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

func (b *backend) PreviewConnection(_ context.Context, req *authv1.PreviewConnectionRequest, _ ...grpc.CallOption) (*authv1.PreviewConnectionResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.find(req.GetId())
	if err := cmpErr(b.fail, err, b.live(req.GetActor().GetSessionToken())); err != nil {
		return nil, err
	}
	if b.suspended {
		return &authv1.PreviewConnectionResponse{AccountSuspended: true}, nil
	}
	return &authv1.PreviewConnectionResponse{Principal: &identityv1.Principal{ConnectionId: c.GetId(), Scopes: c.GetScopes()}}, nil
}

func (b *backend) ListReads(_ context.Context, req *authv1.ListReadsRequest, _ ...grpc.CallOption) (*authv1.ListReadsResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &authv1.ListReadsResponse{Reads: b.reads}, cmpErr(b.fail, b.live(req.GetActor().GetSessionToken()))
}

// shown answers with the connection of the principal and with the path.
func (b *backend) shown() Shown {
	answer := func(scope string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b.mu.Lock()
			p := principal.FromContext(r.Context())
			status, body := b.shownStatus, b.shownBody[r.URL.Path]
			b.shownFor = p
			b.mu.Unlock()
			switch {
			case status != 0:
				w.WriteHeader(status)
			case !slices.Contains(p.GetScopes(), scope):
				w.WriteHeader(http.StatusForbidden)
			}
			if body != "" {
				fmt.Fprint(w, body)
				return
			}
			fmt.Fprintf(w, `{"of":%q,"at":%q,"for":%q}`, p.GetConnectionId(), r.URL.Path, p.GetCvLinkUrl())
		})
	}
	return Shown{
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

// changeAll changes what concerns an app however it is connected.
func changeAll(c *authv1.Connection, req *authv1.UpdateConnectionRequest) {
	if req.SharePhoto != nil && c.GetPhotoGranted() {
		c.SharePhoto = req.GetSharePhoto()
	}
	if req.Paused != nil {
		if c.PausedAt = nil; req.GetPaused() {
			c.PausedAt = timestamppb.New(now)
		}
	}
	if req.EndsAt != nil || req.GetNoEnd() {
		c.EndsAt = req.GetEndsAt()
	}
}

func (b *backend) Disconnect(_ context.Context, req *authv1.DisconnectRequest, _ ...grpc.CallOption) (*authv1.DisconnectResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.find(req.GetId())
	if err := cmpErr(b.fail, err); err != nil {
		return nil, err
	}
	b.connections = slices.DeleteFunc(b.connections, func(other *authv1.Connection) bool {
		return other == c || !req.GetOnly() && other.GetApp().GetId() == c.GetApp().GetId()
	})
	return &authv1.DisconnectResponse{}, nil
}

func (b *backend) ListOwnCvs(_ context.Context, req *candidatev1.ListOwnCvsRequest, _ ...grpc.CallOption) (*candidatev1.ListOwnCvsResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	cvs := proto.CloneOf(b.cvs)
	cvs.Drafts = slices.Collect(maps.Keys(b.drafts))
	return cvs, cmpErr(b.fail, b.live(req.GetSessionToken()))
}

func (b *backend) GetPublicProfile(_ context.Context, req *candidatev1.GetPublicProfileRequest, _ ...grpc.CallOption) (*candidatev1.GetPublicProfileResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail == nil && req.GetUsername() != "layla" {
		return nil, errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "none")
	}
	return b.public, b.fail
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
