// Command probe sends one request to a URL and exits with status 0 if the response is 200. It is the health check of
// images that have no shell.
//
//	probe http://127.0.0.1:9090/readyz
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: probe URL")
		os.Exit(2)
	}
	client := &http.Client{Timeout: 4 * time.Second}
	res, err := client.Get(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		fmt.Fprintln(os.Stderr, "probe:", res.Status)
		os.Exit(1)
	}
}
