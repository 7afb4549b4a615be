package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// Metadata is what a file says of itself.
type Metadata struct {
	// Author is the person; "" for none.
	Author string
}

// metadata are the properties of a document (XMP, ISO 16684-1). The language of the title is that of
// the document.
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

// claims say that a file is PDF/UA-1 (ISO 14289-1, 5) and PDF/A-2a (ISO 19005-2, 6.6.4). The second
// wants properties that it does not know, such as that of the first, described (6.6.2.3.3).
const claims = `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>A</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289 that the file keeps</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`

// setMetadata writes title, author and language where programs look for them, and takes the
// dates away: the same content is the same bytes. complete says that all glyphs are those of characters;
// without it a file is neither PDF/UA-1 (ISO 14289-1, 7.21.8) nor PDF/A-2a (ISO 19005-2, 6.2.11.8), and
// does not say so.
func (f *file) setMetadata(m Metadata, complete bool) {
	info, catalog := f.objects[f.info], f.objects[f.root]
	title := entry(info.value, "Title")
	info.value = without(without(info.value, "CreationDate"), "ModDate")
	if m.Author != "" {
		info.value = with(info.value, "Author", "<FEFF"+utf16Hex(m.Author)+">")
	}
	standards := ""
	if complete {
		standards = claims
	}
	packet := fmt.Appendf(nil, metadata, escaped(textOf(title)), escaped(m.Author), escaped(textOf(entry(catalog.value, "Lang"))), standards)
	number := f.add(&object{
		value:  fmt.Appendf(nil, "<</Type /Metadata /Subtype /XML /Length %d>>", len(packet)),
		stream: packet,
	})
	catalog.value = with(catalog.value, "Metadata", fmt.Sprintf("%d 0 R", number))
}

func escaped(text string) string {
	var out bytes.Buffer
	if err := xml.EscapeText(&out, []byte(text)); err != nil {
		return "" // a buffer takes all
	}
	return out.String()
}
