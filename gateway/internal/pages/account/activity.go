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
	// activityPath is the path of the page that lists actions on the account.
	activityPath = "/account/activity"
	// afterField is the query parameter that specifies after which entry a page of the list begins.
	afterField = "after"
	// activityPage is the number of entries on a page.
	activityPage = 50
)

// activityPages serves the activity log of a person's own account (behaviour: audit#what-a-person-sees).
type activityPages struct {
	*shell.Shell
	auth authv1.AuditServiceClient
}

type activityView struct {
	Events []activityEvent
	// Older is the URL of the next page, or "" on the last page.
	Older string
}

// activityEvent is an entry of the activity log.
type activityEvent struct {
	At time.Time
	// Text is the message key for the action. App is the name of the app that it concerns.
	Text, App string
	Refused   bool
	// Browser and System are names. Country is the code of the country in which the action took place. Each
	// is "" if unknown.
	Browser, System, Country string
	ByOperator               bool
	// Repeated is the number of further times that the same action was rejected.
	Repeated int64
	// Changes are the message keys for what was changed in a connection. EndsAt is the new time at which its
	// access ends, or the zero time if it was not set.
	Changes []string
	EndsAt  time.Time
}

// activityDetails lists the details of a change in the order in which they are shown.
var activityDetails = []string{audit.ShareEmail, audit.SharePhoto, audit.ShareContact, audit.Paused}

// addChanges adds the changes that an event describes. Every change to a connection includes the state of CV
// sharing, so that state is added only if there is nothing else.
func (e *activityEvent) addChanges(details map[string]string) {
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

// activityText returns the message key for an action. The auth service may run a newer release and send
// actions that are unknown here.
func activityText(action string) string {
	if audit.Action(action).ForOwner() {
		return "activity." + action
	}
	return "activity.unknown"
}

// list shows a page of the activity log.
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
		event.addChanges(e.GetDetails())
		data.Events = append(data.Events, event)
	}
	if next := resp.GetNextPageToken(); next != "" {
		data.Older = activityPath + "?" + url.Values{afterField: {next}}.Encode()
	}
	return p.Show(w, r, who, http.StatusOK, "activity", web.View{Data: data}, "activity.title")
}
