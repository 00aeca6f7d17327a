import { afterEach, expect, it, vi } from 'vitest'
import { listAudit } from '#contract/users.ts'
import { fakeServer, ErrorResponse } from './test-server.ts'
import { fetchAll } from './fetch-all.ts'

afterEach(() => vi.unstubAllGlobals())

const entries = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(first + index) }))
const load = (query: object, maxRows = 100_000) =>
  fetchAll(listAudit, { query }, { getKey: ({ id }) => id, maxRows })

it('loads page by page with the filters, and returns no item twice', async () => {
  // An entry was added after page one was loaded: page two begins with the last item of page one.
  const { requests } = fakeServer({
    'GET /v2/audit': ({ query }) => ({
      items: query.get('page') === '1' ? entries(0, 300) : entries(299, 51),
      total: 350,
      page: 1,
      size: 300,
    }),
  })
  const items = await load({ search: 'x', impersonated: 'true' })
  expect(items.map(({ id }) => id)).toEqual(entries(0, 350).map(({ id }) => id))
  expect(requests.map(({ query }) => query.toString())).toEqual([
    'search=x&impersonated=true&page=1&size=300',
    'search=x&impersonated=true&page=2&size=300',
  ])
})

it('stops at the maximum number of rows', async () => {
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

it('ends at an empty page, regardless of the total', async () => {
  fakeServer({ 'GET /v2/audit': () => ({ items: [], total: 10_000, page: 1, size: 300 }) })
  expect(await load({})).toEqual([])
})

it('fails if a page fails, instead of returning an incomplete list', async () => {
  fakeServer({
    'GET /v2/audit': ({ query }) =>
      query.get('page') === '1'
        ? { items: entries(0, 300), total: 600, page: 1, size: 300 }
        : new ErrorResponse(503, 'Not now'),
  })
  await expect(load({})).rejects.toMatchObject({ status: 503 })
})
