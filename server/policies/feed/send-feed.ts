import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createProblemId } from '#server/http/problem.ts'
import { RawResponse } from '#server/http/route.ts'
import { negotiateVersion, type FeedVersion, feedVersions, getMediaType } from './negotiate-version.ts'

/** Shared caches may store a feed for a minute. */
const caching = 'public, max-age=60'
/** The feeds are public, so pages of any origin may read them. */
const publicHeaders = { 'access-control-allow-origin': '*', vary: 'Accept, Accept-Encoding' }
/** Shorter bodies are sent uncompressed. */
const minCompressedBytes = 1024
const compress = promisify(gzip)

/** Whether an If-None-Match header matches an ETag. */
const matchesEtag = (header: string | null, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .some((tag) => `W/${tag.trim().replace(/^W\//, '')}` === etag || tag.trim() === '*')

/** Returns an error response in the format of MDS. */
export function makeFeedError(status: number, error: string, description: string): RawResponse {
  const body = { error, error_description: description, error_details: [], id: createProblemId() }
  return new RawResponse(
    Buffer.from(JSON.stringify(body)),
    { ...publicHeaders, 'cache-control': 'no-store', 'content-type': getMediaType(feedVersions[0]) },
    status,
  )
}

/** A response body that is built once and sent many times. */
export interface FeedBody {
  bytes: Buffer
  /** Weak, because it also identifies the compressed body. */
  etag: string
  compressed?: Promise<Buffer>
}

/** Makes the body of a response, with its ETag. */
export function makeFeedBody(value: unknown): FeedBody {
  const bytes = Buffer.from(JSON.stringify(value))
  return { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` }
}

/** Sends a body, compressed here: the server's general compression does not know the media types of MDS. */
async function sendCacheable(headers: Headers, body: FeedBody, type: string): Promise<RawResponse> {
  const common = { ...publicHeaders, 'cache-control': caching, etag: body.etag }
  if (matchesEtag(headers.get('if-none-match'), body.etag)) return new RawResponse(null, common, 304)
  if (body.bytes.length < minCompressedBytes || !/\bgzip\b/i.test(headers.get('accept-encoding') ?? ''))
    return new RawResponse(body.bytes, { ...common, 'content-type': type })
  return new RawResponse(await (body.compressed ??= compress(body.bytes)), {
    ...common,
    'content-type': type,
    'content-encoding': 'gzip',
  })
}

/** Sends a body in a format other than MDS, with the same caching. */
export const sendPublic = (headers: Headers, body: FeedBody): Promise<RawResponse> =>
  sendCacheable(headers, body, 'application/json; charset=utf-8')

/** Sends a version; or 304 (not modified), 406 (not in `servedVersions`), 404 (`build` returns null). */
export async function sendFeed(
  headers: Headers,
  build: (version: FeedVersion) => Promise<FeedBody | RawResponse | null>,
  servedVersions: readonly FeedVersion[] = feedVersions,
): Promise<RawResponse> {
  const version = negotiateVersion(headers.get('accept'))
  if (!version || !servedVersions.includes(version))
    return makeFeedError(
      406,
      'unsupported_version',
      `This version of MDS is not supported; ${servedVersions.join(' and ')} ${servedVersions.length > 1 ? 'are' : 'is'}.`,
    )
  const body = await build(version)
  if (!body) return makeFeedError(404, 'not_found', 'There is no such record in this feed.')
  if (body instanceof RawResponse) return body
  return sendCacheable(headers, body, getMediaType(version))
}

/** Makes a response private: shared caches do not store it, and pages of other origins cannot read it. */
export function toPrivateResponse({ body, headers, status }: RawResponse): RawResponse {
  const { 'access-control-allow-origin': _, ...otherHeaders } = headers
  return new RawResponse(body, { ...otherHeaders, 'cache-control': 'private, max-age=60' }, status)
}
