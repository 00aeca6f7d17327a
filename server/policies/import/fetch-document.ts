import { FetchRefused, type GuardedFetch } from '#server/http/guarded-fetch.ts'
import { jsonExcess } from '#server/http/json-excess.ts'
import { Problem } from '#server/http/problem.ts'

const maxBytes = 20 * 1024 * 1024
const bounds = { depth: 40, values: 4_000_000, fields: 100_000, length: 1_000_000 }
/** 2.0 is liked better; a static file is plain JSON. */
const accept =
  'application/vnd.mds+json;version=2.0, application/vnd.mds+json;version=1.2;q=0.9, application/json;q=0.5'

const refusals: Readonly<Record<FetchRefused['code'], string>> = {
  address: 'The address leads to one that is not public; it was not asked.',
  protocol: 'The address, or one that it leads to, does not begin with https://.',
  size: 'The answer is larger than 20 MB; it was broken off.',
  time: 'The server took longer than 30 seconds to answer.',
  redirect: 'The server leads on more than 3 times.',
  encoding: 'The answer could not be unpacked.',
}

/** Why an address gave nothing, in words for who typed it; an error of ours is thrown on. */
function wordsOf(error: unknown): string {
  if (error instanceof FetchRefused) return refusals[error.code]
  if (typeof (error as { code?: unknown }).code === 'string')
    return 'The server could not be reached. Is the address right?'
  throw error
}

/** Fetches a JSON document of a server that a user names. Throws a Problem at `field` that says what went wrong. */
export async function fetchDocument(fetch: GuardedFetch, url: string, field: string): Promise<unknown> {
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
  const excess = jsonExcess(bytes, bounds)
  if (excess) throw refused(`The answer cannot be read: ${excess}`)
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw refused('The answer is no JSON. Is it the address of the feed itself?')
  }
}
