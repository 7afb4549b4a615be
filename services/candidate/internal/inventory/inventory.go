package inventory

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/resume"
)

// batch is how many rows, or keys, one statement is about.
const batch = 500

// Row is a resume whose bytes are complete.
type Row struct {
	// ID is prefixed "res_".
	ID string
	// ApplicationID is empty for one that was not submitted.
	ApplicationID string
	// Key is where its bytes are, Size how many.
	Key  string
	Size int64
}

// Rows reads the rows.
type Rows interface {
	// ReadyResumes gives at most atMost resumes that are complete, in the order of their
	// ids, from the one after an id on.
	ReadyResumes(ctx context.Context, after string, atMost int) ([]Row, error)
	// UnknownResumes gives those of the ids that no row has, complete or not.
	UnknownResumes(ctx context.Context, ids []string) ([]string, error)
}

// Files is the bucket.
type Files interface {
	// Each calls do for every key.
	Each(ctx context.Context, do func(key string) error) error
	// Size is how many bytes are at key; there is false if nothing is.
	Size(ctx context.Context, key string) (size int64, there bool, err error)
	// Remove removes what is at key.
	Remove(ctx context.Context, key string) error
}

// Config is what an Inventory needs. Both are required.
type Config struct {
	Rows  Rows
	Files Files
}

// Inventory compares rows with files.
type Inventory struct {
	rows  Rows
	files Files
}

// New makes an Inventory.
func New(c Config) (*Inventory, error) {
	if c.Rows == nil || c.Files == nil {
		return nil, errors.New("inventory: Rows and Files are required")
	}
	return &Inventory{rows: c.Rows, files: c.Files}, nil
}

// Report is how rows and files differ.
type Report struct {
	// Rows is how many resumes are complete by their rows, Files how many keys there are.
	Rows, Files int
	// Lost are resumes without their file, or with another number of bytes.
	Lost []Row
	// Ownerless are keys of resumes that no row has.
	Ownerless []string
	// Foreign are keys that are not of resumes.
	Foreign []string
}

// Check compares. It reads the files first: a row is written before its bytes and deleted
// after them, so a file that is read then has its row, also while resumes are uploaded.
func (i *Inventory) Check(ctx context.Context) (r Report, err error) {
	if err := i.checkFiles(ctx, &r); err != nil {
		return Report{}, err
	}
	if err := i.checkRows(ctx, &r); err != nil {
		return Report{}, err
	}
	return r, nil
}

func (i *Inventory) checkFiles(ctx context.Context, r *Report) error {
	keys := map[string][]string{} // by the ids of their resumes
	flush := func() error {
		ids := make([]string, 0, len(keys))
		for id := range keys {
			ids = append(ids, id)
		}
		unknown, err := i.rows.UnknownResumes(ctx, ids)
		for _, id := range unknown {
			r.Ownerless = append(r.Ownerless, keys[id]...)
		}
		clear(keys)
		return err
	}
	err := i.files.Each(ctx, func(key string) error {
		if export.IsKey(key) {
			return nil // their rows are others, and they are gone in a day
		}
		r.Files++
		id, ok := resume.OfKey(key)
		if !ok {
			r.Foreign = append(r.Foreign, key)
			return nil
		}
		if keys[id] = append(keys[id], key); len(keys) < batch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

func (i *Inventory) checkRows(ctx context.Context, r *Report) error {
	for after := ""; ; {
		rows, err := i.rows.ReadyResumes(ctx, after, batch)
		if err != nil {
			return err
		}
		for _, row := range rows {
			size, there, err := i.files.Size(ctx, row.Key)
			if err != nil {
				return err
			}
			if !there || size != row.Size {
				r.Lost = append(r.Lost, row)
			}
		}
		r.Rows += len(rows)
		if len(rows) < batch {
			return nil
		}
		after = rows[len(rows)-1].ID
	}
}

// Remove removes the files that no row has, if they are as many as the caller has been told
// of. With the wrong database all files would be such.
func (i *Inventory) Remove(ctx context.Context, r Report, told int) error {
	if len(r.Ownerless) != told {
		return fmt.Errorf("there are %d files without a row, not %d: nothing was removed", len(r.Ownerless), told)
	}
	for _, key := range r.Ownerless {
		if err := i.files.Remove(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
