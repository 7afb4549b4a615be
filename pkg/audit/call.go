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

// Call is a call that the audit log has events of. It is safe for use by several
// goroutines.
type Call struct {
	mu sync.Mutex
	// base is what every event of the call starts from.
	base Event
	// pending were taken for a transaction that has not been committed; stored were.
	pending, stored []Event
	// skipped says that the call has no events.
	skipped bool
	// refusal is the code of a refusal that the call answers without an error.
	refusal string
}

type callKey struct{}

// Begin starts to follow a call. base has the action, the caller, the address, the
// request id, and what the credential of the call says.
func Begin(ctx context.Context, base Event) (context.Context, *Call) {
	c := &Call{base: base}
	return context.WithValue(ctx, callKey{}, c), c
}

// of gives the call of ctx. A context without one, as in a job, has a call without a
// method.
func of(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{base: Event{Actor: Actor{Kind: Service}}}
}

// Followed reports whether the audit log has events of the call of ctx.
func Followed(ctx context.Context) bool {
	_, is := ctx.Value(callKey{}).(*Call)
	return is
}

// Note adds what is known about the call. Later events have it too, so that a refusal
// says whom it concerns.
func Note(ctx context.Context, a About) {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = with(c.base, a)
}

// Succeeded gives the event of something that the call has done. Write it in the
// transaction that does it, and give how that ended to Settled.
func Succeeded(ctx context.Context, a About) Event {
	e := Prepare(ctx, a)
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = append(c.pending, e)
	return e
}

// Prepare is Succeeded for a statement that writes the event itself, and only finds out
// whether there is anything to do. Call Stored with the event if there was.
func Prepare(ctx context.Context, a About) Event {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := with(c.base, a)
	e.ID, e.Outcome = id.New("evt"), Done
	return e.Clean()
}

// Stored says that a statement has committed an event.
func Stored(ctx context.Context, e Event) {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stored = append(c.stored, e.Clean())
}

// Settled takes how a transaction with events ended, and gives its error back.
func Settled(ctx context.Context, err error) error {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.stored = append(c.stored, c.pending...)
	}
	c.pending = nil
	return err
}

// Skip says that the call has no events: it is a dry run.
func Skip(ctx context.Context) {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skipped = true
}

// Skipped reports whether Skip was called.
func (c *Call) Skipped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

// Refuse says that the call is refused, with a code, although it is answered without an
// error.
func Refuse(ctx context.Context, code string) {
	c := of(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusal = code
}

// Refusal is the code of Refuse, empty if it was not called.
func (c *Call) Refusal() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refusal
}

// Stored are the events that were committed.
func (c *Call) Stored() []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.stored)
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

// CLI is the caller by which operators act.
const CLI = "vitaectl"
