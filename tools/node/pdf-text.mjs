// Prints the text that a library extracts from each PDF, as a JSON array: node pdf-text.mjs pdfjs|mupdf FILE...
import { readFileSync } from "node:fs"

// isApart reports whether there is room for a space between two items of one line, in either order. pdf.js itself
// checks only items that follow each other from left to right.
function isApart(one, two) {
  const [left, right] = one.transform[4] <= two.transform[4] ? [one, two] : [two, one]
  return right.transform[4] - left.transform[4] - left.width > 0.1 * one.height
}

async function pdfjs(data) {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs")
  const document = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise
  let text = ""
  for (let page = 1; page <= document.numPages; page++) {
    const content = await (await document.getPage(page)).getTextContent()
    let last
    for (const item of content.items) {
      if (last && isApart(last, item)) text += " "
      text += item.str + (item.hasEOL ? "\n" : "")
      if (item.str.trim()) last = item
    }
    text += "\f"
  }
  return text
}

async function mupdf(data) {
  const library = await import("mupdf")
  const document = library.Document.openDocument(data, "application/pdf")
  let text = ""
  for (let page = 0; page < document.countPages(); page++) {
    text += document.loadPage(page).toStructuredText().asText() + "\f"
  }
  return text
}

const [library, ...files] = process.argv.slice(2)
const texts = []
for (const file of files) texts.push(await { pdfjs, mupdf }[library](new Uint8Array(readFileSync(file))))
console.log(JSON.stringify(texts))
