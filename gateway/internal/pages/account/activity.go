package account

import (
	"net/http"
	"net/url"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// activityPath shows what was done to the account.
	activityPath = "/account/activity"
	// afterField names, in the query, what a page of a list follows.
	afterField = "after"
	// activityPage is how many entries it shows.
	activityPage = 50
)

// activityPages are the trail of a person's own account
// (behaviour: audit#what-a-person-sees).
type activityPages struct {
	*shell.Shell
	auth authv1.AuditServiceClient
}

type activityView struct {
	Events []activityEvent
	// Older is the address of the next page, "" at the end.
	Older string
}

// activityEvent is an entry of the trail.
type activityEvent struct {
	At time.Time
	// Text is the key of the message that says what was done, App the name of the app that it is
	// about.
	Text, App string
	Refused   bool
	// Browser and System are names, and Country is the code of where it was; empty for what is not
	// known.
	Browser, System, Country string
	ByOperator               bool
	// Repeated is how many more times the same was refused.
	Repeated int64
	// Changes are the keys of messages that say what was changed of a connection. EndsAt is when its
	// access ends from then on, the zero time if no end was set.
	Changes []string
	EndsAt  time.Time
}

// activityDetails are the details of a change in the order in which they are said.
var activityDetails = []string{audit.ShareEmail, audit.SharePhoto, audit.ShareContact, audit.Paused}

// tell adds what was changed. Each change of a connection contains the state of CV sharing, so that is
// said only if nothing else is.
func (e *activityEvent) tell(details map[string]string) {
	if details[audit.Kept] != "" {
		e.Text = "activity.consent.kept"
	}
	said := func(name string) bool { return details[name] == "on" || details[name] == "off" }
	for _, name := range activityDetails {
		if said(name) {
			e.Changes = append(e.Changes, "activity.changed."+name+"."+details[name])
		}
	}
	if at, err := time.Parse(time.RFC3339, details[audit.EndsAt]); err == nil {
		e.EndsAt = at
	} else if details[audit.EndsAt] == audit.Never {
		e.Changes = append(e.Changes, "activity.changed.ends_at.never")
	}
	if len(e.Changes) == 0 && e.EndsAt.IsZero() && said(audit.Sharing) {
		e.Changes = []string{"activity.changed.cv_sharing." + details[audit.Sharing]}
	}
}

// activityText is the key of the message that says what was done. auth may be of a newer
// release, and know more.
func activityText(action string) string {
	if audit.Action(action).ForOwner() {
		return "activity." + action
	}
	return "activity.unknown"
}

// list shows a page of the trail.
func (p activityPages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	resp, err := p.auth.ListOwnEvents(r.Context(), &authv1.ListOwnEventsRequest{
		SessionToken: who.Token, PageSize: activityPage, PageToken: r.URL.Query().Get(afterField),
	})
	if err != nil {
		return err
	}
	var data activityView
	for _, e := range resp.GetEvents() {
		event := activityEvent{
			At: e.GetAt().AsTime(), Text: activityText(e.GetAction()), App: e.GetAppName(),
			Refused: e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED,
			Browser: e.GetBrowser().GetName(), System: e.GetBrowser().GetSystem(), Country: e.GetCountry(), ByOperator: e.GetByOperator(), Repeated: int64(e.GetRepeated()),
		}
		event.tell(e.GetDetails())
		data.Events = append(data.Events, event)
	}
	if next := resp.GetNextPageToken(); next != "" {
		data.Older = activityPath + "?" + url.Values{afterField: {next}}.Encode()
	}
	return p.Show(w, r, who, http.StatusOK, "activity", web.View{Data: data}, "activity.title")
}
