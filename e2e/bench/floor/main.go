// Command floor does the Redis and Postgres work of the two reads that a partner
// makes most, and nothing else, in one bare net/http process: the least that such a
// system could cost. The benchmarks compare the real one with it.
package main

import (
	"context"
	"encoding/json"
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
	Postgres postgres.Config
	Redis    redisx.Config
	Addr     string `env:"FLOOR_ADDR,required"`
	Account  string `env:"FLOOR_ACCOUNT,required"`
	Person   string `env:"FLOOR_PERSON,required"`
}

// The statements are those of the candidate service, by their cost: the same
// tables, indexes and columns.
const (
	meSQL = `SELECT p.person_id, p.email, p.name, p.username, p.headline, p.locale, p.avatar_url, p.updated_at, to_jsonb(c.title)
FROM profiles p LEFT JOIN cvs c ON c.id = $2 AND c.person_id = p.person_id WHERE p.person_id = $1`
	cvSQL = `SELECT p.person_id, p.email, p.name, p.username, p.headline, p.locale, p.avatar_url, p.updated_at, p.content
FROM profiles p LEFT JOIN cvs c ON c.id = $2 AND c.person_id = p.person_id WHERE p.person_id = $1`
)

// row is passed on as it is; the CV's content is not even parsed.
type row struct {
	ID, Email, Name, Username, Headline, Locale, AvatarURL string
	UpdatedAt                                              time.Time
	Content                                                json.RawMessage
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
	db, err := postgres.Open(ctx, s.Postgres)
	if err != nil {
		return err
	}
	defer db.Close()
	rdb, err := redisx.Open(s.Redis)
	if err != nil {
		return err
	}
	defer rdb.Close()
	read := func(sql string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			token := r.Header.Get("Authorization")[len("Bearer "):]
			ref := sessionrecord.Ref{AccountID: s.Account, Hash: credential.Hash(token)}
			if _, err := sessionrecord.Read(r.Context(), rdb, ref); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			row, err := one(r.Context(), db, sql, s.Person)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"data": row, "error": nil, "meta": nil})
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /me", read(meSQL))
	mux.HandleFunc("GET /me/cv", read(cvSQL))
	return http.ListenAndServe(s.Addr, mux)
}

func one(ctx context.Context, db *pgxpool.Pool, sql, person string) (row, error) {
	rows, err := db.Query(ctx, sql, person, "master")
	if err != nil {
		return row{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByPos[row])
}
