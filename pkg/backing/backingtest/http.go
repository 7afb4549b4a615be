package backingtest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
)

// status returns the status with which a server answers a path.
func status(ctx context.Context, port int, path string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+strconv.Itoa(port)+"/"+path, nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	_ = res.Body.Close()
	return res.StatusCode, nil
}

// answers returns an error unless a server answers a path with a status.
func answers(ctx context.Context, port int, path string, want int) error {
	got, err := status(ctx, port, path)
	if err == nil && got != want {
		err = fmt.Errorf("/%s answers %d", path, got)
	}
	return err
}
