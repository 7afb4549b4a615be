package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// Metadata holds properties of a document.
type Metadata struct {
	// Author is the name of the person, or "" if there is none.
	Author string
}

// metadata is the XMP packet of a document (ISO 16684-1). The language of the title is that of the
// document.
const metadata = `<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%[1]s</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>%[2]s</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>%[3]s</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>Vitae</xmp:CreatorTool>
</rdf:Description>
%[4]s</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`

// claim is the statement that a file conforms to PDF/UA-1 (ISO 14289-1, 5).
const claim = `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
`

// setMetadata writes the title, author and language. It removes the dates, so the same content
// always has the same bytes. complete reports whether every glyph has a character. If it is not
// set, the file does not conform to PDF/UA-1 (ISO 14289-1, 7.21.8) and must not claim to.
func (f *file) setMetadata(m Metadata, complete bool) {
	info, catalog := f.objects[f.info], f.objects[f.root]
	title := entry(info.value, "Title")
	info.value = without(without(info.value, "CreationDate"), "ModDate")
	if m.Author != "" {
		info.value = with(info.value, "Author", "<FEFF"+utf16Hex(m.Author)+">")
	}
	standard := ""
	if complete {
		standard = claim
	}
	packet := fmt.Appendf(nil, metadata, escaped(textOf(title)), escaped(m.Author), escaped(textOf(entry(catalog.value, "Lang"))), standard)
	number := f.add(&object{
		value:  fmt.Appendf(nil, "<</Type /Metadata /Subtype /XML /Length %d>>", len(packet)),
		stream: packet,
	})
	catalog.value = with(catalog.value, "Metadata", fmt.Sprintf("%d 0 R", number))
}

func escaped(text string) string {
	var out bytes.Buffer
	if err := xml.EscapeText(&out, []byte(text)); err != nil {
		return "" // writes to a buffer never fail
	}
	return out.String()
}
