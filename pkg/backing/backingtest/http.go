package backingtest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
)

// status sends a GET request for a path and returns the HTTP status of the response.
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

// checkStatus returns an error unless the response to a GET request for a path has the wanted
// status.
func checkStatus(ctx context.Context, port int, path string, want int) error {
	got, err := status(ctx, port, path)
	if err == nil && got != want {
		err = fmt.Errorf("/%s returned status %d", path, got)
	}
	return err
}
