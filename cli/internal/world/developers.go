package world

import (
	"fmt"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

var plans = map[string]authv1.PlanName{
	"standard": authv1.PlanName_PLAN_NAME_STANDARD,
	"elevated": authv1.PlanName_PLAN_NAME_ELEVATED,
}

var clientTypes = map[string]authv1.ClientType{
	"confidential": authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
	"public":       authv1.ClientType_CLIENT_TYPE_PUBLIC,
}

var roles = map[string]optionsv1.Role{
	"viewer":    optionsv1.Role_ROLE_VIEWER,
	"developer": optionsv1.Role_ROLE_DEVELOPER,
	"owner":     optionsv1.Role_ROLE_OWNER,
}

func readDeveloper(path string, v any, s *seen, faults *Faults) (Developer, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Developer{}, false
	}
	defer r.end()
	d := Developer{
		Path: path,
		Ref:  r.ref(s.developers),
		Request: &authv1.CreateAccountRequest{
			Name:  r.required("name"),
			Email: r.required("email"),
			Plan:  readPlan(r),
		},
		Suspended: r.boolean("suspended"),
	}
	members, at := r.list("members")
	for i, item := range members {
		if member, ok := readMember(Index(at, i), item, faults); ok {
			d.Members = append(d.Members, member)
		}
	}
	apps, at := r.list("apps")
	for i, item := range apps {
		if app, ok := readApp(Index(at, i), item, s, faults); ok {
			d.Apps = append(d.Apps, app)
		}
	}
	return d, true
}

func readMember(path string, v any, faults *Faults) (Member, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Member{}, false
	}
	defer r.end()
	return Member{Path: path, Person: r.required("person"), Request: &authv1.AddMemberRequest{Role: choice(r, "role", roles)}}, true
}

// readPlan reads the name of a plan, or the limits of a custom one. It returns nil if the plan is invalid.
func readPlan(r *reader) *authv1.Plan {
	v, path := r.take("plan")
	switch v := v.(type) {
	case nil:
		r.faults.Add(path, "is required")
	case string:
		if name, known := plans[v]; known {
			return &authv1.Plan{Name: name}
		}
		r.faults.Add(path, fmt.Sprintf("must be %s, or an object with perMinute and perDay", oneOf(plans)))
	case *object:
		plan, _ := read(path, v, r.faults)
		defer plan.end()
		return &authv1.Plan{
			Name:      authv1.PlanName_PLAN_NAME_CUSTOM,
			PerMinute: plan.figure("perMinute"),
			PerDay:    plan.figure("perDay"),
		}
	default:
		r.faults.Add(path, "must be a string or an object, not "+kind(v))
	}
	return nil
}

func (r *reader) figure(key string) int32 {
	v, path := r.take(key)
	if v == nil {
		r.faults.Add(path, "is required")
		return 0
	}
	return integer(path, v, r.faults)
}

func readApp(path string, v any, s *seen, faults *Faults) (App, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return App{}, false
	}
	defer r.end()
	app := App{Path: path, Ref: r.ref(s.apps), Request: &authv1.CreateAppRequest{
		Name:          r.required("name"),
		LogoUrl:       r.optional("logoUrl"),
		Homepage:      r.optional("homepage"),
		PrivacyPolicy: r.optional("privacyPolicy"),
		ClientType:    choice(r, "clientType", clientTypes),
		RedirectUris:  r.texts("redirectUris"),
		Scopes:        r.texts("scopes"),
		Legacy:        r.boolean("legacy"),
	}}
	keys, at := r.list("apiKeys")
	for i, item := range keys {
		if key, ok := readKey(Index(at, i), item, s, faults); ok {
			app.Keys = append(app.Keys, key)
		}
	}
	return app, true
}

func readKey(path string, v any, s *seen, faults *Faults) (APIKey, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return APIKey{}, false
	}
	defer r.end()
	return APIKey{Path: path, Ref: r.ref(s.keys), Request: &authv1.CreateApiKeyRequest{
		Name:      r.required("name"),
		Scopes:    r.texts("scopes"),
		ExpiresAt: r.time("expiresAt"),
	}}, true
}
