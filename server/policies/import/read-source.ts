import { createHash } from 'node:crypto'
import type { ImportSource } from '#contract/policy-import.ts'
import { type GuardedFetch, FetchRefused } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import { upgradePolicy } from './upgrade-policy.ts'
import { findJsonExcess } from '#server/http/json-excess.ts'

const maxBytes = 20 * 1024 * 1024
const bounds = { depth: 40, values: 4_000_000, fields: 100_000, length: 1_000_000 }
/** 2.0 is preferred; a static file is plain JSON. */
const accept =
  'application/vnd.mds+json;version=2.0, application/vnd.mds+json;version=1.2;q=0.9, application/json;q=0.5'

const refusals: Readonly<Record<FetchRefused['code'], string>> = {
  address: 'The address leads to one that is not public; it was not called.',
  protocol: 'The address, or one that it leads to, does not begin with https://.',
  size: 'The response is larger than 20 MB and was aborted.',
  time: 'The server took longer than 30 seconds to respond.',
  redirect: 'The server redirects more than 3 times.',
  encoding: 'The response could not be decompressed.',
}

/** A message why an address could not be read; internal errors are thrown. */
function wordsOf(error: unknown): string {
  if (error instanceof FetchRefused) return refusals[error.code]
  if (typeof (error as { code?: unknown }).code === 'string')
    return 'The server could not be reached. Is the address correct?'
  throw error
}

/** Fetches a JSON document from a URL of a user. Throws a Problem at `field` with a message. */
async function fetchDocument(fetch: GuardedFetch, url: string, field: string): Promise<unknown> {
  const refused = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.source.${field}`, message }])
  let response: Response
  try {
    response = await fetch(url, {
      headers: { accept, 'accept-encoding': 'gzip', 'user-agent': 'publicway' },
      redirects: 3,
      maxBytes,
      timeoutMs: 30_000,
    })
  } catch (error) {
    throw refused(wordsOf(error))
  }
  if (response.status !== 200)
    throw refused(
      response.status === 404
        ? 'The server has nothing at this address (404).'
        : `The server answered ${response.status}.`,
    )
  const bytes = Buffer.from(await response.arrayBuffer())
  const excess = findJsonExcess(bytes, bounds)
  if (excess) throw refused(`The response cannot be read: ${excess}`)
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw refused('The response is not JSON. Is it the address of the feed itself?')
  }
}

type Row = Record<string, unknown>
type Kind = 'policies' | 'geographies'

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Items that are read at maxItems. */
const maxItems = 5000

/** The list and version of an MDS response, of 2.0 or wrapped as in 1.2. Throws a Problem if it is not one. */
export function readBody(kind: Kind, body: unknown): { version: string; items: unknown[] } {
  const refused = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.source.${kind}`, message }])
  const inner = isRow(body) && isRow(body['data']) ? body['data'] : body
  const found = isRow(inner) ? inner[kind] : undefined
  if (!isRow(body) || !Array.isArray(found)) throw refused(`This is not a list of MDS ${kind}.`)
  const version = typeof body['version'] === 'string' ? body['version'] : ''
  if (!/^(1\.[0-2]|2\.\d+)(\.|$)/.test(version))
    throw refused(
      `The ${kind} are of MDS ${version.slice(0, 20) || 'without a version'}. Versions 1.0 to 1.2 and 2 are read.`,
    )
  if (found.length > maxItems) throw refused(`There are ${found.length} ${kind}; up to ${maxItems} are read.`)
  // The official list of 1.2 has each geography in a wrapper.
  return {
    version,
    items: found.map((item: unknown) =>
      kind === 'geographies' && isRow(item) && isRow(item['geography']) ? item['geography'] : item,
    ),
  }
}

/** Addresses at which the geographies of a policies feed may be: under /geography instead of /policy, else in the same place. */
export function geographiesBeside(policiesUrl: string): string[] {
  const url = new URL(policiesUrl)
  const beside = url.pathname.replace(/policies(\.json)?\/?$/, 'geographies$1')
  if (beside === url.pathname) return []
  return [...new Set([beside.replace(/\/policy\//, '/geography/'), beside])].map(
    (path) => new URL(`${path}${url.search}`, url).href,
  )
}

/** The unchecked content of a source, with policies in the form of MDS 2.0. */
export interface SourceContent {
  /** Its address, or the name of the file. */
  source: string
  agency: string
  version: string
  digest: string
  policies: unknown[]
  geographies: unknown[]
}

async function fetchBeside(fetch: GuardedFetch, policiesUrl: string): Promise<unknown> {
  for (const url of geographiesBeside(policiesUrl)) {
    try {
      const body = await fetchDocument(fetch, url, 'geographies_url')
      readBody('geographies', body)
      return body
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  const message = 'No geographies were found beside these policies. Enter their address.'
  throw new Problem('validation_error', message, [{ path: 'body.source.geographies_url', message }])
}

async function bodiesOf(
  fetch: GuardedFetch,
  source: ImportSource,
): Promise<{ name: string; agency: string; policies: unknown; geographies: unknown }> {
  if ('file_name' in source)
    return {
      name: source.file_name,
      agency: source.file_name.replace(/\.json$/i, ''),
      policies: source.policies,
      geographies: source.geographies,
    }
  const { policies_url: url, geographies_url: beside } = source
  const policies = await fetchDocument(fetch, url, 'policies_url')
  readBody('policies', policies)
  return {
    name: url,
    agency: new URL(url).hostname,
    policies,
    geographies: beside
      ? await fetchDocument(fetch, beside, 'geographies_url')
      : await fetchBeside(fetch, url),
  }
}

/** Reads a source. Throws a Problem that says what is wrong and where. */
export async function readSource(fetch: GuardedFetch, source: ImportSource): Promise<SourceContent> {
  const { name, agency, policies, geographies } = await bodiesOf(fetch, source)
  const read = readBody('policies', policies)
  const { items } = readBody('geographies', geographies)
  const digest = createHash('sha256')
    .update(JSON.stringify([read.items, items]))
    .digest('hex')
  return {
    source: name,
    agency,
    version: read.version,
    digest,
    policies: read.items.map(upgradePolicy),
    geographies: items,
  }
}
