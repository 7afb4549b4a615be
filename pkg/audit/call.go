package audit

import (
	"context"
	"maps"
	"slices"
	"sync"

	"vitae.internal/pkg/id"
)

// About holds facts that a part of the service adds to an event. Zero fields are ignored.
type About struct {
	// Action overrides the action of the method.
	Action Action
	// By is the actor of a call that came through the gateway. It is ignored for other callers,
	// because they are the actors.
	By Actor
	// AccountID, AppID and PersonID identify the account, app and person that the event concerns.
	AccountID, AppID, PersonID string
	// Elsewhere clears the account and app named in the call, because they do not belong to the
	// actor and the event must not appear in their logs.
	Elsewhere bool
	// ObjectID is the id of the object, whose type comes from the method. Object overrides both.
	ObjectID string
	Object   Object
	Details  map[string]string
}

// ByPerson returns an actor for a person.
func ByPerson(personID string) Actor { return Actor{Kind: Person, ID: personID} }

// ByApp returns an actor for an app.
func ByApp(appID string) Actor { return Actor{Kind: App, ID: appID} }

// ByKey returns an actor for an API key.
func ByKey(keyID string) Actor { return Actor{Kind: APIKey, ID: keyID} }

// Call collects the audit events of an RPC while it is served. The server creates it; the handler,
// the use cases and the store add details.
//
// It is passed in the context, like a trace span, because gRPC passes a handler only a context and
// a request. Services write to it but never read it: no decision or result may depend on it. A nil
// *Call, as in a background job, discards all events and is safe to use. A Call is safe for
// concurrent use.
type Call struct {
	mu sync.Mutex
	// base is the template for every event of the call.
	base Event
	// stored lists the committed events.
	stored []Event
	// skipped reports whether the call is exempt from the audit log.
	skipped bool
	// refusal is the error code of a call that was refused without returning an error.
	refusal string
}

// NewCall returns a Call. base contains the action, the caller, the client address, the request id
// and the ids to which the credential belongs.
func NewCall(base Event) *Call { return &Call{base: base} }

type callKey struct{}

// NewContext returns a copy of ctx that carries c.
func NewContext(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// FromContext returns the Call in ctx, or nil if the RPC is not audited.
func FromContext(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Note adds details to all later events of the call, including the event for a failure.
func (c *Call) Note(a About) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = with(c.base, a)
}

// Event returns a new event of the call. The code that commits the event must call Stored.
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

// Stored records that the events were committed.
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

// Skip exempts the call from the audit log, for example a dry run or a read from the console.
func (c *Call) Skip() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skipped = true
}

// Refuse records that the call was refused with an error code although it returns no error.
func (c *Call) Refuse(code string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusal = code
}

// Result holds what a Call collected.
type Result struct {
	// Stored lists the committed events.
	Stored []Event
	// Skipped reports whether the call is exempt from the audit log.
	Skipped bool
	// Refusal is the code set by Refuse, or "" if unset.
	Refusal string
}

// Result returns what the Call collected. The server calls it after the handler returns.
func (c *Call) Result() Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Result{Stored: slices.Clone(c.stored), Skipped: c.skipped, Refusal: c.refusal}
}

// Acting returns the id of the app that authenticated in the call (with a secret, a code or a
// token) and the id of its account. Both are empty if no app authenticated.
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

// Ended returns the event for the end of the call. The outcome is Refused if refusal contains an
// error code, and Done if it is empty.
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

// Transaction collects the events written in a database transaction. They count as stored once it
// commits. A nil Transaction collects nothing.
type Transaction struct {
	call   *Call
	events []Event
}

// Transaction returns a Transaction for the events of a database transaction that is about to
// start.
func (c *Call) Transaction() *Transaction {
	if c == nil {
		return nil
	}
	return &Transaction{call: c}
}

// Event returns a new event, which must be written in the transaction.
func (t *Transaction) Event(a About) Event {
	e := t.call.Event(a)
	t.events = append(t.events, e)
	return e
}

// Committed marks the events as stored. It is called after the transaction commits.
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

// Gateway is the name of the caller that acts on behalf of people and apps. All other callers act
// for themselves.
const Gateway = "gateway"
