import type { Readable } from 'node:stream'
import yazl from 'yazl'
import type { CdsPolicy, CdsRate } from '#contract/cds.ts'
import { csvLine } from '#contract/csv.ts'
import type * as contract from '#contract/curb-regulations.ts'
import { appendTo } from '#contract/group-by.ts'
import { toMajor } from '#contract/money.ts'
import type { Geometry } from '#contract/place.ts'
import { localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { type Call, RawResponse } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { getRegulationStatus } from './policy-view.ts'
import { isCurrent, readZoneUse } from './regulation-rows.ts'

export const policyCsvColumns = [
  'curb_policy_id',
  'name',
  'description',
  'priority',
  'status',
  'published_time',
  'effective_time',
  'zones',
  'length_m',
  'rule',
  'rule_name',
  'activity',
  'user_classes',
  'user_classes_except',
  'purposes',
  'max_stay',
  'max_stay_unit',
  'no_return',
  'no_return_unit',
  'rates',
  'time_spans',
] as const

/** Formats a rate, for example `2.00 per hour (0-120 minutes)`; amounts in major units. */
function formatRate(rate: CdsRate, currency: string): string {
  const amount = `${toMajor(rate.rate, currency).toFixed(2)} per ${rate.rate_unit}`
  const { start_duration: from = 0, end_duration: to } = rate
  return from || to !== undefined ? `${amount} (${from}-${to ?? ''})` : amount
}

interface PublishedPolicy {
  policy: CdsPolicy
  modified: Date
  effective: Date | null
  /** Number and total length of the zones to which it applies now or later. */
  zones: number
  lengthM: number
}

/** Returns the CSV lines of a policy, one per rule. */
export function toCsvLines(
  { policy, effective, zones, lengthM }: PublishedPolicy,
  currency: string,
  at: Date,
): string[] {
  const join = (values: readonly string[] | undefined): string => (values ?? []).join('; ')
  return policy.rules.map((rule, index) =>
    csvLine([
      policy.curb_policy_id,
      policy.name,
      policy.description,
      policy.priority,
      getRegulationStatus(policy, true, at),
      new Date(policy.published_date).toISOString(),
      effective?.toISOString(),
      zones,
      Math.round(lengthM * 100) / 100,
      index + 1,
      rule.name,
      rule.activity,
      join(rule.user_classes),
      join(rule.user_classes_except),
      join(rule.purposes),
      rule.max_stay,
      rule.max_stay === undefined ? undefined : (rule.max_stay_unit ?? 'minute'),
      rule.no_return,
      rule.no_return === undefined ? undefined : (rule.no_return_unit ?? 'minute'),
      join(rule.rate?.map((rate) => formatRate(rate, currency))),
      policy.time_spans?.length ? JSON.stringify(policy.time_spans) : '',
    ]),
  )
}

/** Lists published policies that are current or still apply to zones, sorted by priority and name. */
async function listPublishedPolicies(store: Store, regionId: string, at: Date): Promise<PublishedPolicy[]> {
  const [rows, zoneUse] = await Promise.all([
    store
      .selectFrom('curb_policy')
      .selectAll()
      .where('region_id', '=', regionId)
      .where('status', '=', 'published')
      .execute(),
    readZoneUse(store, regionId, at),
  ])
  return rows
    .filter((row) => isCurrent(row) || zoneUse.has(row.curb_policy_id))
    .map((row) => {
      const { zones, lengthM } = zoneUse.get(row.curb_policy_id) ?? { zones: 0, lengthM: 0 }
      return {
        policy: row.policy as CdsPolicy,
        modified: row.modified_time,
        effective: row.effective_time,
        zones,
        lengthM,
      }
    })
    .toSorted(
      (a, b) =>
        a.policy.priority - b.policy.priority ||
        (a.policy.name ?? '').localeCompare(b.policy.name ?? '') ||
        a.policy.curb_policy_id.localeCompare(b.policy.curb_policy_id),
    )
}

const toCsv = (policies: readonly PublishedPolicy[], currency: string, at: Date): string =>
  [csvLine(policyCsvColumns), ...policies.flatMap((policy) => toCsvLines(policy, currency, at))]
    .map((line) => `${line}\n`)
    .join('')

/** Returns the last change of a policy, for reproducible zips; without policies the zip epoch, 1980. */
const findLastUpdate = (policies: readonly PublishedPolicy[]): Date =>
  new Date(Math.max(Date.UTC(1980, 0, 1), ...policies.map(({ modified }) => modified.getTime())))

const toJson = (region: Region, policies: readonly PublishedPolicy[]): string =>
  JSON.stringify({
    version: '1.1.0',
    time_zone: region.timezone,
    currency: region.currencyCode,
    last_updated: findLastUpdate(policies).getTime(),
    data: { policies: policies.map(({ policy }) => policy) },
  })

const makeHeaders = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'private, no-store',
})
const makeFileName = (region: Region, at: Date, prefix: string): string =>
  `${prefix}_${region.regionId}_${localDay(at, region.timezone)}`

/** Downloads the policies in force as CDS JSON or CSV. */
export async function downloadPolicies(
  state: State,
  { viewer: { scope }, params, query, at }: Call<typeof contract.downloadCurbPolicies>,
): Promise<RawResponse> {
  const region = await findRegion(state, scope, params.region_id)
  const policies = await listPublishedPolicies(state.as(scope), region.regionId, at)
  const name = makeFileName(region, at, 'curb-policies')
  return query.format === 'csv'
    ? new RawResponse(
        Buffer.from(toCsv(policies, region.currencyCode, at)),
        makeHeaders(`${name}.csv`, 'text/csv; charset=utf-8'),
      )
    : new RawResponse(
        Buffer.from(toJson(region, policies)),
        makeHeaders(`${name}.json`, 'application/json; charset=utf-8'),
      )
}

/** Zones that are read at once. */
const pageRows = 5000

/** Yields zones in force as GeoJSON features with the ids of their policies, each serialized on one line. */
async function* streamZoneFeatures(store: Store, regionId: string, at: Date): AsyncGenerator<string> {
  const links = await store
    .selectFrom('curb_zone_policy')
    .select(['curb_zone_id', 'curb_policy_id'])
    .where('region_id', '=', regionId)
    .where('start_time', '<=', at)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
    .execute()
  const policiesByZone = new Map<string, string[]>()
  for (const { curb_zone_id: zone, curb_policy_id: policy } of links) appendTo(policiesByZone, zone, policy)
  for (let lastId = ''; ;) {
    const rows = await store
      .selectFrom('curb_zone')
      .selectAll()
      .where('region_id', '=', regionId)
      .where('curb_zone_id', '>', lastId)
      .where('start_time', '<=', at)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .limit(pageRows)
      .execute()
    for (const row of rows)
      yield JSON.stringify({
        type: 'Feature',
        id: row.curb_zone_id,
        geometry: row.geometry as Geometry,
        properties: {
          ...(row.record as Record<string, unknown>),
          curb_zone_id: row.curb_zone_id,
          curb_policy_ids: (policiesByZone.get(row.curb_zone_id) ?? []).toSorted(),
          street_name: row.street_name,
          street_side: row.street_side,
          length: row.length_cm,
          start_date: row.start_time.getTime(),
          published_date: row.published_time.getTime(),
          last_updated_date: row.updated_time.getTime(),
        },
      })
    lastId = rows.at(-1)?.curb_zone_id ?? ''
    if (rows.length < pageRows) return
  }
}

/** Downloads a zip with the policies in force (CDS and CSV) and the zones in force (GeoJSON). */
export async function downloadPoliciesAndZones(
  state: State,
  { viewer: { scope }, params, at }: Call<typeof contract.downloadPoliciesAndZones>,
): Promise<RawResponse> {
  const region = await findRegion(state, scope, params.region_id)
  const store = state.as(scope)
  const policies = await listPublishedPolicies(store, region.regionId, at)
  const features: string[] = []
  for await (const feature of streamZoneFeatures(store, region.regionId, at)) features.push(feature)
  const zip = new yazl.ZipFile()
  const add = (name: string, text: string): void =>
    zip.addBuffer(Buffer.from(text), name, { mtime: findLastUpdate(policies) })
  add('policies.json', toJson(region, policies))
  add('policies.csv', toCsv(policies, region.currencyCode, at))
  add('zones.geojson', `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`)
  zip.end()
  return new RawResponse(
    zip.outputStream as Readable,
    makeHeaders(`${makeFileName(region, at, 'curb-policies-and-zones')}.zip`, 'application/zip'),
  )
}
