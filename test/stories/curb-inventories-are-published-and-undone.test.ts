import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import * as contract from '#contract/curb-map.ts'
import { listLayers, listShapes } from '#contract/geography.ts'
import { hourMs } from '#contract/period.ts'
import { publishImport } from '#server/curb/store/publish-import.ts'
import { undoImport } from '#server/curb/store/undo-import.ts'
import type { StagedRecord } from '#server/curb/store/staged.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { checkCurbSchema, hasCurbSchemas } from '../curb/curb-schemas.ts'
import { addInventory, stageImport } from '../curb/stage-import.ts'

const region_id = 'alder'
const params = { region_id }
let app: TestApp
let city: TestCity
let author: { scope: ReturnType<typeof regionScope>; email: string }
let inventory: string
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  author = { scope: regionScope(city.organizations.alder, region_id), email: 'planner@example.com' }
  inventory = await addInventory(app, region_id, 'Survey')
})
afterAll(() => app.close())

const paid: CdsPolicyContent = {
  name: 'Paid parking',
  priority: 60,
  rules: [{ activity: 'parking', max_stay: 120, rate: [{ rate: 150, rate_unit: 'hour' }] }],
  time_spans: [
    {
      days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
      time_of_day_start: '09:00',
      time_of_day_end: '18:00',
    },
  ],
}
const morning: CdsPolicyContent = {
  name: 'Morning rush',
  priority: 30,
  rules: [{ activity: 'no stopping' }],
  time_spans: [{ days_of_week: ['mon'], time_of_day_start: '07:00', time_of_day_end: '10:00' }],
}
const free: CdsPolicyContent = { priority: 99, rules: [{ activity: 'parking' }] }

/** Makes a zone of about 80 m along a street, by its number. */
const makeZone = (
  number: number,
  policies: CdsPolicyContent[],
  overrides: { shift?: number; name?: string; spaces?: number } = {},
): { id: string; staged: StagedRecord } => ({
  id: `segment ${number}`,
  staged: {
    kind: 'zone',
    zone: {
      geometry: {
        type: 'LineString',
        coordinates: [
          [-72.5 + number * 0.01, 43 + (overrides.shift ?? 0)],
          [-72.499 + number * 0.01, 43 + (overrides.shift ?? 0)],
        ],
      },
      street_name: overrides.name ?? `${number} Street`,
      street_side: 'N',
      ...(overrides.spaces === undefined ? {} : { num_spaces: overrides.spaces }),
    },
    policies,
    policyIds: [],
    history: [],
    capacity: [],
  },
})
const publish = async (records: readonly { id: string; staged: StagedRecord }[], effective: string) => {
  const importId = await stageImport(app, region_id, inventory, records)
  const counts = await publishImport(app.state, author, {
    regionId: region_id,
    importId,
    effective: new Date(effective),
    at: new Date(effective),
  })
  return { importId, counts }
}
const listZonesAt = async (at: string) =>
  (await call(app, city.viewer, contract.listCurbZonesAt, { params, query: { at: Date.parse(at) } })).items
const describeZones = (rows: readonly { street_name: string; state: string }[]) =>
  rows.map(({ street_name, state }) => `${street_name}: ${state}`)

let first: Awaited<ReturnType<typeof publish>>
let second: Awaited<ReturnType<typeof publish>>

test('a published import is in force from its effective time', async () => {
  first = await publish(
    [makeZone(1, [paid, morning, free], { spaces: 12 }), makeZone(2, [paid, free]), makeZone(3, [free])],
    '2026-03-02T00:00:00Z',
  )
  expect(first.counts).toEqual({ created: 3, changed: 0, unchanged: 0, ended: 0, refused: 0 })
  expect(await listZonesAt('2026-03-01T12:00:00Z')).toEqual([])
  // Monday 2026-03-02 09:30 in New York.
  const rows = await listZonesAt('2026-03-02T14:30:00Z')
  expect(describeZones(rows)).toEqual([
    '1 Street: no_stopping',
    '2 Street: paid_parking',
    '3 Street: free_parking',
  ])
  expect(rows.map(({ capacity, max_stay, first_hour }) => [capacity, max_stay, first_hour])).toEqual([
    [12, null, null],
    // 81 m for vehicles of 6.1 m each.
    [13, 120, 150],
    [13, null, null],
  ])
  // The two zones with the same later policies share their rule set with no other zone.
  expect(new Set(rows.map(({ rule_set }) => rule_set)).size).toBe(3)
})

test('the weekly states of the rule sets equal the rows at every hour', async () => {
  const week = await call(app, city.viewer, contract.getCurbWeek, {
    params,
    query: { at: Date.parse('2026-03-04T12:00:00Z') },
  })
  expect([week.zone_count, week.sets.length]).toEqual([3, 3])
  const hours = Array.from({ length: 24 * 7 }, (_, hour) => week.from + hour * hourMs)
  // The import is in force since Sunday 19:00 local time.
  for (const at of hours.filter((_, index) => index % 5 === 0)) {
    const rows = await listZonesAt(new Date(at).toISOString())
    const states = rows.map(({ rule_set }) => {
      const steps = week.sets.find((set) => set.rule_set === rule_set)!.steps
      const [, situation] = steps.findLast(([minute]) => week.from + minute * 60_000 <= at)!
      return week.situations[situation]!.state
    })
    expect(states).toEqual(rows.map(({ state }) => state))
  }
})

test('a point returns the nearest zone, the deciding rule and what applies next', async () => {
  const at = Date.parse('2026-03-02T14:30:00Z')
  const query = { lon: -72.4895, lat: 43.0001, at }
  const { items } = await call(app, city.viewer, contract.getCurbHere, { params, query })
  expect(items).toMatchObject([
    { street_name: '1 Street', distance_m: 11.1, situation: { state: 'no_stopping' } },
  ])
  const { parking } = items[0]!.situation.uses
  expect(parking).toMatchObject({
    answer: 'forbidden',
    until: Date.parse('2026-03-02T15:00:00Z'),
    next: { answer: 'allowed', max_stay: 120 },
  })
  const far = await call(app, city.viewer, contract.getCurbHere, { params, query: { ...query, lat: 43.01 } })
  expect(far.items).toEqual([])
})

test('the next import retains equal zones, changes policies in place, and retires changed geometry', async () => {
  second = await publish(
    [makeZone(1, [paid, free], { spaces: 12 }), makeZone(2, [paid, free], { shift: 0.0001 })],
    '2026-04-01T00:00:00Z',
  )
  expect(second.counts).toEqual({ created: 0, changed: 2, unchanged: 0, ended: 1, refused: 0 })
  const before = await listZonesAt('2026-03-30T13:30:00Z')
  const after = await listZonesAt('2026-04-06T13:30:00Z')
  expect(describeZones(before)).toEqual([
    '1 Street: no_stopping',
    '2 Street: paid_parking',
    '3 Street: free_parking',
  ])
  expect(describeZones(after)).toEqual(['1 Street: paid_parking', '2 Street: paid_parking'])
  expect(after[0]!.curb_zone_id).toBe(before[0]!.curb_zone_id)
  expect(after[1]!.curb_zone_id).not.toBe(before[1]!.curb_zone_id)
  const card = await call(app, city.viewer, contract.getCurbZone, {
    params: { region_id, curb_zone_id: after[1]!.curb_zone_id },
    query: { at: Date.parse('2026-04-06T13:30:00Z') },
  })
  expect(card.zone.prev_curb_zone_ids).toEqual([before[1]!.curb_zone_id])
  const policies = await app.state.as(systemScope).selectFrom('curb_policy').selectAll().execute()
  expect(policies.length).toBe(3)
})

test('zones in force are a layer of the region', async () => {
  const { items } = await call(app, city.viewer, listLayers, { params })
  const layer = items.find(({ level }) => level === 'blockface')
  expect(layer).toMatchObject({ editable: false, shape_count: 2, geometry_type: 'line' })
  const shapes = await call(app, city.viewer, listShapes, {
    params,
    query: { shape_layer_uuid: layer!.shape_layer_uuid },
  })
  expect(shapes.items.map(({ shape_name }) => shape_name)).toEqual(['1 Street, N side', '2 Street, N side'])
})

test('imports are undone in reverse order, which restores the state before', async () => {
  const undo = (importId: string) =>
    undoImport(app.state, author, { regionId: region_id, importId, at: new Date('2026-04-02T00:00:00Z') })
  await expect(undo(first.importId)).rejects.toThrow('undone in reverse order')
  await undo(second.importId)
  expect(describeZones(await listZonesAt('2026-04-06T13:30:00Z'))).toEqual([
    '1 Street: no_stopping',
    '2 Street: paid_parking',
    '3 Street: free_parking',
  ])
  await undo(first.importId)
  expect(await listZonesAt('2026-04-06T13:30:00Z')).toEqual([])
  for (const table of ['curb_zone', 'curb_zone_policy', 'curb_capacity', 'curb_policy'] as const)
    expect(await app.state.as(systemScope).selectFrom(table).selectAll().execute()).toEqual([])
  await expect(undo(second.importId)).rejects.toThrow('only a published one can be undone')
})

test('the same file changes nothing', async () => {
  const records = [makeZone(1, [paid, morning, free]), makeZone(2, [paid, free])]
  await publish(records, '2026-05-01T00:00:00Z')
  const { counts } = await publish(records, '2026-06-01T00:00:00Z')
  expect(counts).toEqual({ created: 0, changed: 0, unchanged: 2, ended: 0, refused: 0 })
})

test('regulations are public only where the region says so, and never those of another region', async () => {
  const problem = readProblem(await send(app, null, contract.getPublicCurbWeek, { params }))
  expect(problem).toMatchObject({ status: 404 })
  await app.state
    .as(systemScope)
    .updateTable('curb_settings')
    .set({ settings: JSON.stringify({ isPublic: true }), version: 99 })
    .where('region_id', '=', region_id)
    .execute()
  const week = await call(app, null, contract.getPublicCurbWeek, {
    params,
    query: { at: Date.parse('2026-05-06T12:00:00Z') },
  })
  expect(week.zone_count).toBe(2)
  expect(
    readProblem(await send(app, null, contract.getPublicCurbWeek, { params: { region_id: 'birch' } })),
  ).toMatchObject({ status: 404 })
  expect(readProblem(await send(app, city.stranger, contract.getCurbWeek, { params }))).toMatchObject({
    status: 404,
  })
})

test('tiles name the rule set of each zone', async () => {
  const at = Date.parse('2026-05-06T12:00:00Z')
  const week = await call(app, city.viewer, contract.getCurbWeek, { params, query: { at } })
  const x = Math.floor(((-72.4895 + 180) / 360) * 2 ** 14)
  const y = Math.floor((0.5 - Math.asinh(Math.tan((43 * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** 14)
  const tile = { region_id, z: 14, x, y }
  const response = await send(app, city.viewer, contract.getCurbTile, {
    params: tile,
    query: { epoch: week.epoch, v: week.version },
  })
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'gzip'])
})

test('a zone that is unreadable in the next file does not change', async () => {
  const records = [makeZone(1, [paid, free]), makeZone(2, [paid, free])]
  await publish(records, '2026-06-10T00:00:00Z')
  const importId = await stageImport(app, region_id, inventory, records)
  await app.state
    .as(systemScope)
    .updateTable('curb_import_row')
    .set({ outcome: 'refused', staged: null })
    .where('import_id', '=', importId)
    .where('row', '=', 1)
    .execute()
  const at = new Date('2026-06-20T00:00:00Z')
  const counts = await publishImport(app.state, author, { regionId: region_id, importId, effective: at, at })
  expect(counts).toEqual({ created: 0, changed: 0, unchanged: 1, ended: 0, refused: 0 })
  expect((await listZonesAt('2026-06-21T12:00:00Z')).length).toBe(2)
})

const getCds = (path: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url: `/cds/curbs/${region_id}/curbs/${path}`, headers })
const acceptVersion = (number: string) => ({ accept: `application/vnd.cds+json;version=${number}` })

test('the Curbs API of CDS has the same content, including past policies', async () => {
  const at = Date.parse('2026-07-06T13:30:00Z')
  await publish([makeZone(1, [paid, free]), makeZone(2, [paid, free])], '2026-07-01T00:00:00Z')
  const response = await getCds(`zones?time=${at}`, acceptVersion('1.1'))
  expect(response.headers['content-type']).toBe('application/vnd.cds+json;version=1.1')
  const { data, time_zone, currency } = response.json() as {
    data: {
      zones: {
        curb_policy_ids: string[]
        street_name: string
        prev_policies?: object[]
        geometry: { type: string }
      }[]
    }
    time_zone: string
    currency: string
  }
  expect([time_zone, currency, data.zones.length]).toEqual(['America/New_York', 'USD', 2])
  const zone = data.zones.find(({ street_name: street }) => street === '1 Street')
  expect(zone).toMatchObject({
    street_name: '1 Street',
    geometry: { type: 'LineString' },
    prev_policies: [
      { start_date: Date.parse('2026-05-01T00:00:00Z'), end_date: Date.parse('2026-06-10T00:00:00Z') },
    ],
  })
  expect(zone!.curb_policy_ids.length).toBe(2)
  const policies = (await getCds('policies', acceptVersion('1.1'))).json() as { data: { policies: object[] } }
  expect(policies.data.policies).toContainEqual(
    expect.objectContaining({ name: 'Paid parking', priority: 60 }),
  )
})

test.runIf(hasCurbSchemas)('the Curbs API matches the official schemas', async () => {
  const responses = await Promise.all(['zones', 'policies'].map((path) => getCds(path, acceptVersion('1.1'))))
  const [zones, policies] = responses.map((response) => (response.json() as { data: object }).data) as [
    { zones: object[] },
    { policies: object[] },
  ]
  expect(zones.zones.map((zone) => checkCurbSchema('curb_zone', zone))).toEqual([null, null])
  expect(policies.policies.map((policy) => checkCurbSchema('curb_policy', policy))).toEqual(
    policies.policies.map(() => null),
  )
})

test('CDS 1.0 returns polygons and no fields of 1.1; an unknown version is rejected', async () => {
  const zones = (await getCds('zones', acceptVersion('1.0'))).json() as {
    data: { zones: { geometry: { type: string } }[] }
  }
  expect(zones.data.zones.map(({ geometry }) => geometry.type)).toEqual(['Polygon', 'Polygon'])
  expect((await getCds('zones', acceptVersion('9.9'))).statusCode).toBe(406)
  expect((await getCds('objects', acceptVersion('1.0'))).statusCode).toBe(501)
})

test('responses of the Curbs API are paged, and not sent again if unchanged', async () => {
  const first = await getCds('zones?limit=1')
  const { links, data } = first.json() as {
    links: { next: string | null; last: string }
    data: { zones: object[] }
  }
  expect([data.zones.length, new URL(links.next!).searchParams.get('page')]).toEqual([1, '2'])
  const again = await getCds('zones?limit=1', { 'if-none-match': String(first.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const near = (await getCds('zones?lat=43&lng=-72.4895&radius=5000')).json() as { data: { zones: object[] } }
  expect(near.data.zones).toMatchObject([{ street_name: '1 Street' }])
  expect((await getCds('zones?lat=43')).statusCode).toBe(400)
})
