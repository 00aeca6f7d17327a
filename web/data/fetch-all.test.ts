import { afterEach, expect, it, vi } from 'vitest'
import { listAudit } from '#contract/users.ts'
import { fakeServer, Refusal } from './fake-server.ts'
import { fetchAll } from './fetch-all.ts'

afterEach(() => vi.unstubAllGlobals())

const entries = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(first + at) }))
const load = (query: object, maxRows?: number) =>
  fetchAll(listAudit, { query }, ({ id }) => id, undefined, maxRows)

it('asks page by page, each with the filters, and takes none twice', async () => {
  // One entry was written while the first page was on its way: the second begins with the last of the first.
  const { requests } = fakeServer({
    'GET /v2/audit': ({ query }) => ({
      items: query.get('page') === '1' ? entries(0, 300) : entries(299, 51),
      total: 350,
      page: 1,
      size: 300,
    }),
  })
  const found = await load({ search: 'x', impersonated: 'true' })
  expect(found.map(({ id }) => id)).toEqual(entries(0, 350).map(({ id }) => id))
  expect(requests.map(({ query }) => query.toString())).toEqual([
    'search=x&impersonated=true&page=1&size=300',
    'search=x&impersonated=true&page=2&size=300',
  ])
})

it('stops at the most that a file holds', async () => {
  const { requests } = fakeServer({
    'GET /v2/audit': ({ query }) => ({
      items: entries(Number(query.get('page')) * 300, 300),
      total: 90_000,
      page: 1,
      size: 300,
    }),
  })
  expect(await load({}, 500)).toHaveLength(500)
  expect(requests).toHaveLength(2)
})

it('ends where a page is empty, whatever the total says', async () => {
  fakeServer({ 'GET /v2/audit': () => ({ items: [], total: 10_000, page: 1, size: 300 }) })
  expect(await load({})).toEqual([])
})

it('fails where a page fails: half a log looks like a whole one', async () => {
  fakeServer({
    'GET /v2/audit': ({ query }) =>
      query.get('page') === '1'
        ? { items: entries(0, 300), total: 600, page: 1, size: 300 }
        : new Refusal(503, 'Not now'),
  })
  await expect(load({})).rejects.toMatchObject({ status: 503 })
})
