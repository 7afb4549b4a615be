package audit

import (
	"net/netip"
	"regexp"
	"strings"
	"time"

	"vitae.internal/pkg/id"
)

// Outcome says how an action ended.
type Outcome string

// The outcomes.
const (
	// Done is for what was asked for and has happened.
	Done Outcome = "succeeded"
	// Refused is for what has not happened; the event's Code says why.
	Refused Outcome = "refused"
)

// Kind says what kind of actor there is.
type Kind string

// The kinds of actor.
const (
	// Anonymous is a client that nothing has identified: a sign-in that failed, an OAuth
	// client whose authentication failed.
	Anonymous Kind = "anonymous"
	// Person is a person in a browser session.
	Person Kind = "person"
	// App is an OAuth client that has authenticated, or the holder of a token.
	App Kind = "app"
	// APIKey is an API key.
	APIKey Kind = "api_key"
	// Operator is vitaectl.
	Operator Kind = "operator"
	// Service is any other internal caller.
	Service Kind = "service"
)

// Kinds are all kinds of actor.
var Kinds = []Kind{Anonymous, Person, App, APIKey, Operator, Service}

// Actor is who acted.
type Actor struct {
	Kind Kind `json:"kind"`
	// ID is the id of the person, app or key; empty for the other kinds.
	ID string `json:"id,omitempty"`
}

// Object is what was acted on.
type Object struct {
	// Type is the kind of thing, for example "api_key"; empty if there is none.
	Type string `json:"type,omitempty"`
	// ID is its id; empty if none was made or named.
	ID string `json:"id,omitempty"`
}

// Event is an entry of the audit log. As JSON it waits in outboxes, where a replica of
// another release may read it: the names in JSON stay as they are.
type Event struct {
	// ID is unique, prefixed "evt_".
	ID string `json:"id"`
	// At is when it happened; the zero time means the moment at which it is stored.
	At      time.Time `json:"at,omitzero"`
	Action  Action    `json:"action"`
	Outcome Outcome   `json:"outcome"`
	// Code is the error code of a refusal.
	Code  string `json:"code,omitempty"`
	Actor Actor  `json:"actor"`
	// Caller is the certificate name of the part that made the call.
	Caller string `json:"caller"`
	// AccountID, AppID and PersonID are whom the event concerns, the actor included. Each
	// may be empty.
	AccountID string `json:"account_id,omitempty"`
	AppID     string `json:"app_id,omitempty"`
	PersonID  string `json:"person_id,omitempty"`
	Object    Object `json:"object"`
	// ClientAddress is the address of the client: the one that the gateway saw, or that of
	// the caller.
	ClientAddress string `json:"client_address,omitempty"`
	RequestID     string `json:"request_id,omitempty"`
	// Details are short facts by the names of Details.
	Details map[string]string `json:"details,omitempty"`
}

// The details that an event can have.
const (
	// Scopes are the scopes that were granted, given or issued, separated by spaces.
	Scopes = "scopes"
	// Plan, PerMinute and PerDay are the new budget of an account.
	Plan      = "plan"
	PerMinute = "per_minute"
	PerDay    = "per_day"
	// Sharing is "on" or "off", the new state of CV sharing.
	Sharing = "cv_sharing"
	// ShareEmail, ShareContact and SharePhoto are "on" or "off", the new state of a
	// permission that was taken back or given back; Paused is that of a pause.
	ShareEmail   = "share_email"
	ShareContact = "share_contact"
	SharePhoto   = "share_photo"
	Paused       = "paused"
	// Kept is "yes" for a consent that left the connection as it was.
	Kept = "kept"
	// EndsAt is when access ends by itself from now on, or Never.
	EndsAt = "ends_at"
	// Status is the new status of a job or an application.
	Status = "status"
	// Secret is the id of the client secret that was made, and EndedSecrets are those of the
	// secrets that were ended at once, separated by spaces.
	Secret       = "secret"
	EndedSecrets = "ended_secrets"
	// Role is the role that a member has now, or an invitation gives.
	Role = "role"
	// Browser and System are those of the browser in which a person acts, by the names that the
	// gateway knows.
	Browser = "browser"
	System  = "system"
	// Repeated is how many more times the same was refused without an event of its own.
	Repeated = "repeated"
)

// details are the details that an event can have, and the form of each. None has room for
// what a person types.
var details = map[string]*regexp.Regexp{
	Scopes:       regexp.MustCompile(`^(profile|email|[a-z]+:[a-z]+)( (profile|email|[a-z]+:[a-z]+)){0,20}$`),
	Plan:         regexp.MustCompile(`^(standard|elevated|custom)$`),
	PerMinute:    number,
	PerDay:       number,
	Sharing:      switched,
	ShareEmail:   switched,
	ShareContact: switched,
	SharePhoto:   switched,
	Paused:       switched,
	Kept:         regexp.MustCompile(`^yes$`),
	EndsAt:       regexp.MustCompile(`^(never|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)$`),
	Status:       regexp.MustCompile(`^[a-z]{1,20}$`),
	Secret:       regexp.MustCompile(`^` + secretID + `$`),
	EndedSecrets: regexp.MustCompile(`^` + secretID + `( ` + secretID + `){0,9}$`),
	Role:         regexp.MustCompile(`^(viewer|developer|owner)$`),
	Browser:      regexp.MustCompile(`^(Edge|Opera|Samsung Internet|Yandex Browser|Huawei Browser|Firefox|Chrome|Safari)$`),
	System:       regexp.MustCompile(`^(iPhone|iPad|Android|Windows|ChromeOS|macOS|Linux)$`),
	Repeated:     number,
}

// Never is the value of EndsAt for no end.
const Never = "never"

// secretID is the form of the id of a client secret. Those that a migration made hold a UUID
// in hexadecimal.
const secretID = `sec_([0-9a-v]{26}|[0-9a-f]{32})`

// The forms of a code, an object's type, a certificate name and a number. A code has an
// underscore, which the secrets of sessions have not.
var (
	code     = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,30}(_[A-Z0-9]{1,30}){1,5}$`)
	object   = regexp.MustCompile(`^[a-z][a-z_]{0,31}$`)
	name     = regexp.MustCompile(`^[a-z0-9][a-z0-9./-]{0,63}$`)
	number   = regexp.MustCompile(`^[0-9]{1,10}$`)
	switched = regexp.MustCompile(`^(on|off)$`)
)

// Clean returns the event without whatever no event may hold. Callers name ids, and a
// person may type a secret where an id belongs.
func (e Event) Clean() Event {
	e.Actor.ID, e.AccountID, e.AppID, e.PersonID = ID(e.Actor.ID), ID(e.AccountID), ID(e.AppID), ID(e.PersonID)
	e.Object.ID, e.RequestID = ID(e.Object.ID), ID(e.RequestID)
	e.Code, e.Object.Type, e.Caller = matching(code, e.Code), matching(object, e.Object.Type), matching(name, e.Caller)
	if address, err := netip.ParseAddr(e.ClientAddress); err != nil {
		e.ClientAddress = ""
	} else {
		e.ClientAddress = address.Unmap().WithZone("").String()
	}
	kept := map[string]string{}
	for k, v := range e.Details {
		if form := details[k]; form != nil && form.MatchString(v) {
			kept[k] = v
		}
	}
	e.Details = kept
	return e
}

// ID gives s if it has the form of an id, otherwise nothing.
func ID(s string) string {
	prefix, _, found := strings.Cut(s, "_")
	if s == "master" || found && id.Valid(prefix, s) || details[Secret].MatchString(s) {
		return s
	}
	return ""
}

func matching(form *regexp.Regexp, s string) string {
	if form.MatchString(s) {
		return s
	}
	return ""
}
