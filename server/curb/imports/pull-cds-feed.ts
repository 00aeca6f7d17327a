import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { isRecord } from './checks/values.ts'
import { type CurbFileStore, removeCurbFiles, storeCurbFile, type StoredFile } from './curb-files.ts'

/** Thrown if a feed could not be pulled. The message is shown to the user. */
export class FeedProblem extends Error {}

/** Lists that a feed must have, and lists that are read if it has them. */
const requiredLists = ['zones', 'policies'] as const
const optionalLists = ['areas', 'spaces', 'objects'] as const

/** Accept headers in the order in which they are tried. Servers answer 406 to unsupported versions. */
const accepts = [
  'application/vnd.cds+json;version=1.1',
  'application/vnd.cds+json;version=1.0',
  'application/json',
]

/** Pages of a list. */
const maxPages = 2000
const maxPageBytes = 64 * 1024 * 1024
const timeoutMs = 60_000

interface CdsFeed {
  /** Base address: `/zones` and the other lists are appended. */
  url: string
  token: string | null
}

interface PullOptions extends CurbFileStore {
  fetch: GuardedFetch
  stop: AbortSignal
}

/** Pulls all lists of a feed into files, one per page. The hash covers records, not response times. */
export async function pullCdsFeed(
  feed: CdsFeed,
  options: PullOptions,
): Promise<{ files: StoredFile[]; hash: string }> {
  const files: StoredFile[] = []
  const hash = createHash('sha256')
  try {
    for (const list of [...requiredLists, ...optionalLists])
      for await (const page of requestPages(feed, list, options)) {
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

/** Requests all pages of a list of a CDS API. */
async function* requestPages(
  feed: CdsFeed,
  list: string,
  options: PullOptions,
): AsyncGenerator<Record<string, unknown>> {
  const firstUrl = new URL(feed.url)
  firstUrl.pathname = `${firstUrl.pathname.replace(/\/+$/, '')}/${list}`
  const isOptional = (optionalLists as readonly string[]).includes(list)
  const seenUrls = new Set<string>()
  let acceptIndex = 0
  for (let url: URL | null = firstUrl; url;) {
    if (seenUrls.has(url.href) || seenUrls.size >= maxPages)
      throw new FeedProblem(`The pages of ${list} do not end.`)
    const response: Response = await requestPage(
      url,
      feed,
      accepts[acceptIndex] ?? 'application/json',
      options,
    )
    if (response.status === 406 && acceptIndex + 1 < accepts.length) {
      acceptIndex++
      continue
    }
    seenUrls.add(url.href)
    if (isOptional && [404, 405, 501].includes(response.status)) return
    if (!response.ok) throw new FeedProblem(`The feed answered ${response.status} to ${list}.`)
    const body = await readBody(response, list)
    yield body
    url = findNextPage(body, url, firstUrl)
  }
}

/** Requests a page. @throws FeedProblem if the feed cannot be reached. */
async function requestPage(
  url: URL,
  { token }: CdsFeed,
  accept: string,
  { fetch, stop }: PullOptions,
): Promise<Response> {
  try {
    return await fetch(url.href, {
      headers: { accept, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      maxBytes: maxPageBytes,
      timeoutMs,
      signal: stop,
    })
  } catch (error) {
    stop.throwIfAborted()
    throw new FeedProblem(`The feed could not be reached: ${getErrorMessage(error)}`)
  }
}

async function readBody(response: Response, list: string): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    if (isRecord(body)) return body
  } catch (error) {
    throw new FeedProblem(`The answer to ${list} is not JSON: ${getErrorMessage(error)}`)
  }
  throw new FeedProblem(`The answer to ${list} is not a JSON object.`)
}

/** Returns `links.next`, which must be on the server of the feed, because the token is sent to it. */
function findNextPage(body: Record<string, unknown>, current: URL, first: URL): URL | null {
  const links = body['links']
  const next = isRecord(links) ? links['next'] : null
  const href = isRecord(next) ? next['href'] : next
  if (typeof href !== 'string' || href === '') return null
  if (!URL.canParse(href, current)) throw new FeedProblem('The link to the next page is no address.')
  const url = new URL(href, current)
  if (url.origin !== first.origin) throw new FeedProblem('The link to the next page leads to another server.')
  return url
}
