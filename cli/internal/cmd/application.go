package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vitae.internal/cli/internal/world"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const stageList = "reviewed|shortlisted|interview|offered|rejected|withdrawn"

func (a *app) applicationCommand() *cobra.Command {
	advance := &cobra.Command{
		Use:     "advance ID " + stageList,
		Short:   "Move an application to a later stage, reject it, or withdraw it for the candidate",
		Example: "  vitaectl application advance apl_… interview",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			stage, _ := world.Word[candidatev1.ApplicationStatus](args[1])
			moved, err := s.Move(ctx, args[0], stage)
			if err != nil {
				return err
			}
			return a.showApplication(moved)
		}),
		Args: func(c *cobra.Command, args []string) error {
			if err := cobra.ExactArgs(2)(c, args); err != nil {
				return err
			}
			stage, known := world.Word[candidatev1.ApplicationStatus](args[1])
			if !known || stage == candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED {
				return fmt.Errorf("the status must be one of %s, not %q", stageList, args[1])
			}
			return nil
		},
	}
	return group("application", "Move applications", advance)
}

type application struct {
	ID            string  `json:"id"`
	JobID         string  `json:"jobId"`
	CompanyID     string  `json:"companyId"`
	PersonID      string  `json:"personId"`
	Status        string  `json:"status"`
	AppliedAt     *string `json:"appliedAt"`
	UpdatedAt     *string `json:"updatedAt"`
	StatusHistory []stage `json:"statusHistory"`
}

type stage struct {
	Status string  `json:"status"`
	At     *string `json:"at"`
}

func (a *app) showApplication(p *candidatev1.Application) error {
	out := application{
		ID: p.GetApplicationId(), JobID: p.GetJobId(), CompanyID: p.GetCompanyId(), PersonID: p.GetCandidate().GetUserId(),
		Status: world.WordOf(p.GetStatus()), AppliedAt: jsonTime(p.GetAppliedAt()), UpdatedAt: jsonTime(p.GetUpdatedAt()),
		StatusHistory: []stage{},
	}
	lines := []string{fmt.Sprintf("%s  %s  %s", out.ID, p.GetCandidate().GetName(), out.Status)}
	for _, s := range p.GetStatusHistory() {
		out.StatusHistory = append(out.StatusHistory, stage{Status: world.WordOf(s.GetStatus()), At: jsonTime(s.GetAt())})
		lines = append(lines, fmt.Sprintf("  %s  %s", when(s.GetAt()), world.WordOf(s.GetStatus())))
	}
	return a.show(out, lines...)
}
