package audit

import (
	"context"
	"maps"
	"slices"
	"sync"

	"vitae.internal/pkg/id"
)

// About is what part of a service knows about an event. Zero fields are ignored.
type About struct {
	// Action replaces the action of the method.
	Action Action
	// By is who acted, if the call came through the gateway. Otherwise, the caller acted.
	By Actor
	// AccountID, AppID and PersonID are whom the event concerns.
	AccountID, AppID, PersonID string
	// Elsewhere removes the account and app named in the call, because they are not the actor's:
	// the event must not appear in their logs.
	Elsewhere bool
	// ObjectID is the id of the object, whose type comes from the method. Object replaces both.
	ObjectID string
	Object   Object
	Details  map[string]string
}

// ByPerson returns a person as the actor.
func ByPerson(personID string) Actor { return Actor{Kind: Person, ID: personID} }

// ByApp returns an app as the actor.
func ByApp(appID string) Actor { return Actor{Kind: App, ID: appID} }

// ByKey returns an API key as the actor.
func ByKey(keyID string) Actor { return Actor{Kind: APIKey, ID: keyID} }

// Call collects the events of a call while it is served. The server creates it; the handler, the
// use cases and the store add what they know.
//
// It is part of the context, like the span of a trace, because gRPC passes a handler only a context
// and a request. Services write to it but never read it: nothing that they decide or return may
// depend on it. A nil *Call, as in a background job, has no events and can be used like any other.
// A Call is safe for concurrent use.
type Call struct {
	mu sync.Mutex
	// base is the template of every event of the call.
	base Event
	// stored are the committed events.
	stored []Event
	// skipped is set if the call has no events.
	skipped bool
	// refusal is the error code of a call that failed without returning an error.
	refusal string
}

// NewCall returns a Call. base contains the action, the caller, the client address, the request id
// and what the credential identifies.
func NewCall(base Event) *Call { return &Call{base: base} }

type callKey struct{}

// NewContext returns a context with the call.
func NewContext(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// FromContext returns the current call, or nil if the audit log has no events for it.
func FromContext(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Note adds information to the call. All later events contain it, including that of a failure.
func (c *Call) Note(a About) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = with(c.base, a)
}

// Event returns an event of the call. The code that commits it must call Stored.
func (c *Call) Event(a About) Event {
	e := Event{Actor: Actor{Kind: Service}}
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		e = c.base
	}
	e = with(e, a)
	e.ID, e.Outcome = id.New("evt"), Done
	return e.Clean()
}

// Stored records that events were committed.
func (c *Call) Stored(events ...Event) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range events {
		c.stored = append(c.stored, e.Clean())
	}
}

// Skip marks a call without events: a dry run, or a read from the console.
func (c *Call) Skip() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skipped = true
}

// Refuse marks a call as refused with an error code, although it returns no error.
func (c *Call) Refuse(code string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusal = code
}

// Result is what was collected during a call.
type Result struct {
	// Stored are the committed events.
	Stored []Event
	// Skipped reports whether the call has no events.
	Skipped bool
	// Refusal is the code of a refusal without an error, or empty.
	Refusal string
}

// Result returns what was collected. The server calls it after the call.
func (c *Call) Result() Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Result{Stored: slices.Clone(c.stored), Skipped: c.skipped, Refusal: c.refusal}
}

// Acting returns the app that authenticated in the call with a secret, code or token, and its
// account. Both are empty if no app did.
func (c *Call) Acting() (appID, accountID string) {
	if c == nil {
		return "", ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range append([]Event{c.base}, c.stored...) {
		if e.Actor.Kind == App {
			return e.AppID, e.AccountID
		}
	}
	return "", ""
}

// Ended returns the event for the end of the call: refused with a code, or succeeded if the code is
// empty.
func (c *Call) Ended(refusal string) Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.base
	e.ID, e.Outcome, e.Code = id.New("evt"), Done, refusal
	if refusal != "" {
		e.Outcome = Refused
	}
	return e.Clean()
}

// Transaction collects the events of one transaction. They count as stored when it is committed. A
// nil Transaction has no events.
type Transaction struct {
	call   *Call
	events []Event
}

// Transaction starts the events of a transaction.
func (c *Call) Transaction() *Transaction {
	if c == nil {
		return nil
	}
	return &Transaction{call: c}
}

// Event returns an event, which must be written in the transaction.
func (t *Transaction) Event(a About) Event {
	e := t.call.Event(a)
	t.events = append(t.events, e)
	return e
}

// Committed records that the transaction was committed.
func (t *Transaction) Committed() {
	if t != nil {
		t.call.Stored(t.events...)
	}
}

func with(e Event, a About) Event {
	set := func(to *string, value string) {
		if value != "" {
			*to = value
		}
	}
	if a.Action != "" {
		e.Action = a.Action
	}
	if a.By.Kind != "" && e.Caller == Gateway {
		e.Actor = a.By
	}
	if a.Elsewhere {
		e.AccountID, e.AppID = "", ""
	}
	set(&e.AccountID, a.AccountID)
	set(&e.AppID, a.AppID)
	set(&e.PersonID, a.PersonID)
	set(&e.Object.Type, a.Object.Type)
	set(&e.Object.ID, a.Object.ID)
	set(&e.Object.ID, a.ObjectID)
	if len(a.Details) > 0 {
		e.Details = maps.Clone(e.Details)
		if e.Details == nil {
			e.Details = map[string]string{}
		}
		maps.Copy(e.Details, a.Details)
	}
	return e
}

// Gateway is the caller that acts for people and apps. All other callers act for themselves.
const Gateway = "gateway"
