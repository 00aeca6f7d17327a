import { OccupancyQuery } from '#contract/curb-occupancy.ts'
import { dayFromNumber, dayNumber, localDay } from '#contract/period.ts'
import { readBandOccupancy } from '#server/curb/occupancy/band-occupancy.ts'
import { createOccupancyProduct } from '#server/curb/occupancy/occupancy-product.ts'
import { readOccupancyVersion } from '#server/curb/occupancy/occupancy-results.ts'
import { queryOccupancy } from '#server/curb/occupancy/query-occupancy.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const [blockfaces, days] = [5000, 365]
/** Sessions of each blockface. */
const sessionsPerDay = 10
const zonesPerInsert = 500
const daysPerInsert = 30

/** Measures computing and reading a year of paid occupancy of 5,000 blockfaces, and redoing one late day. */
export async function benchCurbOccupancy(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, organizationId, city } = bench
  const { state, facts } = app
  const now = Date.now()
  const lastDay = dayNumber(localDay(new Date(now), city.timezone)) - 1
  const localDays = Array.from({ length: days }, (_, index) => dayFromNumber(lastDay - days + 1 + index))
  await storeZones(bench)
  report.log(`storing ${(blockfaces * days * sessionsPerDay) / 1e6} million sessions`)
  for (let index = 0; index < days; index += daysPerInsert)
    await storeSessions(bench, localDays.slice(index, index + daysPerInsert))
  const indexes = new CurbIndexes(state)
  const product = createOccupancyProduct({ state, facts, indexes, nowMs: () => now })
  const region = {
    regionId,
    organizationId,
    scope,
    timezone: city.timezone,
    lat: city.lat,
    lon: city.lon,
    lostAfterHours: 72,
  }
  const run = { signal: new AbortController().signal, failed: new Set<string>() }
  // The derivation runs in the same order: newest days first, in portions.
  const portions = Array.from({ length: Math.ceil(days / product.maxSpans) }, (_, index) =>
    localDays.slice(Math.max(0, days - (index + 1) * product.maxSpans), days - index * product.maxSpans),
  )
  const year = await measureMs(async () => {
    for (const portion of portions) await product.derive(region, portion, run, '')
  })
  const size = `${blockfaces.toLocaleString('en')} blockfaces x 24 hours x ${days} days`
  report.add(`Curb occupancy: ${size} recomputed`, 's', [year / 1000])
  const [stored] = await facts.rows<{ n: string }>(
    scope,
    sql`select toString(count()) as n from ${latest('curb_occupancy_days')} where region_id = ${bind('String', regionId)}`,
  )
  report.log(`${stored?.n} rows of a zone and day`)
  const lateDay = localDays[200]!
  report.add(
    'Curb occupancy: one late day',
    'ms',
    await measureRuns(3, () => product.derive(region, [lateDay], run, '')),
  )
  const index = await indexes.get(scope, regionId)
  for (const [name, first] of [
    ['four weeks', localDays.at(-28)!],
    ['a year', localDays[0]!],
  ] as const) {
    const query = OccupancyQuery.parse({ kind: 'paid', start_date: first, end_date: localDays.at(-1)! })
    const reader = { scope, index, signal: run.signal, at: new Date(now) }
    const samples = await measureRuns(3, async () =>
      queryOccupancy({ state, facts }, reader, query, await readOccupancyVersion(state.as(scope), index)),
    )
    report.add(`Curb occupancy: page of ${name}, not cached`, 'ms', samples)
  }
  const bandQuery = {
    regionId,
    zoneIds: null,
    bands: [
      { key: 'a', from: 480, until: 660 },
      { key: 'b', from: 660, until: 1020 },
      { key: 'c', from: 1020, until: 1200 },
    ],
    dayTypes: [{ key: 'weekday', weekdays: [1, 2, 3, 4, 5] }],
    from: localDays.at(-56)!,
    until: localDays.at(-1)!,
    excludedDays: [],
    kind: 'paid' as const,
  }
  report.add(
    'Curb occupancy: bands of eight weeks for the pricing engine',
    'ms',
    await measureRuns(3, () => readBandOccupancy({ state, facts }, scope, bandQuery)),
  )
}

/** Stores blockfaces with paid parking from 8:00 to 20:00 except on Sundays. */
async function storeZones({ app, scope, regionId, city }: Bench): Promise<void> {
  const store = app.state.as(scope)
  const start = new Date('2020-01-01T00:00:00Z')
  const inventoryId = '00000000-0000-4000-8000-00000000c0c0'
  const times = { start_time: start, published_time: start, updated_time: start }
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name: 'Bench',
      kind: 'drawn',
      created_time: start,
    })
    .execute()
  for (let from = 0; from < blockfaces; from += zonesPerInsert) {
    const numbers = Array.from({ length: zonesPerInsert }, (_, index) => from + index)
    await store
      .insertInto('curb_zone')
      .values(
        numbers.map((number) => {
          const [lon, lat] = [city.lon + (number % 100) * 0.001, city.lat + Math.floor(number / 100) * 0.001]
          return {
            region_id: regionId,
            curb_zone_id: `zone-${number}`,
            source_id: `zone-${number}`,
            shape_uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
            inventory_id: inventoryId,
            street_name: `${Math.floor(number / 100)}th St`,
            geometry: JSON.stringify({
              type: 'LineString',
              coordinates: [
                [lon, lat],
                [lon + 0.0008, lat],
              ],
            }),
            west: lon,
            south: lat,
            east: lon + 0.0008,
            north: lat,
            length_cm: 6700,
            record: JSON.stringify({ name: `Block ${number}` }),
            ...times,
          }
        }),
      )
      .execute()
    await store
      .insertInto('curb_capacity')
      .values(
        numbers.map((number) => ({
          region_id: regionId,
          curb_zone_id: `zone-${number}`,
          start_time: start,
          capacity: 4 + (number % 9),
          basis: 'marked',
        })),
      )
      .execute()
    await store
      .insertInto('curb_zone_policy')
      .values(
        numbers.map((number) => ({
          region_id: regionId,
          curb_zone_id: `zone-${number}`,
          curb_policy_id: 'paid',
          start_time: start,
        })),
      )
      .execute()
  }
  const policy = {
    curb_policy_id: 'paid',
    published_date: start.getTime(),
    priority: 1,
    rules: [{ activity: 'parking', rate: [{ rate: 200, rate_unit: 'hour' }] }],
    time_spans: [
      {
        days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
        time_of_day_start: '08:00',
        time_of_day_end: '20:00',
      },
    ],
  }
  await store
    .insertInto('curb_policy')
    .values({
      region_id: regionId,
      curb_policy_id: 'paid',
      signature: 'paid',
      status: 'published',
      name: 'Paid',
      policy: JSON.stringify(policy),
      created_by: 'bench',
      created_time: start,
      modified_time: start,
    })
    .execute()
}

/** Stores paid sessions of 10 to 130 minutes that start between 7:00 and 21:00. */
async function storeSessions(
  { app, scope, regionId, city }: Bench,
  localDays: readonly string[],
): Promise<void> {
  const zone = bind('String', city.timezone)
  await app.facts.add(scope, 'curb_sessions', {
    columns: [
      'region_id',
      'lane',
      'from_time',
      'session_id',
      'type',
      'start_time',
      'end_time',
      'closed_time',
      'zone_id',
      'source_kind',
      'version',
    ],
    rows: sql`
    select ${bind('String', regionId)}, concat('l', toString(number % ${bind('UInt32', blockfaces)})), begun, concat('s', toString(number)), 'parking', begun, ended, ended,
      concat('zone-', toString(number % ${bind('UInt32', blockfaces)})), 'payment', 1
    from (
      select number, day, toDateTime64(toDateTime(day, ${zone}), 3, 'UTC') + toIntervalSecond(25200 + cityHash64(number, day) % 50400) as begun,
        begun + toIntervalSecond(600 + cityHash64(number, day, 1) % 7200) as ended
      from numbers(${bind('UInt64', blockfaces * sessionsPerDay)})
      array join ${bind('Array(Date)', localDays)} as day
    )`,
    limits: { seconds: 1800, memory: 8 * 2 ** 30 },
    areDistinct: true,
  })
}
