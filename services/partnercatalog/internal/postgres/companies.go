package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

var _ company.Store = (*Store)(nil)

func (s *Store) CreateCompany(ctx context.Context, c company.Company) error {
	params := sqlc.CreateCompanyParams{
		ID:            c.ID,
		AppID:         c.AppID,
		ExternalID:    orNull(c.ExternalID),
		Name:          c.Name,
		Slug:          c.Slug,
		Description:   c.Description,
		Location:      c.Location,
		Website:       c.Website,
		Industry:      c.Industry,
		EmployeeCount: c.EmployeeCount,
		Logo:          c.Logo,
		CreatedAt:     c.CreatedAt,
	}
	return errorOfCreate(s.changed(ctx, func(q *sqlc.Queries) (*audit.About, error) {
		_, err := q.CreateCompany(ctx, params)
		return &audit.About{AppID: c.AppID, ObjectID: c.ID}, err
	}))
}

func (s *Store) CreateNumberedCompany(ctx context.Context, c company.Company, stem string, step int64) (string, error) {
	params := sqlc.CreateNumberedCompanyParams{
		Stem:          stem,
		Step:          step,
		ID:            c.ID,
		AppID:         c.AppID,
		ExternalID:    orNull(c.ExternalID),
		Name:          c.Name,
		Description:   c.Description,
		Location:      c.Location,
		Website:       c.Website,
		Industry:      c.Industry,
		EmployeeCount: c.EmployeeCount,
		Logo:          c.Logo,
		CreatedAt:     c.CreatedAt,
	}
	var slug string
	err := s.changed(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		slug, err = q.CreateNumberedCompany(ctx, params)
		return &audit.About{AppID: c.AppID, ObjectID: c.ID}, err
	})
	return slug, errorOfCreate(err)
}

func errorOfCreate(err error) error {
	if postgres.IsUnique(err, "companies_external_id") {
		return company.ErrExternalIDTaken
	}
	return errorOf("create company", err, company.ErrSlugTaken)
}

func (s *Store) SlugIsTaken(ctx context.Context, slug string) (bool, error) {
	taken, err := s.q.SlugIsTaken(ctx, slug)
	return taken, errorOf("look up slug", err, nil)
}

func (s *Store) Company(ctx context.Context, id string) (company.Company, error) {
	row, err := s.q.CompanyByID(ctx, id)
	if err != nil {
		return company.Company{}, errorOf("read company", err, company.ErrNotFound)
	}
	return companyFromRow(row.Company)
}

func (s *Store) CompanyByExternalID(ctx context.Context, appID, externalID string) (company.Company, error) {
	row, err := s.q.CompanyByExternalID(ctx, sqlc.CompanyByExternalIDParams{AppID: appID, ExternalID: externalID})
	if err != nil {
		return company.Company{}, errorOf("read company", err, company.ErrNotFound)
	}
	// The company may be returned to a repeated create, so the standbys must have received its
	// commit.
	if err := postgres.Confirm(ctx, s.pool); err != nil {
		return company.Company{}, errorOf("confirm a repeated create", err, nil)
	}
	return companyFromRow(row.Company)
}

// deepOffset is the offset above which a second round trip is worthwhile, because it lets the query
// skip the preceding rows with an index-only scan.
const deepOffset = 1000

func (s *Store) Companies(ctx context.Context, appID string, skip, size int64) ([]company.Company, int32, error) {
	if skip >= deepOffset {
		return s.companiesAtDepth(ctx, appID, skip, size)
	}
	rows, err := s.q.ListCompanies(ctx, sqlc.ListCompaniesParams{AppID: appID, Skip: int32(skip), Size: int32(size)})
	if err != nil {
		return nil, 0, errorOf("list companies", err, nil)
	}
	if len(rows) == 0 { // the page is past the end
		total, err := s.q.CompanyTotal(ctx, appID)
		return nil, total, errorOf("count companies", err, nil)
	}
	list := make([]company.Company, len(rows))
	for i, row := range rows {
		if list[i], err = companyFromRow(row.Company); err != nil {
			return nil, 0, err
		}
	}
	return list, rows[0].Total, nil
}

// companiesAtDepth reads the total first, so that a page past the end does not scan the index.
func (s *Store) companiesAtDepth(ctx context.Context, appID string, skip, size int64) ([]company.Company, int32, error) {
	total, err := s.q.CompanyTotal(ctx, appID)
	if err != nil || skip >= int64(total) {
		return nil, total, errorOf("count companies", err, nil)
	}
	rows, err := s.q.ListCompaniesFarDown(ctx, sqlc.ListCompaniesFarDownParams{AppID: appID, Skip: int32(skip), Size: int32(size)})
	if err != nil {
		return nil, 0, errorOf("list companies", err, nil)
	}
	list := make([]company.Company, len(rows))
	for i, row := range rows {
		if list[i], err = companyFromRow(row.Company); err != nil {
			return nil, 0, err
		}
	}
	return list, total, nil
}

func (s *Store) UpdateCompany(ctx context.Context, change company.Change) (company.Company, error) {
	added, removed, err := socialsChange(change.Socials)
	if err != nil {
		return company.Company{}, err
	}
	params := sqlc.UpdateCompanyParams{
		ID:             change.ID,
		AppID:          orNull(change.AppID),
		Slug:           change.Slug,
		ExternalID:     change.ExternalID,
		NoExternalID:   change.NoExternalID,
		Name:           change.Name,
		Tagline:        change.Tagline,
		Description:    change.Description,
		Location:       change.Location,
		Website:        change.Website,
		Industry:       change.Industry,
		EmployeeCount:  change.EmployeeCount,
		Logo:           change.Logo,
		Founded:        change.Founded,
		Banner:         change.Banner,
		Published:      change.Published,
		Verified:       change.Verified,
		AddedSocials:   added,
		RemovedSocials: removed,
		UpdatedAt:      change.UpdatedAt,
	}
	var row sqlc.UpdateCompanyRow
	err = s.changed(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		row, err = q.UpdateCompany(ctx, params)
		return &audit.About{AppID: row.Company.AppID, ObjectID: change.ID}, err
	})
	if err != nil {
		return company.Company{}, errorOf("update company", err, company.ErrNotFound)
	}
	return companyFromRow(row.Company)
}

// socialsChange separates the links to set from the links to remove.
func socialsChange(socials company.Socials) (added []byte, removed []string, err error) {
	set := company.Socials{}
	removed = []string{}
	for platform, link := range socials {
		if link == "" {
			removed = append(removed, string(platform))
		} else {
			set[platform] = link
		}
	}
	if added, err = json.Marshal(set); err != nil {
		return nil, nil, fmt.Errorf("partnercatalog store: encode links: %w", err)
	}
	return added, removed, nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func companyFromRow(row sqlc.Company) (company.Company, error) {
	socials := company.Socials{}
	if err := json.Unmarshal(row.Socials, &socials); err != nil {
		return company.Company{}, fmt.Errorf("partnercatalog store: links of %s: %w", row.ID, err)
	}
	c := company.Company{
		ID:            row.ID,
		AppID:         row.AppID,
		Name:          row.Name,
		Slug:          row.Slug,
		Tagline:       row.Tagline,
		Description:   row.Description,
		Location:      row.Location,
		Website:       row.Website,
		Industry:      row.Industry,
		EmployeeCount: row.EmployeeCount,
		Founded:       row.Founded,
		Logo:          row.Logo,
		Banner:        row.Banner,
		Socials:       socials,
		Published:     row.Published,
		Verified:      row.Verified,
		CreatedAt:     row.CreatedAt.UTC(),
		UpdatedAt:     row.UpdatedAt.UTC(),
	}
	if row.ExternalID != nil {
		c.ExternalID = *row.ExternalID
	}
	return c, nil
}
