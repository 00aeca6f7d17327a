import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as contract from '../../contract/curb-imports.ts'
import { systemScope } from '../../server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeRegions, regions, type TestCity } from '../city.ts'

let app: TestApp
let city: TestCity
const region_id = 'alder'
const { lon, lat } = regions.alder

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const makePolicy = (curb_policy_id: string, activity: string, overrides: object = {}) => ({
  curb_policy_id,
  published_date: 1_700_000_000_000,
  priority: 1,
  rules: [{ activity, ...overrides }],
})
const makeZone = (curb_zone_id: string, at: number, curb_policy_ids: string[], overrides: object = {}) => ({
  curb_zone_id,
  geometry: {
    type: 'LineString',
    coordinates: [
      [lon + at / 1000, lat],
      [lon + (at + 0.5) / 1000, lat],
    ],
  },
  curb_policy_ids,
  published_date: 1_700_000_000_000,
  last_updated_date: 1_700_000_000_000,
  start_date: 1_700_000_000_000,
  street_name: 'Main St',
  ...overrides,
})
const makeCdsFile = (lists: object): Uint8Array =>
  Buffer.from(
    JSON.stringify({ version: '1.1', time_zone: regions.alder.timezone, currency: 'USD', data: lists }),
  )

async function makeInventory(kind: contract.CurbFormatKey, name: string): Promise<contract.CurbInventory> {
  return call(app, city.admin, contract.createCurbInventory, { params: { region_id }, body: { name, kind } })
}

/** Uploads a file and waits until it is staged, needs a mapping or failed. */
async function upload(
  inventory_id: string,
  file_name: string,
  body: Uint8Array,
  query: object = {},
): Promise<contract.CurbImport> {
  const sent = await call(app, city.admin, contract.uploadCurbFile, {
    params: { region_id, inventory_id },
    query: { file_name, ...query },
    body,
  })
  return waitForImport(sent.import_id)
}

async function waitForImport(import_id: string): Promise<contract.CurbImport> {
  for (;;) {
    const found = await call(app, city.viewer, contract.getCurbImport, { params: { region_id, import_id } })
    if (found.status !== 'staging') return found
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

const readRows = (import_id: string, query: object = {}) =>
  call(app, city.viewer, contract.listCurbImportRows, { params: { region_id, import_id }, query })
const countZonesInForce = async (): Promise<number> => {
  const { items } = await call(app, city.viewer, contract.listCurbInventories, { params: { region_id } })
  return items.reduce((sum, inventory) => sum + inventory.zones_in_force, 0)
}

describe('a CDS file', () => {
  let inventory: contract.CurbInventory
  let first: contract.CurbImport

  it('is staged row by row; broken records are rejected and valid ones retained', async () => {
    inventory = await makeInventory('cds', 'Downtown')
    first = await upload(
      inventory.inventory_id,
      'curbs.json',
      makeCdsFile({
        zones: [
          makeZone('z1', 0, ['p1', 'p2'], { num_spaces: 3 }),
          makeZone('z2', 1, ['p1', 'unknown']),
          makeZone('z1', 2, ['p1']),
          {
            curb_zone_id: 'z4',
            geometry: {
              type: 'LineString',
              coordinates: [
                [lon, lat],
                [lon, lat],
              ],
            },
          },
          makeZone('z5', 3, ['p2'], { street_side: 'north' }),
        ],
        policies: [
          makePolicy('p1', 'parking', { max_stay: 120 }),
          makePolicy('p2', 'No Stopping'),
          makePolicy('p3', ''),
        ],
      }),
    )
    expect(first).toMatchObject({
      status: 'staged',
      rows: 8,
      outcomes: { accepted: 2, repaired: 3, refused: 3 },
      kinds: { zone: 5, policy: 3 },
      file_findings: [],
    })
    const refused = await readRows(first.import_id, { outcome: 'refused' })
    expect(refused.items.map((row) => [row.row, row.record_id, row.findings[0]?.code])).toEqual([
      [3, 'z1', 'duplicate_id'],
      [4, 'z4', 'zero_length'],
      [8, 'p3', 'no_activity'],
    ])
    const spelled = await readRows(first.import_id, { code: 'spelling', kind: 'zone' })
    expect(spelled.items.map((row) => row.record_id)).toEqual(['z5'])
    expect(spelled.items[0]?.staged).toMatchObject({ zone: { street_side: 'N' }, policyIds: ['p2'] })
    expect((await readRows(first.import_id, { search: 'z5' })).total).toBe(1)
  })

  it('is shown on a map and downloaded as CSV', async () => {
    const params = { region_id, import_id: first.import_id }
    const map = await call(app, city.viewer, contract.getCurbImportMap, { params })
    expect(map.zones.map(({ row, outcome }) => [row, outcome])).toEqual([
      [1, 'accepted'],
      [2, 'repaired'],
      [5, 'repaired'],
    ])
    const csv = Buffer.from(
      await call(app, city.viewer, contract.downloadCurbImportRows, { params }),
    ).toString()
    expect(csv.split('\r\n')).toHaveLength(10)
    expect(csv).toContain('4,zone,z4,refused,,geometry: The line has no length.')
  })

  it('is published and undone as one change by users who may edit', async () => {
    const params = { region_id, import_id: first.import_id }
    const denied = await send(app, city.viewer, contract.publishCurbImport, { params, body: {} })
    expect(readProblem(denied).code).toBe('forbidden')
    const published = await call(app, city.admin, contract.publishCurbImport, { params, body: {} })
    expect(published.status).toBe('published')
    expect(await countZonesInForce()).toBe(3)
    const response = await send(app, city.admin, contract.deleteCurbImport, { params })
    expect(readProblem(response).code).toBe('conflict')
    const undone = await call(app, city.admin, contract.undoCurbImport, { params })
    expect(undone.status).toBe('undone')
    expect(await countZonesInForce()).toBe(0)
    expect(await call(app, city.admin, contract.deleteCurbImport, { params })).toEqual({ deleted_rows: 8 })
  })

  it('fails as a whole if it is truncated, and can be deleted', async () => {
    const whole = makeCdsFile({ zones: [makeZone('z1', 0, [])] })
    const truncated = await upload(inventory.inventory_id, 'cut.json', whole.subarray(0, whole.length - 20))
    expect(truncated).toMatchObject({ status: 'failed', problem: expect.stringContaining('ends too early') })
    const denied = await send(app, city.admin, contract.publishCurbImport, {
      params: { region_id, import_id: truncated.import_id },
      body: {},
    })
    expect(readProblem(denied).code).toBe('conflict')
  })

  it('is not visible to another organization', async () => {
    const denied = await send(app, city.stranger, contract.listCurbImports, { params: { region_id } })
    expect(readProblem(denied).code).toBe('not_found')
  })
})

const makeTable = (rows: string[]): Uint8Array =>
  Buffer.from(['Meter ID,Latitude,Longitude,Street,Rate,Hours of operation,Time limit', ...rows].join('\n'))

describe('a table of meters', () => {
  it('waits for a mapping, which is suggested with ten rows and stored for the next file', async () => {
    const inventory = await makeInventory('table', 'Meters')
    const rows = Array.from(
      { length: 12 },
      (_, index) =>
        `M${index},${lat + index / 10_000},${lon},Oak St,$1.50,${index === 3 ? 'call inside' : '8AM - 6PM MON-SAT'},120`,
    )
    const waiting = await upload(inventory.inventory_id, 'meters.csv', makeTable(rows))
    expect(waiting.status).toBe('waiting')
    const params = { region_id, import_id: waiting.import_id }
    const preview = await call(app, city.admin, contract.previewCurbImport, { params, body: {} })
    expect(preview.mapping.columns).toMatchObject({
      id: 'Meter ID',
      rate: 'Rate',
      hours: 'Hours of operation',
    })
    expect(preview.rows).toHaveLength(10)
    expect(preview.rows[3]?.findings.map(({ code }) => code)).toContain('text_set_aside')
    await call(app, city.admin, contract.startCurbImport, { params, body: { mapping: preview.mapping } })
    expect(await waitForImport(waiting.import_id)).toMatchObject({
      outcomes: { accepted: 11, repaired: 1, refused: 0 },
    })
    const again = await upload(inventory.inventory_id, 'meters-2.csv', makeTable(rows))
    expect(again.status).toBe('staged')
  })
})

describe('a survey of curb lines and signs', () => {
  it('is one import of two files, with the sign texts beside the derived rules in each row', async () => {
    const inventory = await makeInventory('signs', 'Signs')
    const makeFeatures = (list: object[]): Uint8Array =>
      Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: list }))
    const makeSign = (id: string, east: number, text: string, arrow: string) => ({
      type: 'Feature',
      properties: { sign_id: id, sign_text: text, arrow },
      geometry: { type: 'Point', coordinates: [lon + east, lat + 0.00001] },
    })
    const curb = {
      type: 'Feature',
      properties: { label: '1N1' },
      geometry: {
        type: 'LineString',
        coordinates: [
          [lon, lat],
          [lon + 0.001, lat],
        ],
      },
    }
    const first = await upload(inventory.inventory_id, 'curbs.geojson', makeFeatures([curb]))
    const both = await upload(
      inventory.inventory_id,
      'signs.geojson',
      makeFeatures([
        makeSign('s1', 0.0003, 'NO STOPPING 7AM-9AM', '<---- (Left Arrow)'),
        makeSign('s2', 0.0006, 'NO STOPPING 7AM-9AM', '----> (Right Arrow)'),
        makeSign('s2', 0.0008, 'PARK BOSTON', ''),
      ]),
      { with_import: first.import_id },
    )
    expect(both).toMatchObject({ import_id: first.import_id, status: 'waiting' })
    const params = { region_id, import_id: first.import_id }
    await call(app, city.admin, contract.startCurbImport, { params, body: {} })
    await waitForImport(first.import_id)
    const { items } = await readRows(first.import_id, { kind: 'zone' })
    expect(items.map(({ staged }) => (staged as { policies: object[] }).policies.length)).toEqual([0, 1, 0])
    expect(items[1]?.source).toMatchObject({ signs: [{ text: 'NO STOPPING 7AM-9AM' }, { id: 's2' }] })
    expect(items[1]?.confidence).toBe(0.95)
    const signs = await readRows(first.import_id, { kind: 'object' })
    expect(signs.items.map(({ record_id }) => record_id)).toEqual(['s1', 's2', 's2#2'])
    const objects = signs.items.map(({ staged }) => (staged as { place: unknown }).place)
    expect(objects).toMatchObject([
      { custom_attributes: { sign_id: 's1' } },
      { custom_attributes: { sign_id: 's2' } },
      { custom_attributes: { sign_id: 's2#2' } },
    ])
    const uuids = z.array(z.object({ curb_object_id: z.uuid() })).parse(objects)
    expect(new Set(uuids.map(({ curb_object_id: id }) => id)).size).toBe(3)
    await call(app, city.admin, contract.publishCurbImport, { params, body: {} })
    expect(await waitForImport(first.import_id)).toMatchObject({ status: 'published' })
  })

  it('is not published from a time at which the source was already replaced', async () => {
    const inventory = await makeInventory('cds', 'Corrected')
    const curb_object_id = '00000000-0000-4000-8000-0000000000f1'
    const geometry = { type: 'Point', coordinates: [lon, lat] }
    const publish = async (file_name: string, name: string) => {
      const made = await upload(
        inventory.inventory_id,
        file_name,
        makeCdsFile({
          objects: [{ curb_object_id, geometry, object_type: 'fire_hydrant', name, published_date: 1 }],
        }),
      )
      return send(app, city.admin, contract.publishCurbImport, {
        params: { region_id, import_id: made.import_id },
        body: { effective_time: '2026-01-01T05:00:00Z' },
      })
    }
    expect((await publish('first.json', 'Hydrant')).statusCode).toBe(200)
    const again = await publish('second.json', 'Fire hydrant')
    expect(readProblem(again)).toMatchObject({ code: 'conflict', issues: [{ path: 'body.effective_time' }] })
    expect(again.body).toContain('first.json is in force from 2026-01-01T05:00:00.000Z')
  })

  it('reports each line that is far from the region, instead of failing as a whole', async () => {
    const inventory = await makeInventory('signs', 'Signs elsewhere')
    const line = {
      type: 'LineString',
      coordinates: [
        [lon + 30, lat],
        [lon + 30.001, lat],
      ],
    }
    const made = await upload(
      inventory.inventory_id,
      'curbs.geojson',
      Buffer.from(
        JSON.stringify({
          type: 'FeatureCollection',
          features: [{ type: 'Feature', properties: { label: '1N1' }, geometry: line }],
        }),
      ),
    )
    await call(app, city.admin, contract.startCurbImport, {
      params: { region_id, import_id: made.import_id },
      body: {},
    })
    expect(await waitForImport(made.import_id)).toMatchObject({
      status: 'staged',
      outcomes: { refused: 1 },
      problem: null,
    })
  })
})

describe('a curb source', () => {
  it('stores its secrets sealed, and shares its name with no other source of the region', async () => {
    const feed = { url: 'https://curbs.example/cds', token: 'secret-token' }
    const made = await call(app, city.admin, contract.createCurbInventory, {
      params: { region_id },
      body: { name: 'Feed', kind: 'cds', feed },
    })
    expect(made.feed).toMatchObject({ url: feed.url, has_token: true, publishes: false })
    const [row] = await app.state
      .as(systemScope)
      .selectFrom('curb_inventory')
      .select('settings')
      .where('inventory_id', '=', made.inventory_id)
      .execute()
    expect(JSON.stringify(row)).not.toContain(feed.token)
    const twice = await send(app, city.admin, contract.createCurbInventory, {
      params: { region_id },
      body: { name: 'Feed', kind: 'cds' },
    })
    expect(readProblem(twice).code).toBe('conflict')
  })
})
