import { createHash } from 'node:crypto'
import type { ImportSource } from '#contract/policy-import.ts'
import { type GuardedFetch, FetchRefused } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import { upgradePolicy } from './upgrade-policy.ts'
import { findJsonExcess } from '#server/http/json-excess.ts'

const maxBytes = 20 * 1024 * 1024
const jsonLimits = { depth: 40, values: 4_000_000, fields: 100_000, length: 1_000_000 }
/** Prefers MDS 2.0. Static files are served as plain JSON. */
const acceptHeader =
  'application/vnd.mds+json;version=2.0, application/vnd.mds+json;version=1.2;q=0.9, application/json;q=0.5'

const refusals: Readonly<Record<FetchRefused['code'], string>> = {
  address: 'The address leads to one that is not public; it was not called.',
  protocol: 'The address, or one that it leads to, does not begin with https://.',
  size: 'The response is larger than 20 MB and was aborted.',
  time: 'The server took longer than 30 seconds to respond.',
  redirect: 'The server redirects more than 3 times.',
  encoding: 'The response could not be decompressed.',
}

/** Returns the reason why an address could not be fetched. Rethrows internal errors. */
function describeFetchError(error: unknown): string {
  if (error instanceof FetchRefused) return refusals[error.code]
  if (typeof (error as { code?: unknown }).code === 'string')
    return 'The server could not be reached. Is the address correct?'
  throw error
}

/** Fetches a JSON document from a URL that a user entered. @throws Problem at `field`. */
async function fetchDocument(fetch: GuardedFetch, url: string, field: string): Promise<unknown> {
  const createProblem = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.source.${field}`, message }])
  let response: Response
  try {
    response = await fetch(url, {
      headers: { accept: acceptHeader, 'accept-encoding': 'gzip', 'user-agent': 'publicway' },
      redirects: 3,
      maxBytes,
      timeoutMs: 30_000,
    })
  } catch (error) {
    throw createProblem(describeFetchError(error))
  }
  if (response.status !== 200)
    throw createProblem(
      response.status === 404
        ? 'The server has nothing at this address (404).'
        : `The server answered ${response.status}.`,
    )
  const bytes = Buffer.from(await response.arrayBuffer())
  const excess = findJsonExcess(bytes, jsonLimits)
  if (excess) throw createProblem(`The response cannot be read: ${excess}`)
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw createProblem('The response is not JSON. Is it the address of the feed itself?')
  }
}

type MdsRecord = Record<string, unknown>
type Kind = 'policies' | 'geographies'

const isRecord = (value: unknown): value is MdsRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Longer lists are refused. */
const maxItems = 5000

/** Extracts list and version of an MDS response, of 2.0 or wrapped as in 1.2. @throws Problem otherwise. */
export function readMdsList(kind: Kind, body: unknown): { version: string; items: unknown[] } {
  const createProblem = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.source.${kind}`, message }])
  const inner = isRecord(body) && isRecord(body['data']) ? body['data'] : body
  const items = isRecord(inner) ? inner[kind] : undefined
  if (!isRecord(body) || !Array.isArray(items)) throw createProblem(`This is not a list of MDS ${kind}.`)
  const version = typeof body['version'] === 'string' ? body['version'] : ''
  if (!/^(1\.[0-2]|2\.\d+)(\.|$)/.test(version))
    throw createProblem(
      `The ${kind} are of MDS ${version.slice(0, 20) || 'without a version'}. Versions 1.0 to 1.2 and 2 are read.`,
    )
  if (items.length > maxItems)
    throw createProblem(`There are ${items.length} ${kind}; up to ${maxItems} are read.`)
  // The official example of 1.2 wraps each geography in an object.
  return {
    version,
    items: items.map((item: unknown) =>
      kind === 'geographies' && isRecord(item) && isRecord(item['geography']) ? item['geography'] : item,
    ),
  }
}

/** Guesses URLs of geographies: under /geography instead of /policy, or beside the policies. */
export function guessGeographyUrls(policiesUrl: string): string[] {
  const url = new URL(policiesUrl)
  const siblingPath = url.pathname.replace(/policies(\.json)?\/?$/, 'geographies$1')
  if (siblingPath === url.pathname) return []
  return [...new Set([siblingPath.replace(/\/policy\//, '/geography/'), siblingPath])].map(
    (path) => new URL(`${path}${url.search}`, url).href,
  )
}

/** The content of a source, not validated, with policies converted to MDS 2.0. */
export interface SourceContent {
  /** The URL of the policies, or the name of the file. */
  source: string
  agency: string
  version: string
  digest: string
  policies: unknown[]
  geographies: unknown[]
}

/** Fetches geographies from the first guessed URL that works. @throws Problem if none does. */
async function fetchGuessedGeographies(fetch: GuardedFetch, policiesUrl: string): Promise<unknown> {
  for (const url of guessGeographyUrls(policiesUrl)) {
    try {
      const body = await fetchDocument(fetch, url, 'geographies_url')
      readMdsList('geographies', body)
      return body
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  const message = 'No geographies were found beside these policies. Enter their address.'
  throw new Problem('validation_error', message, [{ path: 'body.source.geographies_url', message }])
}

/** Fetches both documents of a source, or takes them from an uploaded file. */
async function readBodies(
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
  const { policies_url: url, geographies_url: geographiesUrl } = source
  const policies = await fetchDocument(fetch, url, 'policies_url')
  readMdsList('policies', policies)
  return {
    name: url,
    agency: new URL(url).hostname,
    policies,
    geographies: geographiesUrl
      ? await fetchDocument(fetch, geographiesUrl, 'geographies_url')
      : await fetchGuessedGeographies(fetch, url),
  }
}

/** Fetches or reads a source. @throws Problem that names the faulty part. */
export async function readSource(fetch: GuardedFetch, source: ImportSource): Promise<SourceContent> {
  const { name, agency, policies, geographies } = await readBodies(fetch, source)
  const policyList = readMdsList('policies', policies)
  const { items } = readMdsList('geographies', geographies)
  const digest = createHash('sha256')
    .update(JSON.stringify([policyList.items, items]))
    .digest('hex')
  return {
    source: name,
    agency,
    version: policyList.version,
    digest,
    policies: policyList.items.map(upgradePolicy),
    geographies: items,
  }
}
