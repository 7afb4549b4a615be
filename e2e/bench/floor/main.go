// Command floor serves one of the reads that partners send most often in a minimal net/http process,
// which does only the necessary work in Redis and Postgres. The benchmarks compare Vitae with it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
)

type settings struct {
	// Postgres is the database of the service that serves the read in Vitae.
	Postgres postgres.Config
	Redis    redisx.Config
	Addr     string `env:"FLOOR_ADDR,required"`
	Account  string `env:"FLOOR_ACCOUNT,required"`
	// Path selects the read to serve.
	Path string `env:"FLOOR_PATH,required"`
	// ID is the id of the row to read.
	ID string `env:"FLOOR_ID,required"`
}

// reads maps paths to read functions. Their statements use the same tables, indexes and columns as
// those of the services.
var reads = map[string]func(context.Context, *pgxpool.Pool, string) (any, error){
	"/me": one[person](`SELECT p.person_id, p.email, p.name, p.username, p.headline, p.locale, p.avatar_url, p.updated_at, to_jsonb(c.title)
FROM profiles p LEFT JOIN cvs c ON c.id = 'master' AND c.person_id = p.person_id WHERE p.person_id = $1`),
	"/me/cv": one[person](`SELECT p.person_id, p.email, p.name, p.username, p.headline, p.locale, p.avatar_url, p.updated_at, p.content
FROM profiles p LEFT JOIN cvs c ON c.id = 'master' AND c.person_id = p.person_id WHERE p.person_id = $1`),
	"/job": one[job](`SELECT j.id, j.company_id, j.status, j.title, j.department, j.country, j.city, j.work_mode, j.employment, j.seniority, j.summary,
j.responsibilities, j.requirements, j.nice_to_have, j.benefits, j.salary_min, j.salary_max, j.salary_currency, j.salary_period, j.salary_visible,
j.candidate_location, j.experience_years, j.language, j.work_eligibility, j.questions, j.distribution, j.application_count,
j.posted_at, j.created_at, j.updated_at, c.app_id
FROM jobs j JOIN companies c ON c.id = j.company_id WHERE j.id = $1`),
}

// person is a row that is written to the response. The content of the CV is not parsed.
type person struct {
	ID, Email, Name, Username, Headline, Locale, AvatarURL string
	UpdatedAt                                              time.Time
	Content                                                json.RawMessage
}

// job is a row that is written to the response. Its questions are not parsed.
type job struct {
	ID, CompanyID, Status, Title, Department, Country, City, WorkMode, Employment, Seniority, Summary string
	Responsibilities, Requirements, NiceToHave, Benefits                                              []string
	Min, Max                                                                                          *float64
	Currency, Period                                                                                  string
	Visible                                                                                           bool
	CandidateLocation, ExperienceYears, Language, WorkEligibility                                     string
	Questions                                                                                         json.RawMessage
	Distribution                                                                                      string
	ApplicationCount                                                                                  int32
	PostedAt                                                                                          *time.Time
	CreatedAt, UpdatedAt                                                                              time.Time
	AppID                                                                                             string
}

// one returns a function that reads a row by its id.
func one[T any](statement string) func(context.Context, *pgxpool.Pool, string) (any, error) {
	return func(ctx context.Context, db *pgxpool.Pool, id string) (any, error) {
		rows, err := db.Query(ctx, statement, id)
		if err != nil {
			return nil, err
		}
		return pgx.CollectOneRow(rows, pgx.RowToStructByPos[T])
	}
}

func main() {
	log.SetFlags(0)
	if err := serve(context.Background()); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}

func serve(ctx context.Context) error {
	s, err := config.Load[settings](config.OS())
	if err != nil {
		return err
	}
	read, known := reads[s.Path]
	if !known {
		return fmt.Errorf("floor: unknown FLOOR_PATH %q", s.Path)
	}
	db, err := postgres.Open(ctx, s.Postgres)
	if err != nil {
		return err
	}
	rdb, err := redisx.Open(s.Redis)
	if err != nil {
		return err
	}
	// The session record of the credential must already be in Redis.
	return http.ListenAndServe(s.Addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.Header.Get("Authorization")[len("Bearer "):]
		ref := sessionrecord.Ref{AccountID: s.Account, Hash: credential.Hash(token)}
		w.Header().Set("Content-Type", "application/json")
		var data any
		_, err := sessionrecord.Read(r.Context(), rdb, ref)
		if err == nil {
			data, err = read(r.Context(), db, s.ID)
		}
		if err == nil {
			err = json.NewEncoder(w).Encode(map[string]any{"data": data, "error": nil, "meta": nil})
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
}
