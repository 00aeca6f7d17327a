import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { GuardedRequest } from '#server/http/guarded-fetch.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { createFolder } from '../../../test/engines/open-stores.ts'
import { FeedProblem, pullCdsFeed } from './pull-cds-feed.ts'

const { folder: dataDir, remove } = createFolder()
afterAll(remove)

type Answer = (url: URL, request: GuardedRequest) => Response
interface SentRequest {
  url: string
  accept: string
  authorization: string | undefined
}

/** Pulls from a feed with these responses. Returns the bodies of the stored pages, and the requests. */
async function pull(answer: Answer, token: string | null = 'secret') {
  const requests: SentRequest[] = []
  const { files, hash } = await pullCdsFeed(
    { url: 'https://curbs.example/city/curbs/', token },
    {
      dataDir,
      blobs: openDirectoryBlobs(dataDir),
      stop: new AbortController().signal,
      fetch: async (url, request = {}) => {
        requests.push({
          url,
          accept: request.headers?.['accept'] ?? '',
          authorization: request.headers?.['authorization'],
        })
        return answer(new URL(url), request)
      },
    },
  )
  const pages = files.map(
    (file) => JSON.parse(fs.readFileSync(path.join(dataDir, file.path), 'utf8')) as { data: object },
  )
  return { requests, hash, pages: pages.map(({ data }) => data) }
}

const getListName = (url: URL): string => url.pathname.split('/').at(-1) ?? ''
const createResponse = (data: object, overrides: object = {}): Response =>
  Response.json({ version: '1.1', data, ...overrides })

describe('a CDS feed', () => {
  it('is read page by page with its token, without the lists that it does not have', async () => {
    const { requests, pages } = await pull((url) => {
      const list = getListName(url)
      if (list === 'objects') return new Response(null, { status: 501 })
      if (list === 'zones' && !url.searchParams.has('page'))
        return createResponse({ zones: [1] }, { links: { next: { href: '/city/curbs/zones?page=2' } } })
      return createResponse({ [list]: [2] })
    })
    expect(pages).toEqual([
      { zones: [1] },
      { zones: [2] },
      { policies: [2] },
      { areas: [2] },
      { spaces: [2] },
    ])
    expect(requests.map(({ url }) => url.replace('https://curbs.example/city/curbs/', ''))).toEqual([
      'zones',
      'zones?page=2',
      'policies',
      'areas',
      'spaces',
      'objects',
    ])
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']))
  })

  it('is requested in an older version if it does not support the newest', async () => {
    const { requests } = await pull(
      (url, { headers }) =>
        headers?.['accept']?.endsWith('1.0')
          ? createResponse({ [getListName(url)]: [] })
          : new Response(null, { status: 406 }),
      null,
    )
    expect(requests.slice(0, 2).map(({ accept }) => accept)).toEqual([
      'application/vnd.cds+json;version=1.1',
      'application/vnd.cds+json;version=1.0',
    ])
    expect(requests[0]?.authorization).toBeUndefined()
  })

  it('has the same hash while its records are unchanged', async () => {
    const pullAt = (time: number, zones: unknown[]) =>
      pull((url) => createResponse({ [getListName(url)]: zones }, { last_updated: time }))
    const { hash } = await pullAt(1, [7])
    expect((await pullAt(2, [7])).hash).toBe(hash)
    expect((await pullAt(2, [8])).hash).not.toBe(hash)
  })

  it('sends no token to another server, and leaves no files if it fails', async () => {
    const earlierCount = fs.readdirSync(`${dataDir}/curb-files`).length
    const pullElsewhere = pull((url) =>
      createResponse({ [getListName(url)]: [] }, { links: { next: 'https://elsewhere.example/zones' } }),
    )
    await expect(pullElsewhere).rejects.toThrow('leads to another server')
    await expect(pull(() => new Response('no', { status: 500 }))).rejects.toBeInstanceOf(FeedProblem)
    await expect(pull(() => new Response('<html>'))).rejects.toThrow('is not JSON')
    await expect(pull((url) => createResponse({}, { links: { next: url.href } }))).rejects.toThrow(
      'do not end',
    )
    expect(fs.readdirSync(`${dataDir}/curb-files`)).toHaveLength(earlierCount)
  })
})
