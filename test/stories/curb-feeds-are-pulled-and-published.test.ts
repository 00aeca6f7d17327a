import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '../../contract/curb-imports.ts'
import { listCurbZonesAt } from '../../contract/curb-map.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { makeRegions, regions, type TestCity } from '../city.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'

let app: TestApp
let city: TestCity
let server: OperatorServer
const region_id = 'alder'
const { lon, lat } = regions.alder

/** Content of the other agency's server; a page has two records. */
const published = {
  version: '1.1',
  token: 'key-1',
  zones: [] as Record<string, unknown>[],
  policies: [] as Record<string, unknown>[],
}

beforeAll(async () => {
  app = await openTestApp(undefined, { PRIVATE_ADDRESSES: 'on' })
  city = await makeRegions(app)
  server = await openOperator(({ path, query, headers }, response) => {
    const send = (status: number, body: object = {}): void => {
      response.writeHead(status, { 'content-type': `application/vnd.cds+json;version=${published.version}` })
      response.end(JSON.stringify(body))
    }
    const list = path.replace('/curbs/', '')
    if (headers.authorization !== `Bearer ${published.token}`) return send(401)
    if (!headers.accept?.endsWith(published.version)) return send(406)
    if (list !== 'zones' && list !== 'policies') return send(501)
    const page = Number(query.get('page') ?? 1)
    const records = published[list]
    send(200, {
      version: published.version,
      time_zone: regions.alder.timezone,
      currency: 'USD',
      last_updated: Date.now(),
      data: { [list]: records.slice(2 * page - 2, 2 * page) },
      links: { next: records.length > 2 * page ? `${server.url}/curbs/${list}?page=${page + 1}` : null },
    })
  })
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const makePolicy = (curb_policy_id: string, rule: object) => ({
  curb_policy_id,
  published_date: 1_700_000_000_000,
  priority: 10,
  rules: [rule],
})
const free = makePolicy('free', { activity: 'parking' })
const ban = makePolicy('ban', { activity: 'no stopping' })
const broken = makePolicy('broken', { max_stay: 5 })
const makeZone = (id: string, at: number, policy: string, width = 0) => {
  const [west, east] = [lon + at / 1000, lon + (at + 0.5) / 1000]
  return {
    curb_zone_id: id,
    geometry: width
      ? {
          type: 'Polygon',
          coordinates: [
            [
              [west, lat],
              [east, lat],
              [east, lat + width],
              [west, lat + width],
              [west, lat],
            ],
          ],
        }
      : {
          type: 'LineString',
          coordinates: [
            [west, lat],
            [east, lat],
          ],
        },
    curb_policy_ids: [policy],
    published_date: 1_700_000_000_000,
    last_updated_date: 1_700_000_000_000,
    start_date: 1_700_000_000_000,
    street_name: `Street ${id}`,
  }
}

const readFeed = async (inventory_id: string): Promise<contract.CurbInventory> => {
  const { items } = await call(app, city.viewer, contract.listCurbInventories, { params: { region_id } })
  return items.find((item) => item.inventory_id === inventory_id)!
}
const readImports = async (inventory_id: string): Promise<contract.CurbImport[]> => {
  const { items } = await call(app, city.viewer, contract.listCurbImports, { params: { region_id } })
  return items.filter((item) => item.inventory_id === inventory_id)
}

/** Pulls a feed and waits until its import is staged, or published if it is to be. */
async function pull(inventory_id: string): Promise<contract.CurbInventory> {
  const before = (await readFeed(inventory_id)).feed?.last_pull_time
  // Ensures that the next pull has another time.
  await new Promise((resolve) => setTimeout(resolve, 2))
  await call(app, city.admin, contract.pullCurbFeed, { params: { region_id, inventory_id } })
  for (;;) {
    const found = await readFeed(inventory_id)
    const [newest] = await readImports(inventory_id)
    const isStill = newest?.status === 'staging'
    if (found.feed?.last_pull_time !== before && !isStill) {
      const isDue = newest?.status === 'staged' && found.feed?.publishes && !newest.outcomes.refused
      if (!isDue) return readFeed(inventory_id)
    }
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

const listZones = async () =>
  (await call(app, city.viewer, listCurbZonesAt, { params: { region_id }, query: { text: 'Street' } })).items
    .map(({ curb_zone_id: id, street_name: street, state }) => ({ id, street, state }))
    .toSorted((a, b) => a.street.localeCompare(b.street))

const addFeed = (name: string, token: string) =>
  call(app, city.admin, contract.createCurbInventory, {
    params: { region_id },
    body: { name, kind: 'cds', feed: { url: `${server.url}/curbs/`, token, publishes: true } },
  })

let feed: contract.CurbInventory
test('a feed that refuses the token is reported, and nothing is imported', async () => {
  published.policies = [free, ban]
  published.zones = [makeZone('a', 0, 'free'), makeZone('b', 1, 'ban'), makeZone('c', 2, 'free')]
  feed = await addFeed('Neighbor', 'wrong')
  const found = await pull(feed.inventory_id)
  expect(found.feed?.last_problem).toBe('The feed answered 401 to zones.')
  expect(await readImports(feed.inventory_id)).toEqual([])
})

test('all pages of CDS 1.1 are pulled with the token and published without confirmation', async () => {
  await call(app, city.admin, contract.updateCurbInventory, {
    params: { region_id, inventory_id: feed.inventory_id },
    body: { feed: { url: `${server.url}/curbs/`, token: 'key-1', publishes: true } },
  })
  const found = await pull(feed.inventory_id)
  expect(found).toMatchObject({ zones_in_force: 3, feed: { last_problem: null } })
  expect(await readImports(feed.inventory_id)).toMatchObject([
    { status: 'published', outcomes: { accepted: 5, repaired: 0, refused: 0 } },
  ])
  expect((await listZones()).map(({ street, state }) => [street, state])).toEqual([
    ['Street a', 'free_parking'],
    ['Street b', 'no_stopping'],
    ['Street c', 'free_parking'],
  ])
  expect(server.requests.map(({ query }) => query.get('page'))).toContain('2')
})

test('the same content causes no new import; changed content does, and zones keep their ids', async () => {
  const before = await listZones()
  await pull(feed.inventory_id)
  expect(await readImports(feed.inventory_id)).toHaveLength(1)
  published.zones = [makeZone('a', 0, 'ban'), makeZone('b', 1, 'ban')]
  const found = await pull(feed.inventory_id)
  expect(found.zones_in_force).toBe(2)
  const after = await listZones()
  expect(after.map(({ street, state }) => [street, state])).toEqual([
    ['Street a', 'no_stopping'],
    ['Street b', 'no_stopping'],
  ])
  expect(after.map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id))
})

test('an import with a rejected record waits for confirmation', async () => {
  published.policies = [free, ban, broken]
  published.zones = [makeZone('a', 0, 'free'), makeZone('b', 1, 'ban')]
  await pull(feed.inventory_id)
  const [newest] = await readImports(feed.inventory_id)
  expect(newest).toMatchObject({ status: 'staged', outcomes: { refused: 1 } })
  expect((await listZones())[0]).toMatchObject({ state: 'no_stopping' })
  await call(app, city.admin, contract.publishCurbImport, {
    params: { region_id, import_id: newest!.import_id },
    body: {},
  })
  expect((await listZones())[0]).toMatchObject({ state: 'free_parking' })
})

test('a server of CDS 1.0 is requested in that version, and its areas become zones', async () => {
  Object.assign(published, { version: '1.0', token: 'key-2', policies: [free] })
  published.zones = [makeZone('x', 5, 'free', 0.00002)]
  const other = await addFeed('County', 'key-2')
  const found = await pull(other.inventory_id)
  expect(found).toMatchObject({ zones_in_force: 1, feed: { last_problem: null } })
  expect((await listZones()).at(-1)).toMatchObject({ street: 'Street x', state: 'free_parking' })
})
