package app_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	baseURL = "https://api.example"
	appURL  = "https://app.example"
)

// scene is a gateway with fake services, which it calls over real gRPC connections.
type scene struct {
	t        *testing.T
	auth     *fakeAuth
	me       *fakeMe
	renderer *fakeRenderer
	partner  *fakePartner
	photos   *fakePhotos
	legacy   *fakeLegacy
	gateway  *app.Gateway
	log      io.Reader // receives the log lines with the listeners' addresses
	url      string
	stop     map[string]func() // stops a service by name
}

type option func(*setting)

// setting holds a test's options for a gateway.
type setting struct {
	env config.Environment
	log slog.Handler
}

// newScene starts a gateway. Its access token, s.auth.token, and its API key, s.auth.key, have every scope.
func newScene(t *testing.T, options ...option) *scene {
	t.Helper()
	dir := t.TempDir()
	if err := mtls.Issue(dir, "gateway", "auth", "partnercatalog", "candidate", "cvrender"); err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, auth: newFakeAuth(), me: &fakeMe{}, renderer: newFakeRenderer(), partner: &fakePartner{}, photos: newFakePhotos(), legacy: &fakeLegacy{}, stop: map[string]func(){}}
	env := config.Environment{
		"VITAE_BASE_URL": baseURL, "VITAE_APP_URL": appURL,
		"VITAE_AUTH_GRPC_ADDR": s.part(dir, "auth", func(r grpc.ServiceRegistrar) {
			authv1.RegisterCredentialServiceServer(r, photoAuth{s.auth, s.photos})
			authv1.RegisterOAuthServiceServer(r, s.auth)
			authv1.RegisterUsageServiceServer(r, s.auth)
			authv1.RegisterLegacyTokenServiceServer(r, s.legacy)
		}),
		"VITAE_CANDIDATE_GRPC_ADDR": s.part(dir, "candidate", func(r grpc.ServiceRegistrar) {
			candidatev1.RegisterMeServiceServer(r, s.me)
			candidatev1.RegisterLegacyProfileServiceServer(r, s.legacy)
			candidatev1.RegisterApplicationServiceServer(r, applications{fakePartner: s.partner})
			candidatev1.RegisterResumeServiceServer(r, resumes{fakePartner: s.partner})
			candidatev1.RegisterPhotoServiceServer(r, s.photos)
		}),
		"VITAE_PARTNERCATALOG_GRPC_ADDR": s.part(dir, "partnercatalog", func(r grpc.ServiceRegistrar) {
			partnercatalogv1.RegisterCompanyServiceServer(r, companies{fakePartner: s.partner})
			partnercatalogv1.RegisterJobServiceServer(r, jobs{fakePartner: s.partner})
		}),
		"VITAE_CVRENDER_GRPC_ADDR": s.part(dir, "cvrender", func(r grpc.ServiceRegistrar) {
			cvrenderv1.RegisterCvRenderServiceServer(r, photoRenderer{s.renderer, s.photos})
		}),
		"VITAE_REDIS_URL":     testkit.Redis(t),
		"VITAE_LEGACY_ADDR":   "127.0.0.1:0",
		"VITAE_CONSOLE_ADDR":  "127.0.0.1:0",
		"VITAE_SURFACE_TIERS": "off", // tests send faster than the tiers allow
		"VITAE_CV_LINK_KEYS":  testkit.Keys("a"),
		"VITAE_COOKIE_KEYS":   testkit.Keys("a"),
		"VITAE_RECORD_KEYS":   testkit.Keys("a"),
	}
	read, write := io.Pipe()
	s.log = read
	chosen := setting{env: env, log: announcements(write)}
	for _, o := range options {
		o(&chosen)
	}
	cfg, err := config.Load[app.Config](env)
	if err != nil {
		t.Fatal(err)
	}
	gateway, err := app.New(cfg, slog.New(chosen.log), identity(t, dir, "gateway"))
	if err != nil {
		t.Fatal(err)
	}
	s.gateway = gateway
	server := httptest.NewServer(gateway.API())
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := gateway.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// announcements returns a log handler that writes only the lines with the listeners' addresses.
func announcements(w io.Writer) slog.Handler {
	return onlyAnnouncements{slog.NewJSONHandler(w, nil)}
}

type onlyAnnouncements struct{ slog.Handler }

func (o onlyAnnouncements) Handle(ctx context.Context, r slog.Record) error {
	if r.Message != "serving HTTP" {
		return nil
	}
	return o.Handler.Handle(ctx, r)
}

func set(name, value string) option {
	return func(s *setting) { s.env[name] = value }
}

// lines collects log lines.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// logTo sends the gateway's log to l.
func logTo(l lines) option {
	return func(s *setting) { s.log = slog.NewJSONHandler(l, nil) }
}

func identity(t *testing.T, dir, name string) *mtls.Identity {
	t.Helper()
	id, err := mtls.Load(mtls.Files(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// part starts a fake service and returns its address.
func (s *scene) part(dir, name string, register func(grpc.ServiceRegistrar)) string {
	s.t.Helper()
	server, err := grpcserver.New(identity(s.t, dir, name), slog.New(slog.DiscardHandler), register)
	if err != nil {
		s.t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	stopped := false
	s.stop[name] = func() {
		if stopped {
			return
		}
		stopped = true
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		server.Stop(ctx)
		if err := <-served; err != nil {
			s.t.Error(err)
		}
	}
	s.t.Cleanup(s.stop[name])
	return l.Addr().String()
}

// answer is a response whose body has been read.
type answer struct {
	*http.Response
	body string
}

// client follows no redirects and adds no headers.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// do sends a request. headers contains alternating names and values. A repeated name adds a second
// header line.
func (s *scene) do(method, target, body string, headers ...string) answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+target, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if !strings.HasPrefix(resp.Header.Get("X-Request-Id"), "req_") {
		s.t.Errorf("%s %s: the %d response has no request id", method, target, resp.StatusCode)
	}
	return answer{resp, string(raw)}
}

// ask sends a request with the scene's API key and a JSON body.
func (s *scene) ask(method, target, body string, headers ...string) answer {
	s.t.Helper()
	headers = append(headers, "Authorization", "Bearer "+s.auth.key)
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return s.do(method, target, body, headers...)
}

// get reads a resource with the scene's token.
func (s *scene) get(target string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, target, "", append(headers, "Authorization", "Bearer "+s.auth.token)...)
}

// wantEnvelope checks an error response in the envelope format.
func (a answer) wantEnvelope(t *testing.T, status int, code string) {
	t.Helper()
	var body struct {
		Data  json.RawMessage `json:"data"`
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		Meta json.RawMessage `json:"meta"`
	}
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%d %q: %v", a.StatusCode, a.body, err)
	}
	if a.StatusCode != status || body.Error.Code != code || body.Error.Message == "" || string(body.Data) != "null" || string(body.Meta) != "null" {
		t.Errorf("got %d %s, want %d %s", a.StatusCode, a.body, status, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: headers %v", code, a.Header)
	}
}

// wantFlat checks an error response in the flat format.
func (a answer) wantFlat(t *testing.T, status int, code string) {
	t.Helper()
	var body map[string]string
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%d %q: %v", a.StatusCode, a.body, err)
	}
	if a.StatusCode != status || body["error"] != code || body["error_description"] == "" || len(body) != 2 {
		t.Errorf("got %d %s, want %d %s", a.StatusCode, a.body, status, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Pragma") != "no-cache" {
		t.Errorf("%s: headers %v", code, a.Header)
	}
}

var connectedAt = timestamppb.New(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))

func fullPrincipal() *identityv1.Principal {
	scopes := []string{"profile", "email", "cv:read", "cv:contact"}
	return &identityv1.Principal{
		Kind:      identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN,
		AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_1", PersonId: "usr_1",
		Scopes: scopes, GrantedScopes: scopes, CvId: "master", SharePhoto: true, PhotoVersion: photoVersion,
		ConnectedAt: connectedAt, CvLinkId: linkID,
	}
}

// keyPrincipal returns the principal of an API key with every scope.
func keyPrincipal() *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: "app_1",
		Scopes: []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"},
	}
}

// photoVersion is the version number in the photo's URL.
const photoVersion = 3

const linkID = "lnk_0123456789abcdefghijklmnop"

func newToken() string { return credential.New(credential.AccessToken) }
