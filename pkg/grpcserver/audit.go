package grpcserver

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// auditTable maps the full name of each method to its audit rule. Exempt methods are not in it.
type auditTable map[string]auditRule

// auditRule is the parsed audit option of a method.
type auditRule struct {
	action audit.Action
	object string
	// id is the path of the request field that contains the id of the object.
	id                         []protoreflect.FieldDescriptor
	internalOnly, refusalsOnly bool
}

// recordTimeout limits how long recording an event may take. Refusals are recorded even if the
// caller has disconnected.
const recordTimeout = 2 * time.Second

// newAuditTable returns the audit rules of every method of s. A method without an audit option is a
// programming error: someone forgot to decide whether it is audited.
func newAuditTable(s *grpc.Server) (auditTable, error) {
	table := auditTable{}
	err := eachMethod(s, func(name string, m protoreflect.MethodDescriptor) error {
		rule, exempt, err := newAuditRule(m)
		if err == nil && !exempt {
			table[name] = rule
		}
		return err
	})
	return table, err
}

func newAuditRule(m protoreflect.MethodDescriptor) (rule auditRule, exempt bool, err error) {
	option, _ := proto.GetExtension(m.Options(), optionsv1.E_Audit).(*optionsv1.Audit)
	if exempt = option.GetExempt() != ""; exempt != (option.GetAction() == "") {
		return rule, false, fmt.Errorf("grpcserver: method %s must have either an audited action or a reason for an exemption", m.FullName())
	}
	if exempt {
		return rule, true, nil
	}
	rule = auditRule{
		action: audit.Action(option.GetAction()), object: option.GetObject(),
		internalOnly: option.GetInternalOnly(), refusalsOnly: option.GetRefusalsOnly(),
	}
	if !rule.action.Known() {
		return rule, false, fmt.Errorf("grpcserver: method %s has the unknown action %q", m.FullName(), rule.action)
	}
	if option.GetIdField() == "" {
		return rule, false, nil
	}
	message := m.Input()
	for part := range strings.SplitSeq(option.GetIdField(), ".") {
		if message == nil || message.Fields().ByName(protoreflect.Name(part)) == nil {
			return rule, false, fmt.Errorf("grpcserver: the request of method %s has no field %s", m.FullName(), option.GetIdField())
		}
		f := message.Fields().ByName(protoreflect.Name(part))
		rule.id, message = append(rule.id, f), f.Message()
	}
	if rule.id[len(rule.id)-1].Kind() != protoreflect.StringKind {
		return rule, false, fmt.Errorf("grpcserver: the field %s of method %s is not a string", option.GetIdField(), m.FullName())
	}
	return rule, false, nil
}

// audited serves a call and records an event before the response is sent. If serve succeeded and
// neither the store nor audited could store an event, the call fails, so that no read goes
// unrecorded. A stream that has sent a message is recorded regardless of its result, in particular
// if the caller disconnects after reading.
func (s *Server) audited(ctx context.Context, method string, req any, serve func(context.Context) (any, error)) (any, error) {
	rule, listed := s.audits[method]
	caller := Caller(ctx)
	// Reads from the console are recorded only if they are refused, because a page that follows the
	// request log reads every few seconds.
	quiet := rule.internalOnly && caller == audit.Gateway
	if !listed || quiet && s.access[method].member == nil || isDryRun(req) {
		resp, err := serve(ctx)
		if errs.HasCode(err, codeCaller) {
			s.recordAttempt(ctx, caller, rule, req)
		}
		return resp, err
	}
	call := audit.NewCall(rule.event(ctx, caller, req))
	ctx = audit.NewContext(ctx, call)
	resp, err := serve(ctx)
	result := call.Result()
	sendActing(ctx, caller, call)
	if result.Skipped {
		return resp, err
	}
	for _, e := range result.Stored {
		audit.Log(ctx, s.log, e)
	}
	switch refusal := cmp.Or(refusalOf(err), result.Refusal); {
	case refusal != "" && resp != begun:
		if fault := s.record(context.WithoutCancel(ctx), call.Ended(refusal)); fault != nil {
			s.log.ErrorContext(ctx, "cannot record a refusal in the audit log", "method", method, "request_id", requestIDOf(ctx), "error", fault)
		}
	case (err == nil || resp == begun) && len(result.Stored) == 0 && !rule.refusalsOnly && !quiet:
		if resp == begun {
			ctx = context.WithoutCancel(ctx)
		}
		if fault := s.record(ctx, call.Ended("")); fault != nil {
			return nil, errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").WithCause(fault)
		}
	}
	return resp, err
}

// begun is the response that audited receives for a stream that has sent a message.
const begun = streamState("begun")

// streamState is the progress of a stream.
type streamState string

// forgetRead exempts a permitted read from the console from the audit log. A missing object or an
// invalid field does not count as a refusal (behaviour: audit#actions).
func (s *Server) forgetRead(ctx context.Context, method string) {
	if s.audits[method].internalOnly && Caller(ctx) == audit.Gateway {
		audit.FromContext(ctx).Skip()
	}
}

// sendActing sends the gateway the app that authenticated in the call, for the log line of the
// request. It does so even if the call fails. The gateway already knows what other credentials
// identify.
func sendActing(ctx context.Context, caller string, call *audit.Call) {
	if appID, accountID := call.Acting(); appID != "" && caller == audit.Gateway {
		// It fails if there is no stream, as in a test without a server.
		_ = grpc.SetTrailer(ctx, grpcx.Acting{AppID: appID, AccountID: accountID}.Trailer())
	}
}

// recordAttempt records that a caller tried to call a method that it may not call, even if the
// method is not audited. This can reveal the use of a stolen certificate.
func (s *Server) recordAttempt(ctx context.Context, caller string, rule auditRule, req any) {
	if rule.action == "" {
		rule = auditRule{action: audit.MethodCall}
	}
	tried := audit.NewCall(rule.event(ctx, caller, req)).Ended(codeCaller)
	if fault := s.record(context.WithoutCancel(ctx), tried); fault != nil {
		s.log.ErrorContext(ctx, "cannot record a refusal in the audit log", "request_id", requestIDOf(ctx), "error", fault)
	}
}

// refusalOf returns the error code of a refused call. It returns "" for success and for internal
// errors and outages, which are in the structured log.
func refusalOf(err error) string {
	e, ok := errs.As(err)
	if !ok || e.Kind == errs.Internal || e.Kind == errs.Unavailable {
		return ""
	}
	return e.Code
}

func (s *Server) record(ctx context.Context, e audit.Event) error {
	audit.Log(ctx, s.log, e)
	if s.events == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return s.events.Record(ctx, e)
}

// event returns an event with the facts that are known before the call is served.
func (r auditRule) event(ctx context.Context, caller string, req any) audit.Event {
	e := audit.Event{
		Action: r.action, Caller: caller, Actor: audit.Actor{Kind: audit.Service}, RequestID: grpcx.IncomingRequestID(ctx),
		ClientAddress: clientAddress(ctx), Object: audit.Object{Type: r.object, ID: r.idOf(req)},
	}
	switch {
	case caller == audit.Gateway:
		e.Actor.Kind = audit.Anonymous
	case mtls.IsOperator(caller):
		e.Actor.Kind = audit.Operator
	}
	switch r.object {
	case "account":
		e.AccountID = e.Object.ID
	case "app":
		e.AppID = e.Object.ID
	case "person", "profile":
		e.PersonID = e.Object.ID
	}
	return e
}

func (r auditRule) idOf(req any) string {
	m, ok := req.(proto.Message)
	if !ok || len(r.id) == 0 {
		return ""
	}
	at := m.ProtoReflect()
	for _, f := range r.id[:len(r.id)-1] {
		at = at.Get(f).Message()
	}
	return at.Get(r.id[len(r.id)-1]).String()
}

// noteHolder adds the holder of the credential to the audit events of the call.
func noteHolder(ctx context.Context) {
	p := principal.FromContext(ctx)
	if p == nil {
		return
	}
	by := audit.ByApp(p.GetAppId())
	if p.GetKind() == identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY {
		by = audit.ByKey(p.GetApiKeyId())
	}
	audit.FromContext(ctx).Note(audit.About{By: by, AccountID: p.GetAccountId(), AppID: p.GetAppId(), PersonID: p.GetPersonId()})
}
