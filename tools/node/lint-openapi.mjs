// Holds OpenAPI documents against Spectral's ruleset "oas", its optional rules
// included, and Redocly's "recommended" rules, and prints what they find:
//
//   node lint-openapi.mjs FILE...
//
// Exit status: 0 when both find nothing, warnings included; 1 otherwise.
import { readFile } from 'node:fs/promises'
import { createConfig, formatProblems, lint } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

// Optional rules of Spectral that do not fit this document.
const optional = {
  'contact-properties': 'off', // the contact is a page, not a mailbox
  'openapi-tags-alphabetical': 'off', // tags stand in the order in which a partner meets them
}

// Findings of Redocly that are ignored, by rule and place (behaviour: openapi#ignored-findings).
const known = [
  // The answer of success is a redirect (RFC 6749 §4.1.2).
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
