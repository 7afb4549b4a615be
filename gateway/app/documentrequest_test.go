package app_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// request is a request for an operation. Tests modify it before they send it.
type request struct {
	path, query, body string
	headers           []string
}

// request returns a valid request with the document's example as its body.
func (s *scene) request(o operation, credential string) request {
	r := request{path: o.path}
	for name, value := range map[string]string{
		"{companyId}": "com_1", "{jobId}": "job_1", "{applicationId}": "apl_1", "/v1/cv-links/{token}": s.linkPath(), "/v1/photos/{token}": s.photoPath(),
	} {
		r.path = strings.ReplaceAll(r.path, name, value)
	}
	switch o.id {
	case "authorize":
		r.query = authorization.Encode()
	case "downloadResume":
		r.query = signed
	}
	content, _ := at(o.object, "requestBody", "content").(map[string]any)
	for mediaType, one := range content {
		r.headers = append(r.headers, "Content-Type", mediaType)
		for _, example := range at(one, "examples").(map[string]any) {
			r.body = encoded(mediaType, at(example, "value"))
		}
	}
	if credential != "" {
		r.headers = append(r.headers, "Authorization", "Bearer "+credential)
	}
	return r
}

func encoded(mediaType string, value any) string {
	if mediaType != formType {
		raw, _ := jsonOf(value)
		return raw
	}
	form := url.Values{}
	for name, one := range value.(map[string]any) {
		form.Set(name, one.(string))
	}
	return form.Encode()
}

func (s *scene) send(o operation, r request) answer {
	s.t.Helper()
	target := r.path
	if r.query != "" {
		target += "?" + r.query
	}
	return s.do(o.method, target, r.body, r.headers...)
}

// credentialOf returns a live credential that the operation accepts.
func (s *scene) credentialOf(o operation) string {
	switch o.scheme {
	case "apiKey":
		return s.auth.key
	case "userToken":
		return s.auth.token
	}
	return ""
}

// newDocumentScene returns a scene whose services respond to every call.
func newDocumentScene(t *testing.T, options ...option) *scene {
	s := newOAuthScene(t, options...)
	s.auth.check = func(*authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error) {
		return &authv1.CheckAuthorizationResponse{}, nil
	}
	s.partner.set(func(f *fakePartner) { f.pieces = resume("cv.pdf", "application/pdf", 4, "%PDF") })
	return s
}

// responsesOf maps methods to their response types.
func responsesOf(t *testing.T) map[string]proto.Message {
	t.Helper()
	all := map[string]proto.Message{}
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			for j := range f.Services().Get(i).Methods().Len() {
				d := f.Services().Get(i).Methods().Get(j)
				if one, err := protoregistry.GlobalTypes.FindMessageByName(d.Output().FullName()); err == nil {
					all[strings.ToLower(string(d.Name()[:1]))+string(d.Name()[1:])] = one.New().Interface()
				}
			}
		}
		return true
	})
	return all
}

// limited returns a credential for the operation that lacks its scope (how is 0), belongs to a suspended
// account (1), or has used up its minute (2) or day (3).
func (s *scene) limited(o operation, how int) string {
	p, secret := keyPrincipal(), newKey()
	if o.scheme == "userToken" {
		p, secret = fullPrincipal(), newToken()
	}
	p.AccountId, p.AppId, p.ConnectionId = "dev_"+secret, "app_"+secret, "con_"+secret
	record := &authv1.SessionRecord{Principal: p}
	switch how {
	case 0:
		p.Scopes = slices.DeleteFunc(slices.Clone(p.GetScopes()), func(scope string) bool { return scope == o.scope })
	case 1:
		record.AccountSuspended = true
	case 2:
		record.Plan = &authv1.Plan{PerMinute: 0, PerDay: 10}
	case 3:
		record.Plan = &authv1.Plan{PerMinute: 10, PerDay: 0}
	}
	s.auth.put(secret, record)
	return secret
}

// unknown returns a well-formed credential that was never issued.
func (s *scene) unknown(o operation) string {
	if o.scheme == "userToken" {
		return newToken()
	}
	return newKey()
}

func newKey() string { return credential.New(credential.APIKey) }

func jsonOf(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}
