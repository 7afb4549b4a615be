package answer

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// ContentTypeJSON is the media type of every JSON response.
const ContentTypeJSON = "application/json"

// failureEnvelope is the JSON body of an error response (behaviour: errors#error-formats).
type failureEnvelope struct {
	Data  *struct{}    `json:"data"`
	Error failureError `json:"error"`
	Meta  *retryMeta   `json:"meta"`
}

type failureError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type retryMeta struct {
	RetryAfter int `json:"retryAfter"`
}

// WriteJSON writes body as JSON, without the envelope.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // cannot happen: the bodies are structs of strings and numbers
	}
	writeRaw(w, status, ContentTypeJSON, raw)
}

// WriteData writes a 200 response with body as the data of the envelope.
func WriteData(w http.ResponseWriter, body any) {
	WriteJSON(w, http.StatusOK, struct {
		Data  any       `json:"data"`
		Error *struct{} `json:"error"`
		Meta  *struct{} `json:"meta"`
	}{Data: body})
}

func writeRaw(w http.ResponseWriter, status int, contentType string, raw []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	_, _ = w.Write(raw) // fails only if the client has disconnected
}
