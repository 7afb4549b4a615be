package postgres_test

import (
	"testing"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/postgres"
)

// Reasons why a column is not exported.
const (
	internal  = "identifies or orders rows, and contains no personal data"
	inAnother = "has the same content as another exported column"
)

func TestEveryColumnIsExportedOrExplained(t *testing.T) {
	t.Parallel()
	testkit.DecidedColumns(t, testkit.Database(t, "candidate", postgres.Migrate), map[string]testkit.Columns{
		"profiles": {
			Exported: "email email_verified name username headline locale avatar_url uae_pass_verified open_to_work profile_public phone address " +
				"date_of_birth gender marital_status nationality residence visa_residency national_service dependents content cv_template created_at updated_at",
			Left: map[string]string{"person_id": inAnother, "version": internal, "cv_count has_main_cv": inAnother},
		},
		"drafts": {Exported: "document form saved_at", Left: map[string]string{"person_id version revision": internal}},
		"photos": {Exported: "jpeg", Left: map[string]string{"person_id": internal}},
		"cvs":    {Exported: "id title content template created_at updated_at", Left: map[string]string{"person_id version": internal}},
		"applications": {
			Exported: "id job_id company_id status applied_at updated_at source answers history_status history_at cv_id cv_title cv_updated_at",
			Left:     map[string]string{"person_id number": internal, "app_id": "would reveal the app that manages a masked company"},
		},
		"submissions": {Exported: "cover_letter cv_content", Left: map[string]string{"application_id": internal, "cv_created_at": inAnother}},
		"resumes": {Exported: "filename content_type size created_at", Left: map[string]string{
			"id person_id blob_key ready application_id": internal, // only submitted resumes are kept
		}},
		"application_search": {Left: map[string]string{"application job applied_at status search_text": inAnother}},
		"exports": {Left: map[string]string{
			"id person_id language requested_at state due_at attempts done steps size expires_at announced": "describes the export itself; the exported audit events contain when it was requested",
		}},
		"released_handles": {Left: map[string]string{"handle person_id free_at": "a digest that reserves a handle for the person; anonymous after a deletion"}},
		"audit_outbox":     {Left: map[string]string{"id at event refused_at": "moves to the audit log within seconds"}},

		"job_numbers":              {Nobodys: "search numbers of jobs"},
		"application_totals":       {Nobodys: "totals of a job"},
		"application_counts":       {Nobodys: "totals of a job"},
		"application_count_outbox": {Nobodys: "totals of a job"},
	})
}
