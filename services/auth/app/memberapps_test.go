package app_test

import (
	"testing"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMembersCannotSetOperatorFields(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	e := w.estate(c, false)
	developers, ctx := authv1.NewDeveloperServiceClient(w.gateway), w.by(c.sessions[asOwner])
	creation := &authv1.CreateAppRequest{
		AccountId: e.account, Name: "App", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL, Legacy: true, LogoUrl: "https://elsewhere.example/logo.png",
	}
	_, err := developers.CreateApp(ctx, creation)
	wantFields(t, err, "logo_url", "legacy")
	w.must(second(w.developers.CreateApp(t.Context(), creation)))
	update := &authv1.UpdateAppRequest{Id: e.app, LogoUrl: creation.GetLogoUrl(), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"logo_url"}}}
	_, err = developers.UpdateApp(ctx, update)
	wantFields(t, err, "logo_url")
	w.must(second(w.developers.UpdateApp(t.Context(), update)))
	update.LogoUrl = ""
	w.must(second(developers.UpdateApp(ctx, update)))
}

func TestMemberConfirmsAppDeletionWithName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	e := w.estate(c, false)
	developers, ctx := authv1.NewDeveloperServiceClient(w.gateway), w.by(c.sessions[asDeveloper])
	for _, typed := range []string{"", "app"} {
		_, err := developers.DeleteApp(ctx, &authv1.DeleteAppRequest{Id: e.app, ConfirmName: typed})
		wantFields(t, err, "confirm_name")
	}
	w.must(second(developers.DeleteApp(ctx, &authv1.DeleteAppRequest{Id: e.app, ConfirmName: "App"})))
	_, err := developers.GetApp(ctx, &authv1.GetAppRequest{Id: e.app})
	wantCode(t, err, "APP_NOT_FOUND")
}

func TestMemberIsNamedAsCreator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	e := w.estate(c, false)
	developers, ctx, maker := authv1.NewDeveloperServiceClient(w.gateway), w.by(c.sessions[asOwner]), c.people[asOwner].id
	made, err := developers.CreateApp(ctx, &authv1.CreateAppRequest{AccountId: e.account, Name: "App", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL})
	w.must(err)
	app := made.GetApp().GetId()
	key, err := developers.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: app, Name: "Key", Scopes: []string{"jobs:read"}})
	w.must(err)
	secrets, err := developers.ListClientSecrets(ctx, &authv1.ListClientSecretsRequest{AppId: app})
	w.must(err)
	asked, err := developers.RequestPlan(ctx, &authv1.RequestPlanRequest{AccountId: e.account, Plan: elevated, Reason: "We go live."})
	w.must(err)
	for what, by := range map[string]string{
		"app": made.GetApp().GetCreatedBy(), "key": key.GetApiKey().GetCreatedBy(), "secret": secrets.GetSecrets()[0].GetCreatedBy(),
		"plan request": asked.GetPlanRequest().GetCreatedBy(),
	} {
		if by != maker {
			t.Errorf("the %s was created by %q", what, by)
		}
	}
}

// Deleting the console's app ends all console sessions. A new app is then created for the console.
func TestDeletedConsoleAppIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	session, app := w.signInToConsole(p), w.consoleApp().app.GetId()
	w.must(second(w.developers.DeleteApp(t.Context(), &authv1.DeleteAppRequest{Id: app})))
	_, err := w.whoIs(session)
	wantCode(t, err, "SESSION_ENDED")
	if w.consoleApp().app.GetId() == app {
		t.Error("the deleted app still works")
	}
	w.must(second(w.whoIs(w.signInToConsole(p))))
}
