import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { problemId } from '#server/http/problem.ts'
import { RawAnswer } from '#server/http/route.ts'
import { askedVersion, type FeedVersion, feedVersions, mediaType } from './asked-version.ts'

/** Anybody's cache may keep a feed for a minute: what is published is there within that. */
const caching = 'public, max-age=60'

/** Everybody may read the feeds, from any page. */
const open = { 'access-control-allow-origin': '*', vary: 'Accept, Accept-Encoding' }

/** Shorter bodies are sent as they are. */
const worthPacking = 1024

const pack = promisify(gzip)

const holds = (given: string | null, etag: string): boolean =>
  (given ?? '')
    .split(',')
    .some((each) => `W/${each.trim().replace(/^W\//, '')}` === etag || each.trim() === '*')

/** An error in the words of MDS. */
export function feedError(status: number, error: string, description: string): RawAnswer {
  const body = { error, error_description: description, error_details: [], id: problemId() }
  return new RawAnswer(
    Buffer.from(JSON.stringify(body)),
    { ...open, 'cache-control': 'no-store', 'content-type': mediaType(feedVersions[0]) },
    status,
  )
}

/** A body that is made once and sent often. */
export interface FeedBody {
  bytes: Buffer
  /** Weak: it is the same packed and as it is. */
  etag: string
  packed?: Promise<Buffer>
}

export function feedBody(value: unknown): FeedBody {
  const bytes = Buffer.from(JSON.stringify(value))
  return { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` }
}

/** Types of MDS are no texts to what packs other answers: they are packed here, each body once. */
async function cached(headers: Headers, body: FeedBody, type: string): Promise<RawAnswer> {
  const about = { ...open, 'cache-control': caching, etag: body.etag }
  if (holds(headers.get('if-none-match'), body.etag)) return new RawAnswer(null, about, 304)
  if (body.bytes.length < worthPacking || !/\bgzip\b/i.test(headers.get('accept-encoding') ?? ''))
    return new RawAnswer(body.bytes, { ...about, 'content-type': type })
  return new RawAnswer(await (body.packed ??= pack(body.bytes)), {
    ...about,
    'content-type': type,
    'content-encoding': 'gzip',
  })
}

/** Answers what is no MDS, with the same caching. */
export const sendPublic = (headers: Headers, body: FeedBody): Promise<RawAnswer> =>
  cached(headers, body, 'application/json; charset=utf-8')

/** Answers in the version that is asked for; 304 for those who have it, 406 for versions that are not served, 404 where there is nothing. */
export async function sendFeed(
  headers: Headers,
  made: (version: FeedVersion) => Promise<FeedBody | RawAnswer | null>,
  served: readonly FeedVersion[] = feedVersions,
): Promise<RawAnswer> {
  const version = askedVersion(headers.get('accept'))
  if (!version || !served.includes(version))
    return feedError(
      406,
      'unsupported_version',
      `This version of MDS is not served here; ${served.join(' and ')} ${served.length > 1 ? 'are' : 'is'}.`,
    )
  const body = await made(version)
  if (!body) return feedError(404, 'not_found', 'There is no such record in this feed.')
  if (body instanceof RawAnswer) return body
  return cached(headers, body, mediaType(version))
}
