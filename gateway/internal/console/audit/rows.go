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
	// Text is the description of the action.
	Action, Text, Outcome, Code string
	By, On, App                 entity
	Address, RequestID          string
	Refused                     bool
}

// entity is the actor, object or app of an event.
type entity struct {
	// Name is the name of the entity, or the id if it has no name.
	Name, ID string
	// Path is the path of the entity's page, or "" if there is none.
	Path string
}

// Alias reports whether the entity has a name that differs from its id.
func (t entity) Alias() bool { return t.ID != "" && t.ID != t.Name }

// names maps ids of people and objects to their names (behaviour: audit#names).
type names map[string]*authv1.EventName

func (n names) add(named []*authv1.EventName) {
	for _, one := range named {
		n[one.GetId()] = one
	}
}

// unnamed describes those kinds of objects that have no names.
var unnamed = map[string]string{"sec": "Client secret", "plr": "Request for another plan"}

// entity returns the entity with the given id. It links to the entity's page if the entity still
// exists. app is the id of the event's app.
func (n names) entity(id, app string) entity {
	kind, _, _ := strings.Cut(id, "_")
	t := entity{ID: id, Name: cmp.Or(shell.Marked(n[id].GetName(), n[id].GetEnded()), unnamed[kind], id)}
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

// actorTexts describes the actors that have no id.
var actorTexts = map[authv1.ActorKind]string{
	authv1.ActorKind_ACTOR_KIND_ANONYMOUS: "Unidentified", authv1.ActorKind_ACTOR_KIND_OPERATOR: "An operator of Vitae",
	authv1.ActorKind_ACTOR_KIND_SERVICE: "Vitae",
}

func eventOf(e *authv1.AuditEvent, n names) event {
	v := event{
		At: e.GetAt().AsTime(), Action: e.GetAction(), Text: actionName(e.GetAction()), Code: e.GetErrorCode(), Outcome: "done",
		On: n.entity(e.GetObjectId(), e.GetAppId()), App: n.entity(e.GetAppId(), ""), Address: e.GetClientAddress(), RequestID: e.GetRequestId(),
	}
	// A refusal may have no error code.
	if v.Refused = e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED; v.Refused {
		v.Outcome = "refused"
	}
	if v.By = n.entity(e.GetActor().GetId(), e.GetAppId()); v.By.ID == "" {
		v.By.Name = cmp.Or(actorTexts[e.GetActor().GetKind()], actorID(e.GetActor()))
	}
	return v
}

// actorID returns the actor's id for the CSV file, or the kind of actor if there is no id.
func actorID(a *authv1.AuditActor) string {
	return cmp.Or(a.GetId(), strings.ToLower(strings.TrimPrefix(a.GetKind().String(), "ACTOR_KIND_")))
}
