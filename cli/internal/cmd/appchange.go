package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type listedApp struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	ClientID      string   `json:"clientId"`
	ClientSecret  string   `json:"clientSecret,omitempty"`
	ClientType    string   `json:"clientType"`
	State         string   `json:"state,omitempty"`
	Connections   *int64   `json:"connections,omitempty"`
	Description   string   `json:"description"`
	Homepage      string   `json:"homepage"`
	PrivacyPolicy string   `json:"privacyPolicy"`
	Terms         string   `json:"terms"`
	Support       string   `json:"support"`
	LogoURL       string   `json:"logoUrl"`
	LogoVersion   string   `json:"logoVersion"`
	RedirectURIs  []string `json:"redirectUris"`
	Scopes        []string `json:"scopes"`
	Legacy        bool     `json:"legacy"`
	CreatedAt     *string  `json:"createdAt"`
	CreatedBy     string   `json:"createdBy"`
	UpdatedAt     *string  `json:"updatedAt"`
	DeletedAt     *string  `json:"deletedAt"`
}

var clientTypes = map[string]authv1.ClientType{
	"confidential": authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
	"public":       authv1.ClientType_CLIENT_TYPE_PUBLIC,
}

var appStates = map[authv1.AppState]string{
	authv1.AppState_APP_STATE_LIVE:      "live",
	authv1.AppState_APP_STATE_SUSPENDED: "suspended",
	authv1.AppState_APP_STATE_DELETED:   "deleted",
}

func newApp(x *authv1.App) listedApp {
	one := listedApp{
		ID: x.GetId(), Name: x.GetName(), ClientID: x.GetClientId(), Description: x.GetDescription(), Homepage: x.GetHomepage(),
		PrivacyPolicy: x.GetPrivacyPolicy(), Terms: x.GetTerms(), Support: x.GetSupport(), LogoURL: x.GetLogoUrl(), LogoVersion: x.GetLogoVersion(),
		RedirectURIs: append([]string{}, x.GetRedirectUris()...), Scopes: append([]string{}, x.GetScopes()...), Legacy: x.GetLegacy(),
		CreatedAt: jsonTime(x.GetCreatedAt()), CreatedBy: x.GetCreatedBy(), UpdatedAt: jsonTime(x.GetUpdatedAt()), DeletedAt: jsonTime(x.GetDeletedAt()),
	}
	for word, value := range clientTypes {
		if value == x.GetClientType() {
			one.ClientType = word
		}
	}
	return one
}

// lines formats the non-empty fields of an app, one per line.
func (x listedApp) lines() []string {
	lines := []string{}
	for _, l := range [][2]string{
		{"name", x.Name}, {"id", x.ID}, {"client id", x.ClientID}, {"client secret", x.ClientSecret}, {"client type", x.ClientType},
		{"description", oneLine(x.Description)}, {"homepage", x.Homepage}, {"privacy policy", x.PrivacyPolicy}, {"terms", x.Terms},
		{"support", x.Support}, {"logo", cmp.Or(x.LogoVersion, x.LogoURL)}, {"redirect URIs", strings.Join(x.RedirectURIs, " ")},
		{"scopes", strings.Join(x.Scopes, " ")},
	} {
		if l[1] != "" {
			lines = append(lines, fmt.Sprintf("%-15s%s", l[0], l[1]))
		}
	}
	return lines
}

func (a *app) appListCommand() *cobra.Command {
	req := &authv1.ListAppsRequest{}
	c := &cobra.Command{
		Use:     "list ACCOUNT [--deleted]",
		Short:   "List the apps of an account, newest first",
		Example: "  vitaectl app list dev_…",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Developers.ListApps(ctx, req)
			if err != nil {
				return err
			}
			apps, rows := []listedApp{}, [][]string{}
			for _, listed := range resp.GetApps() {
				one, connections := newApp(listed.GetApp()), listed.GetConnections()
				one.State, one.Connections = appStates[listed.GetState()], &connections
				apps = append(apps, one)
				rows = append(rows, []string{
					one.ID, one.Name, one.ClientID, one.ClientType, one.State, fmt.Sprint(connections),
					when(listed.GetApp().GetCreatedAt()), cmp.Or(one.CreatedBy, "?"),
				})
			}
			return a.show(apps, table([]string{"ID", "NAME", "CLIENT ID", "TYPE", "STATE", "CONNECTIONS", "CREATED", "BY"}, rows)...)
		}),
	}
	takeAccount(c, &req.AccountId, true)
	c.Flags().BoolVar(&req.IncludeDeleted, "deleted", false, "list deleted apps too")
	return c
}

// details holds the flags that create and update share.
type details struct {
	name, description, homepage, privacyPolicy, terms, support, logo, logoURL string
	redirectURIs, scopes                                                      []string
}

// fields maps flag names to the names of the fields that they set.
var fields = map[string]string{
	"name": "name", "description": "description", "homepage": "homepage", "privacy-policy": "privacy_policy", "terms": "terms",
	"support": "support", "logo": "logo", "logo-url": "logo_url", "redirect-uri": "redirect_uris", "scopes": "scopes",
}

func (d *details) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.name, "name", "", "name shown on the consent page")
	f.StringVar(&d.description, "description", "", "description of the app")
	f.StringVar(&d.homepage, "homepage", "", "https URL of its website")
	f.StringVar(&d.privacyPolicy, "privacy-policy", "", "https URL of its privacy policy")
	f.StringVar(&d.terms, "terms", "", "https URL of its terms")
	f.StringVar(&d.support, "support", "", "email address or https URL for support")
	f.StringVar(&d.logo, "logo", "", "PNG, JPEG or WebP file to upload as the logo; an empty value removes the logo")
	f.StringVar(&d.logoURL, "logo-url", "", "URL of an external logo")
	f.StringArrayVar(&d.redirectURIs, "redirect-uri", nil, "redirect URI; repeat the flag for several")
	f.StringSliceVar(&d.scopes, "scopes", nil, "user scopes, separated by commas: "+strings.Join(scope.User(), ", "))
	complete(c, "scopes", scope.User())
}

// file reads the logo file. It returns nil if --logo is not set.
func (d *details) file() ([]byte, error) {
	if d.logo == "" {
		return nil, nil
	}
	return os.ReadFile(d.logo)
}

// listed trims values and drops blank ones, so an empty flag value clears the list.
func listed(values []string) []string {
	var out []string
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (a *app) appCreateCommand() *cobra.Command {
	req, d, kind := &authv1.CreateAppRequest{}, &details{}, ""
	c := &cobra.Command{
		Use:   "create --account ID --name NAME [--type confidential|public] [--redirect-uri URI]… [--scopes a,b] …",
		Short: "Create an app; its client secret is shown only once",
		Example: "  vitaectl app create --account dev_… --name \"Noor Careers\" --scopes profile,cv:read \\\n" +
			"    --redirect-uri https://noor.example/callback --homepage https://noor.example",
		Args: func(c *cobra.Command, args []string) error {
			if _, known := clientTypes[kind]; !known {
				return fmt.Errorf("--type must be confidential or public, not %q", kind)
			}
			return cobra.NoArgs(c, args)
		},
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			logo, err := d.file()
			if err != nil {
				return err
			}
			req.Name, req.Description, req.Homepage, req.PrivacyPolicy, req.Terms = d.name, d.description, d.homepage, d.privacyPolicy, d.terms
			req.Support, req.Logo, req.LogoUrl, req.ClientType = d.support, logo, d.logoURL, clientTypes[kind]
			req.RedirectUris, req.Scopes = listed(d.redirectURIs), listed(d.scopes)
			resp, err := s.Developers.CreateApp(ctx, req)
			if err != nil {
				return err
			}
			made := newApp(resp.GetApp())
			made.ClientSecret = resp.GetClientSecret()
			lines := made.lines()
			if made.ClientSecret != "" {
				lines = append(lines, shownOnce)
			}
			return a.show(made, lines...)
		}),
	}
	d.add(c)
	c.Flags().StringVar(&req.AccountId, "account", "", "id of the owning account")
	c.Flags().StringVar(&kind, "type", "confidential", "client type, confidential or public; it cannot be changed later")
	c.Flags().BoolVar(&req.Legacy, "legacy", false, "allow the app to use the older interface")
	mustRequire(c, "account", "name")
	complete(c, "type", []string{"confidential", "public"})
	return c
}

func (a *app) appUpdateCommand() *cobra.Command {
	req, d := &authv1.UpdateAppRequest{}, &details{}
	c := &cobra.Command{
		Use:   "update ID [--name NAME] [--redirect-uri URI]… [--scopes a,b] …",
		Short: "Change an app; removed scopes and redirect URIs are refused immediately",
		Long: `Change the settings for which there are flags, and nothing else. Redirect URIs and scopes are
replaced as a whole. Removed scopes and redirect URIs are refused immediately.`,
		Example: "  vitaectl app update app_… --scopes profile,email\n  vitaectl app update app_… --logo logo.png --homepage \"\"",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			logo, err := d.file()
			if err != nil {
				return err
			}
			req.Id, req.Name, req.Description, req.Homepage, req.PrivacyPolicy, req.Terms = args[0], d.name, d.description, d.homepage, d.privacyPolicy, d.terms
			req.Support, req.Logo, req.LogoUrl, req.RedirectUris, req.Scopes = d.support, logo, d.logoURL, listed(d.redirectURIs), listed(d.scopes)
			resp, err := s.Developers.UpdateApp(ctx, req)
			if err != nil {
				return err
			}
			changed := newApp(resp.GetApp())
			return a.show(changed, changed.lines()...)
		}),
	}
	c.Args = func(c *cobra.Command, args []string) error {
		req.UpdateMask = &fieldmaskpb.FieldMask{}
		for flag, field := range fields {
			if c.Flags().Changed(flag) {
				req.UpdateMask.Paths = append(req.UpdateMask.Paths, field)
			}
		}
		req.UpdateMask.Normalize()
		if len(req.GetUpdateMask().GetPaths()) == 0 {
			return errors.New("there is nothing to change: use at least one flag")
		}
		return cobra.ExactArgs(1)(c, args)
	}
	d.add(c)
	return c
}

func (a *app) appDeleteCommand() *cobra.Command {
	req, yes := &authv1.DeleteAppRequest{}, false
	c := &cobra.Command{
		Use:     "delete ID [--yes]",
		Short:   "Delete an app and end all its credentials and connections",
		Example: "  vitaectl app delete app_…",
		RunE: func(c *cobra.Command, args []string) error {
			req.Id = args[0]
			if !yes {
				if err := a.askForName(c, req); err != nil {
					return err
				}
			}
			return a.withStack(func(ctx context.Context, s *stack, _ []string) error {
				if _, err := s.Developers.DeleteApp(ctx, req); err != nil {
					return err
				}
				return a.show(map[string]any{"id": req.GetId(), "deleted": true}, req.GetId()+" is deleted.")
			})(c, args)
		},
	}
	a.requireYes(c, &yes, "deletes the app")
	return c
}

// askForName asks the user to type the name of the app to delete. The auth service compares it with the
// app's name.
func (a *app) askForName(c *cobra.Command, req *authv1.DeleteAppRequest) error {
	var name string
	if err := a.withStack(func(ctx context.Context, s *stack, _ []string) error {
		resp, err := s.Developers.GetApp(ctx, &authv1.GetAppRequest{Id: req.GetId()})
		name = resp.GetApp().GetName()
		return err
	})(c, nil); err != nil {
		return err
	}
	typed, err := a.prompt(fmt.Sprintf("Deleting %s (%s) ends all its credentials and connections permanently.\nType the name of the app to confirm: ", name, req.GetId()))
	if err != nil {
		return failure{err}
	}
	if typed == "" {
		return failure{errNotDone}
	}
	req.ConfirmName = typed
	return nil
}
