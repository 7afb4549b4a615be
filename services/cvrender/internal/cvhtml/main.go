// Command cvhtml reads a CV from standard input, in the format of the partner API's response to GET
// /v1/me/cv. It writes the source of the CV's PDF to a directory: the HTML of the classic template as
// cv.html, without a photo, and the fonts.
//
//	cvhtml FOLDER
//
// The benchmarks print the HTML in an ordinary tab, to compare that with getting the PDF from the gateway.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protojson"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/grpcapi"
	"vitae.internal/services/cvrender/internal/template"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: cvhtml FOLDER <ANSWER")
	}
	if err := write(os.Args[1], os.Stdin); err != nil {
		log.Fatal("cvhtml: ", err)
	}
}

func write(folder string, answer io.Reader) error {
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.NewDecoder(answer).Decode(&envelope); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	shared := &cvv1.SharedCv{}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(envelope.Data, shared); err != nil {
		return fmt.Errorf("read the CV: %w", err)
	}
	layout, err := template.New()
	if err != nil {
		return err
	}
	html, err := layout.HTML(grpcapi.Cleaned(shared), template.Classic, nil)
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(folder, "fonts"), layout.Fonts()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "cv.html"), []byte(html), 0o644)
}
