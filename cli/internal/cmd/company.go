package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (a *app) companyCommand() *cobra.Command {
	var published, verified bool
	set := &cobra.Command{
		Use:   "set ID [--published=BOOL] [--verified=BOOL]",
		Short: "Show or hide a company's career page, or mark its employer as verified",
	}
	set.RunE = a.withStack(func(ctx context.Context, s *stack, args []string) error {
		req := &partnercatalogv1.SetCompanyPageRequest{CompanyId: args[0]}
		if set.Flags().Changed("published") {
			req.Published = &published
		}
		if set.Flags().Changed("verified") {
			req.Verified = &verified
		}
		resp, err := s.CompanyPages.SetCompanyPage(ctx, req)
		if err != nil {
			return err
		}
		return a.showCompany(resp.GetPage())
	})
	set.Flags().BoolVar(&published, "published", false, "whether candidates see the career page")
	set.Flags().BoolVar(&verified, "verified", false, "whether the employer was verified")
	set.Args = func(c *cobra.Command, args []string) error {
		if err := cobra.ExactArgs(1)(c, args); err != nil {
			return err
		}
		if !c.Flags().Changed("published") && !c.Flags().Changed("verified") {
			return errors.New("nothing to set: give --published=BOOL or --verified=BOOL")
		}
		return nil
	}
	return group("company", "Set what the partner API cannot set of a company", set)
}

// company is how a company is printed as JSON.
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
