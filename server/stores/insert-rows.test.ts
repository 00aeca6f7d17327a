import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stateKinds } from '../../test/engines/open-stores.ts'
import { type ColumnTypes, insertMissingRows, insertRows } from './insert-rows.ts'
import type { Scope } from './scope.ts'
import { OutsideScope } from './scope-plugin.ts'
import type { State } from './state.ts'

const system = { organizationId: null, regionIds: null, operators: null, userId: null } as unknown as Scope
const organization_id = randomUUID()
const mine = { organizationId: organization_id, regionIds: ['mine'], operators: null, userId: null } as never

const types: ColumnTypes<'curb_zone'> = {
  region_id: 'text',
  curb_zone_id: 'text',
  shape_uuid: 'uuid',
  inventory_id: 'uuid',
  source_id: 'text',
  street_name: 'text',
  street_side: 'text',
  geometry: 'jsonb',
  west: 'double precision',
  south: 'double precision',
  east: 'double precision',
  north: 'double precision',
  length_cm: 'integer',
  record: 'jsonb',
  start_time: 'timestamptz',
  end_time: 'timestamptz',
  published_time: 'timestamptz',
  updated_time: 'timestamptz',
}
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', 'a"b\\c', "it's", '北'),
)
const time = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

describe.each(stateKinds)('rows of arrays on $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>
  let state: State
  const inventory_id = randomUUID()
  beforeAll(async () => {
    opened = await open()
    state = opened.store
    const store = state.as(system)
    await store.insertInto('organization').values({ organization_id, name: 'a', type: 'city' }).execute()
    for (const region_id of ['mine', 'other'])
      await store
        .insertInto('region')
        .values({
          region_id,
          organization_id,
          text: region_id,
          lat: 0,
          lon: 0,
          map_zoom: 1,
          currency_code: 'USD',
          timezone: 'UTC',
          is_metric: true,
          logo_filename: null,
          allowed_maps: null,
        })
        .execute()
    await store
      .insertInto('curb_inventory')
      .values({ inventory_id, region_id: 'mine', name: 'a', kind: 'drawn', created_time: new Date(0) })
      .execute()
  })
  afterAll(() => opened.close())

  const zone = fc.record({
    region_id: fc.constant('mine'),
    shape_uuid: fc.uuid(),
    inventory_id: fc.constant(inventory_id),
    source_id: text,
    street_name: text,
    street_side: orNull(text),
    geometry: fc.record({ type: fc.constant('Point'), coordinates: fc.array(fc.integer()) }),
    west: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    south: fc.integer(),
    east: fc.constant(-71.5),
    north: fc.constant(41.25),
    length_cm: fc.nat(1e6),
    record: fc.dictionary(text, text),
    start_time: time,
    end_time: orNull(time),
    published_time: fc.constant(new Date('2026-03-08T10:00:00.123Z')),
    updated_time: time,
  })

  it('stores rows of arrays like rows of single values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(zone, { minLength: 1, maxLength: 8 }), async (zones) => {
        const rows = zones.map((zone, index) => ({ ...zone, curb_zone_id: `zone ${index}` }))
        const store = state.as(mine)
        await store.deleteFrom('curb_zone').execute()
        await insertRows(
          store,
          'curb_zone',
          types,
          rows.map((row) => ({
            ...row,
            geometry: JSON.stringify(row.geometry),
            record: JSON.stringify(row.record),
          })),
        )
        const stored = await store
          .selectFrom('curb_zone')
          .select(Object.keys(types) as ['curb_zone_id'])
          .orderBy('curb_zone_id')
          .execute()
        expect(stored).toEqual(JSON.parse(JSON.stringify(rows), withTimes))
      }),
      { numRuns: Number(process.env['INSERT_RUNS'] ?? 30) },
    )
  })

  const link = (curb_zone_id: string, region_id = 'mine') => ({
    region_id,
    curb_zone_id,
    curb_policy_id: 'p',
    start_time: new Date(0),
  })
  const linkTypes: ColumnTypes<'curb_zone_policy'> = {
    region_id: 'text',
    curb_zone_id: 'text',
    curb_policy_id: 'text',
    start_time: 'timestamptz',
  }
  const readLinkedZones = async () =>
    (
      await state
        .as(system)
        .selectFrom('curb_zone_policy')
        .select('curb_zone_id')
        .orderBy('curb_zone_id')
        .execute()
    ).map((row) => row.curb_zone_id)

  it('skip stored keys if requested, and are never of another region', async () => {
    const store = state.as(mine)
    await insertRows(store, 'curb_zone_policy', linkTypes, [link('a')])
    await insertMissingRows(store, 'curb_zone_policy', linkTypes, [link('a'), link('b')])
    await expect(insertRows(store, 'curb_zone_policy', linkTypes, [link('b')])).rejects.toThrow(
      'duplicate key',
    )
    for (const rows of [[link('c', 'other')], [link('c'), link('d', 'other')]])
      await expect(insertRows(store, 'curb_zone_policy', linkTypes, rows)).rejects.toThrow(OutsideScope)
    expect(await readLinkedZones()).toEqual(['a', 'b'])
  })

  it('rows of shapes disappear with their layer, and no others', async () => {
    const store = state.as(system)
    const [gone, left] = [randomUUID(), randomUUID()]
    const geometry = JSON.stringify({ type: 'Point', coordinates: [1, 2] })
    for (const layer_id of [gone, left]) {
      const shape = { layer_id, shape_uuid: layer_id, region_id: 'mine', name: 'a', geometry }
      await store
        .insertInto('layer')
        .values({ layer_id, region_id: 'mine', name: 'a', slug: layer_id, content_hash: '' })
        .execute()
      await store
        .insertInto('shape')
        .values({ ...shape, position: 0, shape_id: 'a' })
        .execute()
      await store
        .insertInto('shape_version')
        .values({ ...shape, version: 1, act: 'created', changes: '[]', valid_from: new Date(0) })
        .execute()
    }
    await store.deleteFrom('layer').where('layer_id', '=', gone).execute()
    for (const table of ['shape', 'shape_version'] as const)
      expect(await store.selectFrom(table).select('layer_id').execute()).toEqual([{ layer_id: left }])
  })

  it('rows of zones disappear with their region, and no others', async () => {
    const store = state.as(system)
    await insertRows(store, 'curb_zone_policy', linkTypes, [link('z', 'other')])
    const capacity = { start_time: new Date(0), capacity: 1, basis: 'marked' }
    for (const region_id of ['mine', 'other'])
      await store
        .insertInto('curb_capacity')
        .values({ ...capacity, region_id, curb_zone_id: region_id })
        .execute()
    await store.deleteFrom('region').where('region_id', '=', 'mine').execute()
    expect(await readLinkedZones()).toEqual(['z'])
    expect(await store.selectFrom('curb_capacity').select('curb_zone_id').execute()).toEqual([
      { curb_zone_id: 'other' },
    ])
    expect(await store.selectFrom('curb_zone').select('curb_zone_id').execute()).toEqual([])
  })
})

const withTimes = (key: string, value: unknown): unknown =>
  key.endsWith('_time') && typeof value === 'string' ? new Date(value) : value
