// Checks OpenAPI documents against Spectral's ruleset "oas", including its optional rules, and Redocly's "recommended"
// rules, and prints the findings:
//
//   node lint-openapi.mjs FILE...
//
// The exit status is 0 if neither reports anything, not even a warning, and 1 otherwise.
import { readFile } from 'node:fs/promises'
import { createConfig, formatProblems, lint } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

// Optional rules of Spectral that do not fit this document.
const optional = {
  'contact-properties': 'off', // the contact is a page, not a mailbox
  'openapi-tags-alphabetical': 'off', // tags are in the order in which partners need them
}

// Redocly findings to ignore, by rule and location (behaviour: openapi#ignored-findings).
const known = [
  // The success response is a redirect (RFC 6749 §4.1.2).
  'operation-2xx-response #/paths/~1oauth~1authorize/get/responses',
]

async function bySpectral(file) {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: optional })
  const found = await linter.run(new spectral.Document(await readFile(file, 'utf8'), parsers.Json, file))
  for (const { code, message, path } of found) console.error(`${file}: spectral ${code}: ${message} (at ${path.join('.')})`)
  return found.length
}

async function byRedocly(file) {
  const found = (await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) }))
    .filter(({ ruleId, location }) => !known.includes(`${ruleId} ${location[0].pointer}`))
  formatProblems(found, { format: 'codeframe', totals: { errors: 0, warnings: found.length, ignored: 0 }, version: '' })
  return found.length
}

let total = 0
for (const file of process.argv.slice(2)) {
  total += await bySpectral(file) + await byRedocly(file)
}
if (total > 0) console.error(`${total} found`)
process.exitCode = total > 0 ? 1 : 0
