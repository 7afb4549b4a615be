package console

import (
	"cmp"
	"strings"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// eventView is a row of the audit log.
type eventView struct {
	At time.Time
	// Text is what the page calls the action.
	Action, Text, Outcome, Code string
	By, On, App                 namedThing
	Address, RequestID          string
	// Refused is what the filter by outcome goes by. A refusal may have no code.
	Refused bool
}

// namedThing is whom or what an event names.
type namedThing struct {
	// Name is its id if it has no name.
	Name, ID string
	// Path is the page of the console that has it; empty if there is none.
	Path string
}

// Alias reports whether the id says more than the name.
func (t namedThing) Alias() bool { return t.ID != "" && t.ID != t.Name }

// eventNames are the names that come with pages of the log, by id (behaviour: audit#names).
type eventNames map[string]*authv1.EventName

func (n eventNames) add(named []*authv1.EventName) {
	for _, one := range named {
		n[one.GetId()] = one
	}
}

// of gives the name of an id; empty if there is none.
func (n eventNames) of(id string) string { return marked(n[id].GetName(), n[id].GetEnded()) }

// unnamed are things of an account that auth has no names for.
var unnamed = map[string]string{"sec": "Client secret", "plr": "Request for another plan"}

// thing is what has an id, with its page while it has one. app is the app of the event.
func (n eventNames) thing(id, app string) namedThing {
	kind, _, _ := strings.Cut(id, "_")
	t := namedThing{ID: id, Name: cmp.Or(n.of(id), unnamed[kind], id)}
	if named := n[id]; named == nil && unnamed[kind] == "" || named.GetEnded() {
		return t
	}
	switch kind {
	case "app":
		t.Path = appPath(id)
	case "key", "sec":
		t.Path = n.pageOfApp(app, kind)
	case "usr", "inv":
		t.Path = teamPath
	case "plr":
		t.Path = limitsPath
	case "dev":
		t.Path = settingsPath
	}
	return t
}

// pageOfApp is where the credentials of an app are; empty if it is no more.
func (n eventNames) pageOfApp(app, kind string) string {
	switch {
	case n[app] == nil || n[app].GetEnded():
		return ""
	case kind == "key":
		return keysPath(app)
	}
	return appPath(app)
}

// actorTexts are what the page calls those who have no id.
var actorTexts = map[authv1.ActorKind]string{
	authv1.ActorKind_ACTOR_KIND_ANONYMOUS: "Unidentified", authv1.ActorKind_ACTOR_KIND_OPERATOR: "An operator of Vitae",
	authv1.ActorKind_ACTOR_KIND_SERVICE: "Vitae",
}

func eventOf(e *authv1.AuditEvent, n eventNames) eventView {
	v := eventView{
		At: e.GetAt().AsTime(), Action: e.GetAction(), Text: actionName(e.GetAction()), Code: e.GetErrorCode(), Outcome: "done",
		On: n.thing(e.GetObjectId(), e.GetAppId()), App: n.thing(e.GetAppId(), ""), Address: e.GetClientAddress(), RequestID: e.GetRequestId(),
	}
	if v.Refused = e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED; v.Refused {
		v.Outcome = "refused"
	}
	if v.By = n.thing(e.GetActor().GetId(), e.GetAppId()); v.By.ID == "" {
		v.By.Name = cmp.Or(actorTexts[e.GetActor().GetKind()], actorID(e.GetActor()))
	}
	return v
}

// actorID is who acted, as the file tells it: an id, or a kind.
func actorID(a *authv1.AuditActor) string {
	return cmp.Or(a.GetId(), strings.ToLower(strings.TrimPrefix(a.GetKind().String(), "ACTOR_KIND_")))
}
