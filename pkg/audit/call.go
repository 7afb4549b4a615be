package audit

import (
	"context"
	"maps"
	"slices"
	"sync"

	"vitae.internal/pkg/id"
)

// About is what a part of a service knows about the event of a call. Zero fields say
// nothing.
type About struct {
	// Action replaces the action of the method.
	Action Action
	// By is who acts, if the call came through the gateway. Otherwise it is the caller.
	By Actor
	// AccountID, AppID and PersonID are whom the event concerns.
	AccountID, AppID, PersonID string
	// Elsewhere says that the call named an account, or an app, of others, whom it does not
	// concern: what a stranger tries is not told there.
	Elsewhere bool
	// ObjectID is the id of what is acted on; its type is the method's. With Object both
	// are replaced.
	ObjectID string
	Object   Object
	Details  map[string]string
}

// ByPerson, ByApp and ByKey are the actors of About.
func ByPerson(personID string) Actor { return Actor{Kind: Person, ID: personID} }

// ByApp is an app that acts.
func ByApp(appID string) Actor { return Actor{Kind: App, ID: appID} }

// ByKey is an API key that acts.
func ByKey(keyID string) Actor { return Actor{Kind: APIKey, ID: keyID} }

// Call is a call while it is served, for the events that the audit log has of it. The
// server makes it. The handler, the use cases and the store each know something that
// belongs into an event, and say it here.
//
// It travels in the context, as the span of a trace does, because gRPC gives a handler
// nothing but a context and a request. Services write to it and never read it: nothing that
// they decide or answer depends on it. A nil *Call is one that has no events, as in a job,
// and can be used like any other. It is safe for use by several goroutines.
type Call struct {
	mu sync.Mutex
	// base is what every event of the call starts from.
	base Event
	// stored are the events that were committed.
	stored []Event
	// skipped says that the call has no events.
	skipped bool
	// refusal is the code of a refusal that the call answers without an error.
	refusal string
}

// NewCall makes a call. base has the action, the caller, the address, the request id, and
// what the credential of the call says.
func NewCall(base Event) *Call { return &Call{base: base} }

type callKey struct{}

// NewContext gives a context with the call.
func NewContext(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// FromContext is the call that is served, nil if the audit log has no events of it.
func FromContext(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Note adds what is known about the call. Later events have it too, so that a refusal
// says whom it concerns.
func (c *Call) Note(a About) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = with(c.base, a)
}

// Event gives an event of something that the call has done. Whoever commits it tells
// Stored.
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

// Stored says that events were committed.
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

// Skip says that the call has no events: it is a dry run, or a read of the console.
func (c *Call) Skip() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skipped = true
}

// Refuse says that the call is refused, with a code, although it is answered without an
// error.
func (c *Call) Refuse(code string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusal = code
}

// Result is what a call has told about itself when it ends.
type Result struct {
	// Stored are the events that were committed.
	Stored []Event
	// Skipped is true if the call has no events.
	Skipped bool
	// Refusal is the code of a refusal without an error; empty if there was none.
	Refusal string
}

// Result is for the server, after the call.
func (c *Call) Result() Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Result{Stored: slices.Clone(c.stored), Skipped: c.skipped, Refusal: c.refusal}
}

// Acting is the app that has proven itself in the call, by a secret or by a code or token
// that is its own, and the account that owns it. Both are empty if none has.
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

// Ended gives an event that says how the call ended: it was refused with the code, or,
// without one, has succeeded.
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

// Transaction are the events of one transaction of a call: they are stored if it is
// committed. nil is one whose call has no events.
type Transaction struct {
	call   *Call
	events []Event
}

// Transaction begins the events of a transaction.
func (c *Call) Transaction() *Transaction {
	if c == nil {
		return nil
	}
	return &Transaction{call: c}
}

// Event gives the event of what the transaction does. Write it there.
func (t *Transaction) Event(a About) Event {
	e := t.call.Event(a)
	t.events = append(t.events, e)
	return e
}

// Committed says that the transaction was committed.
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

// Gateway is the caller that acts for people and apps. Every other caller acts for
// itself.
const Gateway = "gateway"
