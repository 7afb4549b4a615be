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
	req := &partnercatalogv1.SetCompanyPageRequest{}
	set := &cobra.Command{
		Use:     "set ID [--published=BOOL] [--verified=BOOL]",
		Short:   "Publish or hide a company's career page, or mark its employer as verified",
		Example: "  vitaectl company set com_… --published=true --verified=true",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.CompanyId = args[0]
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
					if req.Published != nil {
						flag = "published"
					}
					return fmt.Errorf("%q is a separate argument: write the value of a flag after =, as in --%s=%s", arg, flag, arg)
				}
			}
			if err := cobra.ExactArgs(1)(c, args); err != nil {
				return err
			}
			if req.Published == nil && req.Verified == nil {
				return errors.New("there is nothing to set: use --published=BOOL or --verified=BOOL")
			}
			return nil
		},
	}
	addBool(set, &req.Published, "published", "whether candidates see the career page")
	addBool(set, &req.Verified, "verified", "whether the employer was verified")
	return group("company", "Set fields of a company that the partner API cannot set", set)
}

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
			CreatedAt: jsonTime(c.GetCreatedAt()), UpdatedAt: jsonTime(c.GetUpdatedAt()),
		},
		fmt.Sprintf("%s  %s  %s, %s", c.GetId(), c.GetName(), seen, verified),
	)
}
