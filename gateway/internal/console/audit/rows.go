package audit

import (
	"cmp"
	"strings"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// event is a row of the log.
type event struct {
	At time.Time
	// Text is the action in words.
	Action, Text, Outcome, Code string
	By, On, App                 thing
	Address, RequestID          string
	Refused                     bool
}

// thing is a person or object of an event.
type thing struct {
	// Name is the id if there is no name.
	Name, ID string
	// Path is its page, "" for none.
	Path string
}

// Alias reports whether the name is not the id.
func (t thing) Alias() bool { return t.ID != "" && t.ID != t.Name }

// names are the names of persons and objects by id (behaviour: audit#names).
type names map[string]*authv1.EventName

func (n names) add(named []*authv1.EventName) {
	for _, one := range named {
		n[one.GetId()] = one
	}
}

// unnamed are the kinds of objects without a name in auth.
var unnamed = map[string]string{"sec": "Client secret", "plr": "Request for another plan"}

// thing returns what has an id, with its page while it exists. app is that of the event.
func (n names) thing(id, app string) thing {
	kind, _, _ := strings.Cut(id, "_")
	t := thing{ID: id, Name: cmp.Or(shell.Marked(n[id].GetName(), n[id].GetEnded()), unnamed[kind], id)}
	if named := n[id]; named == nil && unnamed[kind] == "" || named.GetEnded() {
		return t
	}
	appLives := n[app] != nil && !n[app].GetEnded()
	switch {
	case kind == "app":
		t.Path = shell.AppPath(id)
	case kind == "key" && appLives:
		t.Path = shell.KeysPath(app)
	case kind == "sec" && appLives:
		t.Path = shell.AppPath(app)
	case kind == "usr", kind == "inv":
		t.Path = shell.TeamPath
	case kind == "plr":
		t.Path = shell.LimitsPath
	case kind == "dev":
		t.Path = shell.SettingsPath
	}
	return t
}

// actorTexts describe actors without an id.
var actorTexts = map[authv1.ActorKind]string{
	authv1.ActorKind_ACTOR_KIND_ANONYMOUS: "Unidentified", authv1.ActorKind_ACTOR_KIND_OPERATOR: "An operator of Vitae",
	authv1.ActorKind_ACTOR_KIND_SERVICE: "Vitae",
}

func eventOf(e *authv1.AuditEvent, n names) event {
	v := event{
		At: e.GetAt().AsTime(), Action: e.GetAction(), Text: actionName(e.GetAction()), Code: e.GetErrorCode(), Outcome: "done",
		On: n.thing(e.GetObjectId(), e.GetAppId()), App: n.thing(e.GetAppId(), ""), Address: e.GetClientAddress(), RequestID: e.GetRequestId(),
	}
	// A refusal may have no code.
	if v.Refused = e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED; v.Refused {
		v.Outcome = "refused"
	}
	if v.By = n.thing(e.GetActor().GetId(), e.GetAppId()); v.By.ID == "" {
		v.By.Name = cmp.Or(actorTexts[e.GetActor().GetKind()], actorID(e.GetActor()))
	}
	return v
}

// actorID returns the actor in the file: an id, or a kind.
func actorID(a *authv1.AuditActor) string {
	return cmp.Or(a.GetId(), strings.ToLower(strings.TrimPrefix(a.GetKind().String(), "ACTOR_KIND_")))
}
