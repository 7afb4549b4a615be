// Command platform acts as the servers of a platform and of a partner. It uses the client that
// oapi-codegen generates from the OpenAPI document, and does not compile if the document lacks anything
// that it uses.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/platform/vitae"
)

func main() {
	ctx := context.Background()
	employer, err := client("API_KEY")
	if err != nil {
		log.Fatal(err)
	}
	partner, err := client("ACCESS_TOKEN")
	if err != nil {
		log.Fatal(err)
	}
	company, err := company(ctx, employer)
	if err == nil {
		err = job(ctx, employer, company)
	}
	if err == nil {
		err = applicants(ctx, employer, os.Getenv("JOB"))
	}
	if err == nil {
		err = person(ctx, partner)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// client returns a client with the credential from an environment variable.
func client(credential string) (*vitae.ClientWithResponses, error) {
	bearer := "Bearer " + os.Getenv(credential)
	return vitae.NewClientWithResponses(os.Getenv("BASE"), vitae.WithRequestEditorFn(
		func(_ context.Context, req *http.Request) error {
			req.Header.Set("Authorization", bearer)
			return nil
		}))
}

// company creates a company, twice with the same external id, updates it, and returns its id.
func company(ctx context.Context, c *vitae.ClientWithResponses) (string, error) {
	body := vitae.CreateCompanyRequest{
		Name: "Sidr Coffee Roasters", Industry: "Food", EmployeeCount: "11-50", Location: "Sharjah, United Arab Emirates",
		Description: "Sidr roasts coffee from Yemen and Ethiopia for sixty cafés in the Emirates.",
		ExternalId:  new(fmt.Sprintf("go-%d", time.Now().UnixNano())),
	}
	first, err := c.CreateCompanyWithResponse(ctx, body)
	if err != nil {
		return "", err
	}
	if first.JSON201 == nil || first.JSON201.Data.Tagline != nil {
		return "", fmt.Errorf("create: %s %s", first.Status(), first.Body)
	}
	id := first.JSON201.Data.Id
	second, err := c.CreateCompanyWithResponse(ctx, body)
	if err != nil {
		return "", err
	}
	if second.JSON200 == nil || second.JSON200.Data.Id != id {
		return "", errors.New("repeating the request created a second company")
	}
	changed, err := c.UpdateCompanyWithResponse(ctx, id, vitae.UpdateCompanyRequest{Tagline: new("Roasted on Tuesdays")})
	if err != nil {
		return "", err
	}
	if changed.JSON200 == nil || changed.JSON200.Data.Tagline == nil || *changed.JSON200.Data.Tagline != "Roasted on Tuesdays" {
		return "", fmt.Errorf("update: %s %s", changed.Status(), changed.Body)
	}
	return id, nil
}

// job creates a draft job, publishes it, and finds it in the list.
func job(ctx context.Context, c *vitae.ClientWithResponses, company string) error {
	basics := vitae.JobBasics{Title: "Head roaster", WorkMode: vitae.Onsite, Employment: vitae.FullTime, Seniority: vitae.Lead}
	made, err := c.CreateJobWithResponse(ctx, company, &vitae.CreateJobParams{IdempotencyKey: new("go-" + company)}, vitae.CreateJobRequest{
		SaveAs:       new(vitae.SaveAsDraft),
		Basics:       basics,
		Content:      vitae.JobContent{Summary: "Roast and teach.", Responsibilities: []string{"Own the plan"}, Requirements: []string{"Five years"}},
		Compensation: &vitae.Compensation{Min: new(14000.0), Max: new(18000.0), Currency: "AED", Period: vitae.Monthly, Visible: true},
		Questions:    &[]vitae.QuestionInput{{Prompt: "Years of roasting", Type: vitae.Number, Required: true}},
		Distribution: vitae.TabbioAndCompany,
	})
	if err != nil {
		return err
	}
	if made.JSON201 == nil || made.JSON201.Data.Status != vitae.JobStatusDraft || made.JSON201.Data.PostedAt != nil {
		return fmt.Errorf("draft: %s %s", made.Status(), made.Body)
	}
	id := made.JSON201.Data.Id

	// The job has no country. The error code is a typed constant.
	early, err := c.PublishJobWithResponse(ctx, id)
	if err != nil {
		return err
	}
	if early.JSON400 == nil || early.JSON400.Error.Code != vitae.ApiKeyBadRequestErrorCodePUBLICAPIVALIDATIONERROR ||
		!strings.HasPrefix(early.JSON400.Error.Message, "basics.country: ") {
		return fmt.Errorf("publish an incomplete job: %s %s", early.Status(), early.Body)
	}

	basics.Country, basics.City = new("United Arab Emirates"), new("Sharjah")
	changed, err := c.UpdateJobWithResponse(ctx, id, vitae.UpdateJobRequest{Basics: &basics})
	if err != nil {
		return err
	}
	if changed.JSON200 == nil {
		return fmt.Errorf("update: %s %s", changed.Status(), changed.Body)
	}
	live, err := c.PublishJobWithResponse(ctx, id)
	if err != nil {
		return err
	}
	if live.JSON200 == nil || live.JSON200.Data.Status != vitae.JobStatusActive || live.JSON200.Data.PostedAt == nil ||
		live.JSON200.Data.Salary == nil || *live.JSON200.Data.Salary.Min != 14000 {
		return fmt.Errorf("publish: %s %s", live.Status(), live.Body)
	}
	list, err := c.ListJobsWithResponse(ctx, company, &vitae.ListJobsParams{Status: new(vitae.JobStatusActive), PageSize: new(int32(10))})
	if err != nil {
		return err
	}
	if list.JSON200 == nil || list.JSON200.Meta.Total != 1 || list.JSON200.Data[0].Id != id {
		return fmt.Errorf("list: %s %s", list.Status(), list.Body)
	}
	return nil
}

// applicants reads a page of the applications for a job, and the details of each.
func applicants(ctx context.Context, c *vitae.ClientWithResponses, job string) error {
	list, err := c.ListJobApplicationsWithResponse(ctx, job, &vitae.ListJobApplicationsParams{Page: new(int32(1)), PageSize: new(int32(2))})
	if err != nil {
		return err
	}
	if list.JSON200 == nil || len(list.JSON200.Data) != 2 || list.JSON200.Meta.TotalPages != 2 {
		return fmt.Errorf("applicants: %s %s", list.Status(), list.Body)
	}
	for _, row := range list.JSON200.Data {
		full, err := c.GetApplicationWithResponse(ctx, row.ApplicationId)
		if err != nil {
			return err
		}
		if full.JSON200 == nil || (full.JSON200.Data.Resume == nil) == (row.SubmittedCv == nil) {
			return fmt.Errorf("application: %s %s", full.Status(), full.Body)
		}
	}
	none, err := c.GetApplicationWithResponse(ctx, "apl_nobody")
	if err != nil {
		return err
	}
	if none.JSON404 == nil || none.JSON404.Error.Code != vitae.ApplicationNotFoundErrorCodeAPPLICATIONNOTFOUND {
		return fmt.Errorf("an unknown application: %s %s", none.Status(), none.Body)
	}
	return nil
}

// person reads the signed-in person and the CV, and then the CV again with its ETag.
func person(ctx context.Context, c *vitae.ClientWithResponses) error {
	me, err := c.GetMeWithResponse(ctx)
	if err != nil {
		return err
	}
	if me.JSON200 == nil || me.JSON200.Data.Email == nil || me.JSON200.Data.Connection.Cv == nil {
		return fmt.Errorf("me: %s %s", me.Status(), me.Body)
	}
	cv, err := c.GetSharedCvWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if cv.JSON200 == nil || len(cv.JSON200.Data.Document.Experiences) == 0 || cv.JSON200.Data.Pdf.Url == "" {
		return fmt.Errorf("CV: %s %s", cv.Status(), cv.Body)
	}
	tag := cv.HTTPResponse.Header.Get("ETag")
	again, err := c.GetSharedCvWithResponse(ctx, &vitae.GetSharedCvParams{IfNoneMatch: &tag})
	if err != nil {
		return err
	}
	if again.StatusCode() != http.StatusNotModified {
		return fmt.Errorf("the unchanged CV: %s", again.Status())
	}
	pdf, err := c.GetSharedCvPdfWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(pdf.Body), "%PDF-") {
		return fmt.Errorf("PDF: %s", pdf.Status())
	}
	wrong, err := c.ListCompaniesWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if wrong.JSON401 == nil || wrong.JSON401.Error.Code != vitae.ApiKeyUnauthorizedErrorCodeAPIKEYINVALID {
		return fmt.Errorf("the partner API accepts an access token: %s", wrong.Status())
	}
	return nil
}
