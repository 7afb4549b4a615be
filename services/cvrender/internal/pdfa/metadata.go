package pdfa

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// The namespaces of XMP that need no description (6.6.2.3.1), and those of extension schemas.
const (
	rdf       = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	pdfaid    = "http://www.aiim.org/pdfa/ns/id/"
	extension = "http://www.aiim.org/pdfa/ns/extension/"
	schema    = "http://www.aiim.org/pdfa/ns/schema#"
	property  = "http://www.aiim.org/pdfa/ns/property#"
)

var (
	predefined = map[string]bool{
		"adobe:ns:meta/": true, rdf: true, pdfaid: true, extension: true, schema: true, property: true,
		"http://purl.org/dc/elements/1.1/": true, "http://ns.adobe.com/xap/1.0/": true, "http://ns.adobe.com/pdf/1.3/": true,
	}
	packet = regexp.MustCompile(`^<\?xpacket begin="\x{feff}" id="W5M0MpCehiHzreSzNTczkc9d"\?>`)
	// wanted are the fields of an extension schema and of its properties (6.6.2.3.3).
	wanted = []string{schema + "schema", schema + "namespaceURI", schema + "prefix", schema + "property",
		property + "name", property + "valueType", property + "category", property + "description"}
)

// metadata checks the XMP packet of the file.
func (c *check) metadata() error {
	stream := c.catalog.Key("Metadata")
	if stream.Kind() != pdf.Stream || stream.Key("Type").Name() != "Metadata" || stream.Key("Subtype").Name() != "XML" {
		c.fault("6.6.2.1", "there is no XMP metadata")
		return nil
	}
	raw, err := content(stream)
	if err != nil {
		return err
	}
	if !utf8.Valid(raw) || !packet.Match(raw) {
		c.fault("6.6.2.1", "the metadata are no packet in UTF-8, or its header has more than it must")
	}
	texts, names, err := properties(raw)
	if err != nil {
		c.fault("6.6.2.1", "the metadata cannot be read: %v", err)
		return nil
	}
	described := texts[schema+"namespaceURI"]
	for _, name := range names {
		switch {
		case predefined[name.Space]:
		case name.Space != described || name.Local != texts[property+"name"]:
			c.fault("6.6.2.3.1", "the property %s of %s is not described", name.Local, name.Space)
		}
	}
	for _, name := range wanted {
		if described != "" && texts[name] == "" {
			c.fault("6.6.2.3.3", "the extension schema has no %s", name)
		}
	}
	if category := texts[property+"category"]; described != "" && category != "internal" && category != "external" {
		c.fault("6.6.2.3.3", "the category of a property is %q", category)
	}
	if texts[pdfaid+"part"] != "2" || texts[pdfaid+"conformance"] != "A" {
		c.fault("6.6.4", "the metadata say part %q and conformance %q", texts[pdfaid+"part"], texts[pdfaid+"conformance"])
	}
	return nil
}

// properties gives the texts in the elements of a packet, and the names of those elements.
func properties(raw []byte) (texts map[string]string, names []xml.Name, err error) {
	texts = map[string]string{}
	var open []string
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, names, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("pdfa: metadata: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			open = append(open, t.Name.Space+t.Name.Local)
			names = append(names, t.Name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, name := range open {
				texts[name] += strings.TrimSpace(string(t))
			}
		}
	}
}

// content gives the bytes of a stream.
func content(stream pdf.Value) ([]byte, error) {
	body := stream.Reader()
	defer body.Close()
	out, err := io.ReadAll(body)
	if err != nil {
		return nil, fmt.Errorf("pdfa: a stream: %w", err)
	}
	return out, nil
}
