// MDS Metrics without the rest of the server, for a region with two operators and two zones.
import fs from 'node:fs'
import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { readConfig } from '#server/config.ts'
import { openWebApp } from '#server/http/web-app.ts'
import { Admission } from '#server/http/admission.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { makeMetricsToken } from '#server/reporting/mds-metrics/metrics-tokens.ts'
import { serveMdsMetrics } from '#server/reporting/mds-metrics/serve-mds-metrics.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import { encodeLines, formatTimeField } from '#server/stores/row-text.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { openState, type Store } from '#server/stores/state.ts'
import { createDataDir } from './new-data-dir.ts'
import { openTestGate } from './key-gate.ts'

export const regionId = 'meterville'
export const larkId = '70aa475d-1fcd-4504-b69c-2eeb2107f7be'
export const lostAfterHours = 48
const organizationId = '00000000-0000-4000-8000-0000000000d1'
export const layerId = '00000000-0000-4000-8000-0000000000d2'
export const zones = {
  A: '00000000-0000-4000-8000-0000000000da',
  B: '00000000-0000-4000-8000-0000000000db',
} as const
export type Zone = keyof typeof zones | null
/** Returns a place within each zone, and one outside of both. */
const getPlace = (zone: Zone): [number, number] =>
  zone === 'A' ? [-75.05, 37.05] : zone === 'B' ? [-75.15, 37.05] : [-74, 38]
const makeSquare = (west: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, 37],
      [west + 0.1, 37],
      [west + 0.1, 37.1],
      [west, 37.1],
      [west, 37],
    ],
  ],
})
const noId = '00000000-0000-0000-0000-000000000000'

export const makeDeviceId = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-00000000de1c`

export interface TownInterval {
  operator: string
  device: number
  type: string
  state: string
  /** Milliseconds. */
  from: number
  to: number
  zone: Zone
}
export interface TownTrip {
  operator: string
  device: number
  type: string
  start: number
  end: number
  from: Zone
  to: Zone
  /** Seconds, and meters below. NaN if unknown. */
  duration: number
  distance: number
  quality?: number
}
export interface TownEvent {
  operator: string
  device: number
  time: number
  types: readonly string[]
  zone: Zone
}

export type MetricsTown = Awaited<ReturnType<typeof openMetricsTown>>

/** Opens MDS Metrics. `clock.at` is the current time in milliseconds. */
export async function openMetricsTown(clock: { at: number }, timezone = 'UTC') {
  const dataDir = createDataDir()
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' })
  const [state, facts] = await Promise.all([openState(config), openFacts(config)])
  const scope = regionScope(organizationId, regionId)
  await storeTown(state.as(systemScope), timezone)
  const logged: string[] = []
  const http = await openWebApp(path.join(dataDir, 'no-web'), () => undefined, config)
  serveMdsMetrics(http, {
    state,
    facts,
    membership: new LayerMembership(state, facts),
    admission: new Admission(),
    gate: openTestGate(state, () => new Date(clock.at)),
    log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    now: () => new Date(clock.at),
  })
  await http.ready()
  const makeToken = async (operator: string | null): Promise<string> =>
    (
      await makeMetricsToken(
        state,
        { scope, regionId, by: null, at: new Date(clock.at) },
        { name: 'Test', operator },
      )
    ).token
  const tokens = {
    all: await makeToken(null),
    lark: await makeToken('lark'),
    heron: await makeToken('heron'),
  }
  return {
    state,
    scope,
    tokens,
    logged,
    /** Sets the minimum below which the region's counts are hidden. */
    setMinimum: (minimum: number) =>
      state
        .as(systemScope)
        .updateTable('region')
        .set({ privacy_minimum: minimum })
        .where('region_id', '=', regionId)
        .execute(),
    ...makeTownWriters(facts, scope),
    call(
      method: 'GET' | 'POST',
      body?: unknown,
      {
        token = tokens.all,
        version,
        region = regionId,
      }: { token?: string | null; version?: string; region?: string } = {},
    ): Promise<LightMyRequestResponse> {
      return http.inject({
        method,
        url: `/mds/metrics/${region}/metrics`,
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(version ? { accept: `application/vnd.mds+json;version=${version}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      })
    },
    async close() {
      await http.close()
      await facts.close()
      await state.close()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Stores an organization, its regions and operators, and a layer with two zones. */
async function storeTown(store: Store, timezone: string): Promise<void> {
  await store
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'Meterville', type: 'city' })
    .execute()
  const region = {
    organization_id: organizationId,
    lat: 37,
    lon: -75,
    map_zoom: 11,
    currency_code: 'USD',
    timezone,
    is_metric: true,
    logo_filename: null,
    allowed_maps: null,
    lost_after_hours: lostAfterHours,
    privacy_minimum: 0,
  }
  await store
    .insertInto('region')
    .values([
      { ...region, region_id: regionId, text: 'Meterville' },
      { ...region, region_id: 'elsewhere', text: 'Elsewhere' },
    ])
    .execute()
  await store
    .insertInto('operator')
    .values(
      [
        { slug: 'lark', provider_id: larkId },
        { slug: 'heron', provider_id: null },
      ].map((operator) => ({
        organization_id: organizationId,
        name: operator.slug,
        color_hex: '#336699',
        ...operator,
      })),
    )
    .execute()
  await store
    .insertInto('layer')
    .values({
      layer_id: layerId,
      region_id: regionId,
      name: 'Zones',
      slug: 'zones',
      level: 'l1',
      geometry_type: 'area',
      shape_count: 2,
      content_hash: createHash('md5').update('zones').digest('hex'),
    })
    .execute()
  await store
    .insertInto('shape')
    .values(
      Object.entries(zones).map(([name, id], position) => ({
        shape_uuid: id,
        region_id: regionId,
        layer_id: layerId,
        position,
        shape_id: name,
        name,
        geometry: JSON.stringify(makeSquare(name === 'A' ? -75.1 : -75.2)) as never,
        bbox: JSON.stringify([]) as never,
      })),
    )
    .execute()
}

/** Creates functions that store facts of the town, and remove them. */
function makeTownWriters(facts: Facts, scope: Scope) {
  const written = new Set<TownTable>()
  function insert<Row>(table: TownTable, rows: readonly Row[], toLine: (row: Row) => string): Promise<void> {
    written.add(table)
    const lines = encodeLines(rows, (row) => `${regionId}\t${toLine(row)}\n`)
    return facts.insert(scope, table, { columns: townColumns[table].split(' '), regionId, lines })
  }
  return {
    intervals: (rows: readonly TownInterval[]) =>
      insert(
        'vehicle_intervals',
        rows,
        (row) =>
          `${row.operator}\t${makeDeviceId(row.device)}\t${formatTimeField(row.from)}\t${noId}\t${formatTimeField(row.to)}\t${row.state}\t[]\t${row.type}\t${noId}\t${getPlace(row.zone).join('\t')}\t5\t50\t0\t1`,
      ),
    trips: (rows: readonly TownTrip[]) =>
      insert(
        'trips',
        rows,
        (row) =>
          `${randomUUID()}\t${row.operator}\t${row.type}\t${makeDeviceId(row.device)}\t${formatTimeField(row.start)}\t${formatTimeField(row.end)}\t${new Date(row.start).toISOString().slice(0, 10)}\t0\t${getPlace(row.from).join('\t')}\t${getPlace(row.to).join('\t')}\t${Number.isNaN(row.distance) ? 'nan' : row.distance}\t${row.duration}\t${row.quality ?? 0}\t${noId}\t0\t0\tboth\t0\t1`,
      ),
    events: (rows: readonly TownEvent[]) =>
      insert(
        'vehicle_events',
        rows,
        (row) =>
          `${row.operator}\t${makeDeviceId(row.device)}\t${formatTimeField(row.time)}\t${randomUUID()}\tavailable\t[${row.types.map((type) => `'${type}'`).join(',')}]\t[]\t${getPlace(row.zone).join('\t')}\t5\t50\t0\t0\tf\t${noId}\t${formatTimeField(row.time)}\t1`,
      ),
    async clear(): Promise<void> {
      for (const table of written) await facts.remove(scope, table, { strings: ['1 = 1'], values: [] })
      written.clear()
    },
  }
}

const townColumns = {
  vehicle_intervals:
    'region_id operator device_id from_time event_id to_time state event_types vehicle_type trip_id lon lat accuracy battery is_deleted version',
  trips:
    'region_id trip_id operator vehicle_type vehicle_id start_time end_time local_date local_hour start_lon start_lat end_lon end_lat distance_m duration_s quality import_id chunk line source is_deleted version',
  vehicle_events:
    'region_id operator device_id event_time event_id state event_types trip_ids lon lat accuracy battery turn superseded feed_id batch_id received_time version',
}
type TownTable = keyof typeof townColumns

export interface MetricsReply {
  query: { k_value: number }
  columns: { name: string; column_type: string; data_type: string }[]
  rows: (string | number)[][]
}

/** Converts the rows of a reply to objects by column. */
export const toRows = ({ columns, rows }: MetricsReply): Record<string, string | number>[] =>
  rows.map((row) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] as string | number])),
  )
