package app_test

import (
	"context"
	"maps"
	"testing"

	"google.golang.org/protobuf/types/known/durationpb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Of a secret that was stolen one has to find when it was made and when it ended.
func TestTheEventsOfClientSecretsNameTheSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	var app *authv1.App
	made := w.traced(func(ctx context.Context) {
		resp, err := w.developers.CreateApp(ctx, &authv1.CreateAppRequest{
			AccountId: account, Name: "n", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
			RedirectUris: []string{redirectURI}, Scopes: []string{"profile"},
		})
		w.must(err)
		app = resp.GetApp()
	})
	// live are the ids of the live secrets, newest first.
	live := func() (ids []string) {
		for _, s := range w.secrets(client{app: app}) {
			ids = append(ids, s.GetId())
		}
		return ids
	}
	rotate := func(req *authv1.RotateClientSecretRequest) []*authv1.AuditEvent {
		req.AppId = app.GetId()
		return w.traced(func(ctx context.Context) {
			_, err := w.developers.RotateClientSecret(ctx, req)
			w.must(err)
		})
	}
	expect := func(name string, events []*authv1.AuditEvent, action, objectType, object string, details map[string]string) {
		t.Helper()
		w.expect(name, events, trail{
			action: action, kind: operator, caller: "vitaectl", address: "127.0.0.1", account: account, app: app.GetId(),
			objectType: objectType, object: object,
		})
		if len(events) == 1 && !maps.Equal(events[0].GetDetails(), details) {
			t.Errorf("%s: details %v, want %v", name, events[0].GetDetails(), details)
		}
	}
	first := live()[0]
	expect("create app", made, "app.create", "app", app.GetId(), map[string]string{"scopes": "profile", "secret": first})
	overlapping := rotate(&authv1.RotateClientSecretRequest{Overlap: durationpb.New(day)})
	second := live()[0]
	expect("add a secret", overlapping, "app.rotate_secret", "app", app.GetId(), map[string]string{"secret": second})
	third := rotate(&authv1.RotateClientSecretRequest{Overlap: durationpb.New(day), EndOlder: true})
	expect("add a secret and end the older", third, "app.rotate_secret", "app", app.GetId(),
		map[string]string{"secret": live()[0], "ended_secrets": first})
	newest := live()[0]
	expect("delete a secret", w.traced(func(ctx context.Context) {
		_, err := w.developers.DeleteClientSecret(ctx, &authv1.DeleteClientSecretRequest{Id: second})
		w.must(err)
	}), "app.delete_secret", "client_secret", second, map[string]string{"ended_secrets": second})
	rotated := rotate(&authv1.RotateClientSecretRequest{})
	expect("replace a secret", rotated, "app.rotate_secret", "app", app.GetId(), map[string]string{"secret": live()[0], "ended_secrets": newest})
}
