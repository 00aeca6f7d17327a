import { type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { groupSuccessiveDays } from '#server/fleet/reports/report-days.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { encodeLines, escapeField } from '#server/stores/row-text.ts'
import { bind, deletionColumns, latest, sql, versionValue } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { curbOccupancy } from '../product-names.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { findFirstDifference, hashRulesByMonth } from '../store/rules-by-month.ts'
import { updateFirstPaidDays } from './first-paid-days.ts'
import { HourFrame } from './hour-frame.ts'
import { readPublishedPlaces } from './imports/published-places.ts'
import { type OccupancyDay, deriveOccupancyDays } from './occupancy-days.ts'
import {
  readOccupancyDays,
  readOccupancyRegion,
  readSessionDays,
  writeOccupancyRegion,
} from './occupancy-region.ts'
import { readCounts, readOnlineSpans, readSessions, type SourceReader } from './read-sources.ts'
import { readCapacities, ZoneTerms } from './zone-terms.ts'

/** Increases when the meaning of stored days changes, so that they are derived again. */
const daysVersion = 1
/** Days derived at once; limits memory. */
const maxDaysAtOnce = 31
const rowsPerInsert = 40_000
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

const columns = [
  'region_id',
  'kind',
  'day',
  'zone_id',
  'source',
  'basis',
  'capacity',
  'open_s',
  'known_s',
  'occupied_s',
  'is_deleted',
  'version',
] as const

interface OccupancyProductOptions {
  state: State
  facts: Facts
  indexes: CurbIndexes
  /** Milliseconds since 1970. */
  nowMs: () => number
}

const zerosText = `[${Array.from({ length: 24 }, () => 0).join(',')}]`
const formatList = (values: readonly number[]): string =>
  values.some((value) => value !== 0) ? `[${values.join(',')}]` : zerosText

/**
 * Derives occupancy of zones by local day and hour from `curb_sessions`, `curb_events`, `curb_counts`,
 * regulations and capacities. Writes `curb_occupancy_days`. After a change of a regulation, days from its
 * month on are derived again.
 */
export function createOccupancyProduct(options: OccupancyProductOptions): DerivedProduct {
  const { state, facts, indexes, nowMs } = options
  const nextVersion = createVersionCounter(nowMs)
  return {
    name: curbOccupancy,
    description: 'Occupancy of curb zones by day and hour, measured and paid, to curb_occupancy_days',
    settleMs: 5000,
    maxSpans: maxDaysAtOnce,
    pauseFactor: 2,
    watches: ['curb_settings', 'curb_zone_policy'],
    async derive(region, days) {
      const index = await indexes.get(region.scope, region.regionId)
      const capacities = await readCapacities(state, region.scope, region.regionId)
      const today = localDay(new Date(nowMs()), region.timezone)
      const pastDays = days.filter((day) => day <= today)
      for (const successiveDays of groupSuccessiveDays(pastDays, maxDaysAtOnce)) {
        const version = nextVersion()
        await storeDays(options, region, { days: successiveDays, index, capacities, version })
        await deleteObsoleteRows(facts, region, successiveDays, version)
      }
    },
    async advance({ regionId, scope, timezone }) {
      const store = state.as(scope)
      const storedRegion = await readOccupancyRegion(store, regionId)
      const index = await indexes.get(scope, regionId)
      const basis = JSON.stringify({ version: daysVersion, timezone, ...hashRulesByMonth(index, timezone) })
      if (storedRegion?.basis === basis) return false
      const days = storedRegion?.basis
        ? await readOccupancyDays(facts, scope, regionId, findFirstDifference(storedRegion.basis, basis))
        : await readSessionDays(facts, scope, regionId)
      await markDirty(state, scope, { product: curbOccupancy, regionId }, { spans: days })
      await writeOccupancyRegion(store, regionId, { basis, first_paid: storedRegion?.first_paid ?? {} })
      return false
    },
  }
}

interface DayDerivation {
  /** Successive days. */
  days: readonly LocalDay[]
  index: CurbIndex
  capacities: Awaited<ReturnType<typeof readCapacities>>
  /** The version of the rows to store. */
  version: bigint
}

/** Derives and stores successive days. */
async function storeDays(
  { state, facts, nowMs }: OccupancyProductOptions,
  region: DerivedRegion,
  { days, index, capacities, version }: DayDerivation,
): Promise<void> {
  const { regionId, scope, timezone } = region
  const at = nowMs()
  const frame = new HourFrame(days, timezone, at)
  const reader: SourceReader = { facts, scope, regionId }
  const spaces = await readSpaces(state.as(scope), regionId)
  const places = await readPublishedPlaces(state.as(scope), regionId, capacities)
  const sessions = await readSessions(reader, frame, spaces, at)
  const online = await readOnlineSpans(reader, frame, spaces)
  const counts = await readCounts(reader, frame, places.importIds)
  const firstPaidDays = await updateFirstPaidDays(
    { state, facts },
    { region, frame, sessions, spaces, now: nowMs() },
  )
  const kinds = {
    measured: online.length > 0 || places.sources.some((source) => source !== 'payment'),
    paid: firstPaidDays.size > 0 || places.sources.includes('payment'),
  }
  const sources = { sessions, online, counts, firstPaidDays, ...places }
  let rows: OccupancyDay[] = []
  const flush = async (): Promise<void> => {
    if (!rows.length) return
    const lines = toLines(regionId, rows, version)
    await facts.insert(scope, 'curb_occupancy_days', { columns, regionId, lines, areDistinct: true })
    rows = []
  }
  for (const row of deriveOccupancyDays(frame, new ZoneTerms(index, frame, capacities), sources, kinds)) {
    rows.push(row)
    if (rows.length >= rowsPerInsert) await flush()
  }
  await flush()
}

/** Deletes rows of days that an older derivation stored and this one did not. */
async function deleteObsoleteRows(
  facts: Facts,
  { regionId, scope }: DerivedRegion,
  days: readonly LocalDay[],
  version: bigint,
): Promise<void> {
  await facts.add(scope, 'curb_occupancy_days', {
    columns,
    rows: sql`
    select ${deletionColumns(columns, version)}
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', regionId)}
      and day >= ${bind('Date', days[0])}
      and day <= ${bind('Date', days.at(-1))}
      and version < ${versionValue(version)}`,
    ...queryOptions,
  })
}

/** Reads the zone of each space. */
async function readSpaces(store: Store, regionId: string): Promise<Map<string, string>> {
  const rows = await store
    .selectFrom('curb_place')
    .select(['place_id', 'curb_zone_id'])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'space')
    .where('curb_zone_id', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.place_id, row.curb_zone_id ?? '']))
}

/** Encodes rows with their fields in the order of `columns`. */
const toLines = (regionId: string, rows: readonly OccupancyDay[], version: bigint): Buffer =>
  encodeLines(rows, ({ kind, day, zoneId, source, basis, capacity, open, known, occupied }) => {
    const fields = [escapeField(regionId), kind, day, escapeField(zoneId), source, basis, capacity]
    const lists = [open, known, occupied].map(formatList)
    return `${[...fields, ...lists, 0, version].join('\t')}\n`
  })
