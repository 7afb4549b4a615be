package cmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (a *app) companyCommand() *cobra.Command {
	var published, verified truthFlag
	set := &cobra.Command{
		Use:     "set ID [--published=BOOL] [--verified=BOOL]",
		Short:   "Show or hide a company's career page, or mark its employer as verified",
		Example: "  vitaectl company set com_… --published=true --verified=true",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req := &partnercatalogv1.SetCompanyPageRequest{CompanyId: args[0], Published: published.value, Verified: verified.value}
			resp, err := s.CompanyPages.SetCompanyPage(ctx, req)
			if err != nil {
				return err
			}
			return a.showCompany(resp.GetPage())
		}),
		Args: func(c *cobra.Command, args []string) error {
			for _, arg := range args {
				if _, err := strconv.ParseBool(arg); err == nil {
					flag := "verified"
					if published.value != nil {
						flag = "published"
					}
					return fmt.Errorf("%q stands alone: the value of a flag stands behind =, as in --%s=%s", arg, flag, arg)
				}
			}
			if err := cobra.ExactArgs(1)(c, args); err != nil {
				return err
			}
			if published.value == nil && verified.value == nil {
				return errors.New("nothing to set: give --published=BOOL or --verified=BOOL")
			}
			return nil
		},
	}
	addTruth(set, &published, "published", "whether candidates see the career page")
	addTruth(set, &verified, "verified", "whether the employer was verified")
	return group("company", "Set what the partner API cannot set of a company", set)
}

// company is the JSON form of a company.
type company struct {
	ID        string  `json:"id"`
	AppID     string  `json:"appId"`
	Name      string  `json:"name"`
	Slug      string  `json:"slug"`
	Published bool    `json:"published"`
	Verified  bool    `json:"verified"`
	CreatedAt *string `json:"createdAt"`
	UpdatedAt *string `json:"updatedAt"`
}

func (a *app) showCompany(p *partnercatalogv1.CompanyPage) error {
	c := p.GetCompany()
	seen, verified := "not published", "not verified"
	if c.GetPublished() {
		seen = "published"
	}
	if c.GetVerified() {
		verified = "verified"
	}
	return a.show(
		company{
			ID: c.GetId(), AppID: p.GetAppId(), Name: c.GetName(), Slug: c.GetSlug(),
			Published: c.GetPublished(), Verified: c.GetVerified(),
			CreatedAt: moment(c.GetCreatedAt()), UpdatedAt: moment(c.GetUpdatedAt()),
		},
		fmt.Sprintf("%s  %s  %s, %s", c.GetId(), c.GetName(), seen, verified),
	)
}
