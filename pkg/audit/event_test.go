package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

// People type passwords into email fields, and operators pass keys as ids.
func TestCleanRemovesFreeText(t *testing.T) {
	for _, secret := range []string{
		credential.New(credential.APIKey), credential.New(credential.RefreshToken), "correct horse battery", "Tr0ub4dor&3", "hunter2",
		"a@example.com", strings.Repeat("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2), "usr_short", "svc_sk_x", id.New("usr") + "x", "master2", "../../etc/passwd", "\x00",
	} {
		e := audit.Event{
			Code: secret, Actor: audit.Actor{ID: secret}, AccountID: secret, AppID: secret, PersonID: secret,
			Object: audit.Object{ID: secret}, ClientAddress: secret, RequestID: secret,
			Details: map[string]string{
				secret: "x", "password": secret, audit.Scopes: secret, audit.Plan: secret, audit.PerMinute: secret,
				audit.PerDay: secret, audit.Sharing: secret, audit.ShareEmail: secret, audit.ShareContact: secret, audit.SharePhoto: secret,
				audit.Paused: secret, audit.Kept: secret, audit.EndsAt: secret, audit.Status: secret, audit.Repeated: secret, audit.Secret: secret, audit.EndedSecrets: secret,
			},
		}.Clean()
		if e.Code+e.Actor.ID+e.AccountID+e.AppID+e.PersonID+e.Object.ID+e.ClientAddress+e.RequestID != "" || len(e.Details) != 0 {
			t.Errorf("%q was not removed: %+v", secret, e)
		}
	}
}

func TestCleanKeepsValidFields(t *testing.T) {
	e := audit.Event{
		Code: "OAUTH_INVALID_GRANT", Actor: audit.Actor{Kind: audit.Person, ID: id.New("usr")}, Caller: "internal/payroll",
		AccountID: id.New("dev"), AppID: id.New("app"), PersonID: id.New("usr"), Object: audit.Object{Type: "api_key", ID: id.New("key")},
		ClientAddress: "2001:db8::1", RequestID: id.New("req"),
		Details: map[string]string{audit.Scopes: "profile cv:read", audit.Plan: "custom", audit.PerMinute: "300"},
	}
	got := e.Clean()
	if got.Code != e.Code || got.Actor != e.Actor || got.Caller != e.Caller || got.AccountID != e.AccountID || got.AppID != e.AppID ||
		got.PersonID != e.PersonID || got.Object != e.Object || got.ClientAddress != e.ClientAddress || got.RequestID != e.RequestID || len(got.Details) != 3 {
		t.Errorf("Clean(%+v) = %+v", e, got)
	}
	if mapped := (audit.Event{ClientAddress: "::ffff:192.0.2.1"}).Clean(); mapped.ClientAddress != "192.0.2.1" {
		t.Errorf("an IPv4-mapped address became %q", mapped.ClientAddress)
	}
}

// A migration assigned ids in a different format to client secrets created before secrets had ids.
func TestCleanKeepsClientSecretIDs(t *testing.T) {
	for _, secret := range []string{id.New("sec"), "sec_0197a1b2c3d47e5f8a9b0c1d2e3f4a5b"} {
		e := audit.Event{
			Object:  audit.Object{Type: "client_secret", ID: secret},
			Details: map[string]string{audit.Secret: secret, audit.EndedSecrets: secret + " " + secret},
		}
		if got := e.Clean(); got.Object != e.Object || len(got.Details) != 2 {
			t.Errorf("%s: %+v", secret, got)
		}
	}
}

// Outboxes store events as JSON, which must remain readable after an upgrade or downgrade.
func TestEventJSONIsStable(t *testing.T) {
	const stored = `{"id":"evt_1","at":"2026-03-01T09:00:00Z","action":"cv.read","outcome":"refused","code":"CV_NOT_FOUND",` +
		`"actor":{"kind":"service","id":"usr_1"},"caller":"internal/payroll","account_id":"dev_1","app_id":"app_1","person_id":"usr_2",` +
		`"object":{"type":"cv","id":"cv_1"},"client_address":"192.0.2.1","request_id":"req_1","details":{"status":"active"}}`
	var e audit.Event
	decoder := json.NewDecoder(strings.NewReader(stored))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		t.Fatal(err)
	}
	if raw, err := json.Marshal(e); err != nil || string(raw) != stored {
		t.Errorf("stored %s\ngot %s, %v", stored, raw, err)
	}
}
