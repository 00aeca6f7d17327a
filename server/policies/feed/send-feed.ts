import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { problemId } from '#server/http/problem.ts'
import { RawResponse } from '#server/http/route.ts'
import { negotiateVersion, type FeedVersion, feedVersions, mediaType } from './negotiate-version.ts'

/** Shared caches may store a feed for a minute. */
const caching = 'public, max-age=60'

/** The feeds are public and may be read from any page. */
const open = { 'access-control-allow-origin': '*', vary: 'Accept, Accept-Encoding' }

/** Shorter bodies are sent uncompressed. */
const minCompressedBytes = 1024

const pack = promisify(gzip)

const holds = (given: string | null, etag: string): boolean =>
  (given ?? '')
    .split(',')
    .some((each) => `W/${each.trim().replace(/^W\//, '')}` === etag || each.trim() === '*')

/** An error in the form of MDS. */
export function feedError(status: number, error: string, description: string): RawResponse {
  const body = { error, error_description: description, error_details: [], id: problemId() }
  return new RawResponse(
    Buffer.from(JSON.stringify(body)),
    { ...open, 'cache-control': 'no-store', 'content-type': mediaType(feedVersions[0]) },
    status,
  )
}

/** A body that is built once and sent often. */
export interface FeedBody {
  bytes: Buffer
  /** Weak: the same for the compressed body. */
  etag: string
  packed?: Promise<Buffer>
}

export function feedBody(value: unknown): FeedBody {
  const bytes = Buffer.from(JSON.stringify(value))
  return { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` }
}

/** Compresses the body once: the general compression of responses does not know the media types of MDS. */
async function cached(headers: Headers, body: FeedBody, type: string): Promise<RawResponse> {
  const about = { ...open, 'cache-control': caching, etag: body.etag }
  if (holds(headers.get('if-none-match'), body.etag)) return new RawResponse(null, about, 304)
  if (body.bytes.length < minCompressedBytes || !/\bgzip\b/i.test(headers.get('accept-encoding') ?? ''))
    return new RawResponse(body.bytes, { ...about, 'content-type': type })
  return new RawResponse(await (body.packed ??= pack(body.bytes)), {
    ...about,
    'content-type': type,
    'content-encoding': 'gzip',
  })
}

/** Sends a body that is not MDS, with the same caching. */
export const sendPublic = (headers: Headers, body: FeedBody): Promise<RawResponse> =>
  cached(headers, body, 'application/json; charset=utf-8')

/** Sends the requested version; 304 for clients that have it, 406 for unsupported versions, 404 if there is nothing. */
export async function sendFeed(
  headers: Headers,
  made: (version: FeedVersion) => Promise<FeedBody | RawResponse | null>,
  served: readonly FeedVersion[] = feedVersions,
): Promise<RawResponse> {
  const version = negotiateVersion(headers.get('accept'))
  if (!version || !served.includes(version))
    return feedError(
      406,
      'unsupported_version',
      `This version of MDS is not supported; ${served.join(' and ')} ${served.length > 1 ? 'are' : 'is'}.`,
    )
  const body = await made(version)
  if (!body) return feedError(404, 'not_found', 'There is no such record in this feed.')
  if (body instanceof RawResponse) return body
  return cached(headers, body, mediaType(version))
}

/** An answer for one caller: neither stored by shared caches nor readable from other pages. */
export function privately({ body, headers, status }: RawResponse): RawResponse {
  const { 'access-control-allow-origin': _, ...kept } = headers
  return new RawResponse(body, { ...kept, 'cache-control': 'private, max-age=60' }, status)
}
