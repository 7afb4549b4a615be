package audit

import (
	"net/netip"
	"regexp"
	"strings"
	"time"

	"vitae.internal/pkg/id"
)

// Outcome is the result of an action.
type Outcome string

// Outcomes of an action.
const (
	Done Outcome = "succeeded"
	// Refused means that nothing was done. The event's Code is the reason.
	Refused Outcome = "refused"
)

// Kind is the kind of an actor.
type Kind string

// Kinds of actors.
const (
	// Anonymous is an unidentified client, for example after a failed sign-in or client
	// authentication.
	Anonymous Kind = "anonymous"
	// Person is a person in a browser session.
	Person Kind = "person"
	// App is an authenticated OAuth client or the holder of a token.
	App    Kind = "app"
	APIKey Kind = "api_key"
	// Operator is a user of vitaectl.
	Operator Kind = "operator"
	// Service is any other internal caller.
	Service Kind = "service"
)

// Kinds lists all kinds of actors.
var Kinds = []Kind{Anonymous, Person, App, APIKey, Operator, Service}

// Actor identifies the person, app, key or service that acted.
type Actor struct {
	Kind Kind `json:"kind"`
	// ID is the id of the person, app or key. It is empty for other kinds.
	ID string `json:"id,omitempty"`
}

// Object is the target of an action.
type Object struct {
	// Type is the type of object, for example "api_key", or "" if unknown.
	Type string `json:"type,omitempty"`
	// ID is empty if no object was created or named.
	ID string `json:"id,omitempty"`
}

// Event is an entry in the audit log. Outboxes store it as JSON, which a different release may
// read, so the JSON names must not change.
type Event struct {
	// ID is unique and has the prefix "evt_".
	ID string `json:"id"`
	// At is the time of the event. If it is zero, the time at which the event is stored is used.
	At      time.Time `json:"at,omitzero"`
	Action  Action    `json:"action"`
	Outcome Outcome   `json:"outcome"`
	// Code is the error code of a refused action.
	Code  string `json:"code,omitempty"`
	Actor Actor  `json:"actor"`
	// Caller is the name in the certificate of the calling service.
	Caller string `json:"caller"`
	// AccountID, AppID and PersonID identify the account, app and person that the event concerns,
	// including the actor. Each may be empty.
	AccountID string `json:"account_id,omitempty"`
	AppID     string `json:"app_id,omitempty"`
	PersonID  string `json:"person_id,omitempty"`
	Object    Object `json:"object"`
	// ClientAddress is the client's IP address as seen by the gateway, or the caller's IP address
	// if the call did not come through the gateway.
	ClientAddress string `json:"client_address,omitempty"`
	RequestID     string `json:"request_id,omitempty"`
	// Details holds short facts, keyed by the names below.
	Details map[string]string `json:"details,omitempty"`
}

// Names of details.
const (
	// Scopes are the granted or issued scopes, separated by spaces.
	Scopes = "scopes"
	// Plan, PerMinute and PerDay are the new limits of an account.
	Plan      = "plan"
	PerMinute = "per_minute"
	PerDay    = "per_day"
	// Sharing is the new state of CV sharing, "on" or "off".
	Sharing = "cv_sharing"
	// The values of ShareEmail, ShareContact and SharePhoto are the new states of permissions, and
	// the value of Paused is the new state of a connection. All are "on" or "off".
	ShareEmail   = "share_email"
	ShareContact = "share_contact"
	SharePhoto   = "share_photo"
	Paused       = "paused"
	// Kept is "yes" if a consent did not change the connection.
	Kept = "kept"
	// EndsAt is the new expiry time of the access, or Never.
	EndsAt = "ends_at"
	// Status is the new status of a job or an application.
	Status = "status"
	// Secret is the id of the new client secret. EndedSecrets lists the ids of the secrets that
	// were revoked immediately, separated by spaces.
	Secret       = "secret"
	EndedSecrets = "ended_secrets"
	// Role is the new role of a member, or the role in an invitation.
	Role = "role"
	// Browser and System describe the person's browser, with names that the gateway recognizes.
	Browser = "browser"
	System  = "system"
	// Repeated is the number of identical refusals for which no separate events were stored.
	Repeated = "repeated"
)

// details maps the name of each detail to its format. No format accepts free text.
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

// Never is the value of EndsAt for access that does not expire.
const Never = "never"

// secretID is the format of a client secret's id. Ids created by a migration contain a UUID in
// hexadecimal.
const secretID = `sec_([0-9a-v]{26}|[0-9a-f]{32})`

// Formats of an error code, an object type, a certificate name, a number and a switch. An error
// code contains an underscore, which distinguishes it from session secrets.
var (
	code     = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,30}(_[A-Z0-9]{1,30}){1,5}$`)
	object   = regexp.MustCompile(`^[a-z][a-z_]{0,31}$`)
	name     = regexp.MustCompile(`^[a-z0-9][a-z0-9./-]{0,63}$`)
	number   = regexp.MustCompile(`^[0-9]{1,10}$`)
	switched = regexp.MustCompile(`^(on|off)$`)
)

// Clean returns e without the values that do not have the allowed format. Callers send ids, and
// someone may have typed a secret where an id was expected.
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

// ID returns s if it has the format of an id, and "" otherwise.
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
