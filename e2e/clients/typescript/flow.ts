// This program acts as the servers of a platform and of a partner. It uses the types that
// openapi-typescript generates from the OpenAPI document. tsc rejects it if the document lacks
// anything that it uses.
import createClient from 'openapi-fetch'
import type { components, paths } from './vitae.js'

declare const process: { env: Record<string, string | undefined>; exitCode: number }

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what)
}

const baseUrl = setting('BASE')
const employer = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${setting('API_KEY')}` } })
const partner = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${setting('ACCESS_TOKEN')}` } })

// company creates a company, twice with the same external id, and updates it.
async function company(): Promise<components['schemas']['Company']> {
  const body: components['schemas']['CreateCompanyRequest'] = {
    name: 'Sidr Coffee Roasters',
    industry: 'Food',
    employeeCount: '11-50',
    location: 'Sharjah, United Arab Emirates',
    description: 'Sidr roasts coffee from Yemen and Ethiopia for sixty cafés in the Emirates.',
    externalId: `typescript-${Date.now()}`,
  }
  const first = await employer.POST('/v1/companies', { body })
  check(first.response.status === 201 && first.data !== undefined, `create: ${first.response.status}`)
  const second = await employer.POST('/v1/companies', { body })
  check(second.response.status === 200 && second.data?.data.id === first.data.data.id, 'repeating the request created a second company')

  const tagline: string | null = first.data.data.tagline
  check(tagline === null, 'the tagline is not null')
  const changed = await employer.PATCH('/v1/companies/{companyId}', {
    params: { path: { companyId: first.data.data.id } },
    body: { tagline: 'Roasted on Tuesdays', website: null },
  })
  check(changed.data?.data.tagline === 'Roasted on Tuesdays' && changed.data.data.website === null, 'the company was not updated')
  return changed.data.data
}

// job creates a draft job, publishes it, and finds it in the list.
async function job(companyId: string): Promise<void> {
  const made = await employer.POST('/v1/companies/{companyId}/jobs', {
    params: { path: { companyId }, header: { 'Idempotency-Key': `typescript-${Date.now()}` } },
    body: {
      saveAs: 'draft',
      basics: { title: 'Head roaster', workMode: 'onsite', employment: 'full_time', seniority: 'lead' },
      content: { summary: 'Roast and teach.', responsibilities: ['Own the plan'], requirements: ['Five years'] },
      compensation: { min: 14000, max: 18000, currency: 'AED', period: 'monthly', visible: true },
      questions: [{ prompt: 'Years of roasting', type: 'number', required: true }],
      distribution: 'tabbio_and_company',
    },
  })
  check(made.data !== undefined, `draft: ${made.error?.error.code}`)
  const jobId = made.data.data.id
  check(made.data.data.status === 'draft' && made.data.data.postedAt === null, 'the job is not a draft')

  // The job has no country. The type of the error contains its code.
  const early = await employer.POST('/v1/jobs/{jobId}/publish', { params: { path: { jobId } } })
  check(early.error !== undefined, 'an incomplete job was published')
  switch (early.error.error.code) {
    case 'PUBLIC_API_VALIDATION_ERROR':
      check(early.error.error.message.startsWith('basics.country: '), early.error.error.message)
      break
    case 'RATE_LIMIT_EXCEEDED':
    case 'QUOTA_EXCEEDED':
      throw new Error('wait')
    default:
      throw new Error(early.error.error.code)
  }

  await employer.PATCH('/v1/jobs/{jobId}', {
    params: { path: { jobId } },
    body: {
      basics: { title: 'Head roaster', country: 'United Arab Emirates', city: 'Sharjah', workMode: 'onsite', employment: 'full_time', seniority: 'lead' },
    },
  })
  const live = await employer.POST('/v1/jobs/{jobId}/publish', { params: { path: { jobId } } })
  check(live.data?.data.status === 'active' && live.data.data.postedAt !== null, 'the job is not active')
  check(live.data.data.salary?.min === 14000 && live.data.data.location === 'Sharjah, United Arab Emirates', 'the job has different values')

  const list = await employer.GET('/v1/companies/{companyId}/jobs', { params: { path: { companyId }, query: { status: 'active', pageSize: 10 } } })
  check(list.data?.meta.total === 1 && list.data.data[0]?.id === jobId, 'the job is not in the list')
}

// applicants reads a page of the applications for a job, and the details of each.
async function applicants(jobId: string): Promise<void> {
  const list = await employer.GET('/v1/jobs/{jobId}/candidates', { params: { path: { jobId }, query: { page: 1, pageSize: 2 } } })
  check(list.data !== undefined && list.data.meta.totalPages === 2, 'the list does not have two pages')
  const names = list.data.data.map((row) => row.candidate.name)
  check(names.length === 2, 'the page does not have two rows')
  for (const row of list.data.data) {
    const full = await employer.GET('/v1/candidates/{applicationId}', { params: { path: { applicationId: row.applicationId } } })
    check(full.data?.data.applicationId === row.applicationId, 'a different application was returned')
    check((full.data.data.resume === null) !== (row.submittedCv === null), 'neither CV nor file')
  }
  const none = await employer.GET('/v1/candidates/{applicationId}', { params: { path: { applicationId: 'apl_nobody' } } })
  check(none.error?.error.code === 'APPLICATION_NOT_FOUND', 'an unknown application was found')
}

// person reads the signed-in person and the CV, and then the CV again with its ETag.
async function person(): Promise<void> {
  const me = await partner.GET('/v1/me')
  check(me.data !== undefined, `me: ${me.error?.error.code}`)
  const email: string | undefined = me.data.data.email
  check(email !== undefined && me.data.data.connection.cv !== null, 'the granted data is missing')

  const cv = await partner.GET('/v1/me/cv')
  check(cv.data !== undefined, `cv: ${cv.error?.error.code}`)
  const title: string | undefined = cv.data.data.document.experiences[0]?.title
  check(title !== undefined && cv.data.data.pdf.contentType === 'application/pdf', 'the CV has no title or PDF')
  const tag = cv.response.headers.get('etag')
  check(tag !== null, 'no ETag')
  const again = await partner.GET('/v1/me/cv', { params: { header: { 'If-None-Match': tag } } })
  check(again.response.status === 304, `the unchanged CV: ${again.response.status}`)

  const wrong = await partner.GET('/v1/companies')
  check(wrong.error?.error.code === 'API_KEY_INVALID', 'the partner API accepts an access token')
}

const { id } = await company()
await job(id)
await applicants(setting('JOB'))
await person()
