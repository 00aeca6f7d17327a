import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { isRecord } from './checks/values.ts'
import { type CurbFileStore, removeCurbFiles, storeCurbFile, type StoredFile } from './curb-files.ts'

/** Why a feed could not be pulled, in a sentence for the user. */
export class FeedProblem extends Error {}

/** What the feed must have, and lists that it may have. */
const requiredLists = ['zones', 'policies'] as const
const optionalLists = ['areas', 'spaces', 'objects'] as const

/** Versions in the order in which they are requested; servers that know none of them answer 406. */
const accepts = [
  'application/vnd.cds+json;version=1.1',
  'application/vnd.cds+json;version=1.0',
  'application/json',
]

const [maxPages, pageBytes, timeoutMs] = [2000, 64 * 1024 * 1024, 60_000]

interface CdsFeed {
  /** Base address: `/zones` and the other lists are appended. */
  url: string
  token: string | null
}

interface PullOptions extends CurbFileStore {
  fetch: GuardedFetch
  stop: AbortSignal
}

/** Pulls all lists of a feed into files, page by page. The hash is that of the records, without times of the answers. */
export async function pullCdsFeed(
  feed: CdsFeed,
  options: PullOptions,
): Promise<{ files: StoredFile[]; hash: string }> {
  const files: StoredFile[] = []
  const hash = createHash('sha256')
  try {
    for (const list of [...requiredLists, ...optionalLists])
      for await (const page of pagesOf(feed, list, options)) {
        hash.update(JSON.stringify(page['data'] ?? null))
        const text = JSON.stringify(page)
        files.push(await storeCurbFile(options, Readable.from([Buffer.from(text)]), `${list}.json`))
      }
  } catch (error) {
    await removeCurbFiles(options.blobs, files)
    throw error
  }
  return { files, hash: hash.digest('hex') }
}

async function* pagesOf(
  feed: CdsFeed,
  list: string,
  options: PullOptions,
): AsyncGenerator<Record<string, unknown>> {
  const first = new URL(feed.url)
  first.pathname = `${first.pathname.replace(/\/+$/, '')}/${list}`
  const isOptional = (optionalLists as readonly string[]).includes(list)
  const seen = new Set<string>()
  let accept = 0
  for (let url: URL | null = first; url;) {
    if (seen.has(url.href) || seen.size >= maxPages) throw new FeedProblem(`The pages of ${list} do not end.`)
    const response: Response = await request(url, feed, accepts[accept] ?? 'application/json', options)
    if (response.status === 406 && accept + 1 < accepts.length) {
      accept++
      continue
    }
    seen.add(url.href)
    if (isOptional && [404, 405, 501].includes(response.status)) return
    if (!response.ok) throw new FeedProblem(`The feed answered ${response.status} to ${list}.`)
    const body = await readBody(response, list)
    yield body
    url = nextPage(body, url, first)
  }
}

async function request(
  url: URL,
  { token }: CdsFeed,
  accept: string,
  { fetch, stop }: PullOptions,
): Promise<Response> {
  try {
    return await fetch(url.href, {
      headers: { accept, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      maxBytes: pageBytes,
      timeoutMs,
      signal: stop,
    })
  } catch (error) {
    stop.throwIfAborted()
    throw new FeedProblem(
      `The feed could not be reached: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

async function readBody(response: Response, list: string): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    if (isRecord(body)) return body
  } catch (error) {
    throw new FeedProblem(
      `The answer to ${list} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  throw new FeedProblem(`The answer to ${list} is not a JSON object.`)
}

/** The next page by the links of JSON:API; the token is only sent to the origin of the feed. */
function nextPage(body: Record<string, unknown>, current: URL, first: URL): URL | null {
  const links = body['links']
  const next = isRecord(links) ? links['next'] : null
  const href = isRecord(next) ? next['href'] : next
  if (typeof href !== 'string' || href === '') return null
  if (!URL.canParse(href, current)) throw new FeedProblem('The link to the next page is no address.')
  const url = new URL(href, current)
  if (url.origin !== first.origin) throw new FeedProblem('The link to the next page leads to another server.')
  return url
}
