import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { groupSuccessiveDays } from '#server/fleet/reports/report-facts-product.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { encodeLines, escapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, identifier, joinSql, latest, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { curbOccupancy } from '../product-names.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { firstDifference, rulesByMonth } from '../store/rules-by-month.ts'
import { HourFrame } from './hour-frame.ts'
import { readPublishedPlaces } from './imports/published-places.ts'
import { type OccupancyDay, deriveOccupancyDays } from './occupancy-days.ts'
import {
  readCounts,
  readFirstPaidDays,
  readOnlineSpans,
  readSessions,
  type SessionsOfZone,
  type SourceReader,
} from './read-sources.ts'
import { readCapacities, ZoneTerms } from './zone-terms.ts'

/** Increases when the meaning of stored days changes, so that they are derived again. */
const daysVersion = 1
/** Days derived at once; limits memory. */
const maxDaysAtOnce = 31
const rowsPerInsert = 40_000
const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

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

interface Options {
  state: State
  facts: Facts
  indexes: CurbIndexes
  /** Ms since 1970. */
  now: () => number
}

/** `curb_occupancy_region`: what stored days were derived from. */
interface StoredRegion {
  /** The version, time zone and rules, as JSON. */
  basis: string
  /** The first day with a payment, by zone. */
  first_paid: Record<string, LocalDay>
}

const zerosText = `[${Array.from({ length: 24 }, () => 0).join(',')}]`
const listText = (values: readonly number[]): string =>
  values.some((value) => value !== 0) ? `[${values.join(',')}]` : zerosText

/**
 * Derives occupancy of zones by local day and hour from `curb_sessions`, `curb_events`, `curb_counts`,
 * regulations and capacities. Writes `curb_occupancy_days`. After a change of a regulation, days from its
 * month on are derived again.
 */
export function occupancyProduct({ state, facts, indexes, now }: Options): DerivedProduct {
  const nextVersion = createVersionCounter(now)
  const readStored = async (scope: Scope, regionId: string): Promise<StoredRegion | undefined> =>
    (await state
      .as(scope)
      .selectFrom('curb_occupancy_region')
      .select(['basis', 'first_paid'])
      .where('region_id', '=', regionId)
      .executeTakeFirst()) as StoredRegion | undefined
  const writeStored = (scope: Scope, regionId: string, stored: StoredRegion): Promise<unknown> => {
    const row = {
      basis: stored.basis,
      first_paid: JSON.stringify(stored.first_paid),
    }
    return state
      .as(scope)
      .insertInto('curb_occupancy_region')
      .values({ region_id: regionId, ...row })
      .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
      .execute()
  }

  /**
   * Updates the first day with a payment of each zone. Marks days outside the frame as dirty if payments are
   * now known or no longer known on them. Returns the first days by zone.
   */
  async function updateFirstPaid(
    { regionId, scope, timezone }: DerivedRegion,
    frame: HourFrame,
    sessions: readonly SessionsOfZone[],
    spaces: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, LocalDay>> {
    const stored = (await readStored(scope, regionId)) ?? { basis: '', first_paid: {} }
    const firstPaid = new Map(Object.entries(stored.first_paid))
    const [first, last] = [frame.days[0], frame.days.at(-1)] as [LocalDay, LocalDay]
    const firstInFrame = new Map<string, LocalDay>()
    for (const { zone, source_kind: kind, starts } of sessions) {
      if (kind !== 'payment') continue
      const start = starts.reduce((first, each) => (each >= 0 && each < first ? each : first), Infinity)
      if (start < Infinity) firstInFrame.set(zone, localDay(new Date(frame.from + start), timezone))
    }
    const changed = new Map<string, { before: LocalDay | undefined; after: LocalDay | undefined }>()
    for (const [zone, day] of firstInFrame) {
      const before = firstPaid.get(zone)
      if (before === undefined || day < before) changed.set(zone, { before, after: day })
    }
    // The stored first payment is in the frame but no longer exists.
    const lost = [...firstPaid].filter(
      ([zone, day]) => day >= first && day <= last && (firstInFrame.get(zone) ?? '9999') > day,
    )
    if (lost.length) {
      const zones = lost.map(([zone]) => zone)
      const remaining = await readFirstPaidDays({ facts, scope, regionId }, timezone, zones, spaces)
      for (const [zone, before] of lost) changed.set(zone, { before, after: remaining.get(zone) })
    }
    if (!changed.size) return firstPaid
    const days = new Set<LocalDay>()
    const today = dayNumber(localDay(new Date(now()), timezone))
    for (const [zone, { before, after }] of changed) {
      if (after === undefined) firstPaid.delete(zone)
      else firstPaid.set(zone, after)
      const [oldStart, newStart] = [before, after].map((day) =>
        day === undefined ? today + 1 : dayNumber(day),
      ) as [number, number]
      for (let day = Math.min(oldStart, newStart); day < Math.max(oldStart, newStart); day++)
        days.add(dayFromNumber(day))
    }
    await writeStored(scope, regionId, { ...stored, first_paid: Object.fromEntries(firstPaid) })
    const [earliest] = [...days].toSorted()
    if (earliest !== undefined) {
      const derived = await readDerivedDays(scope, regionId, earliest)
      const others = derived.filter((day) => days.has(day) && (day < first || day > last))
      await markDirty(state, scope, { product: curbOccupancy, regionId }, others)
    }
    return firstPaid
  }

  /** Days from `first` on with stored occupancy. */
  async function readDerivedDays(scope: Scope, regionId: string, first: LocalDay): Promise<LocalDay[]> {
    const rows = await facts.rows<{ name: LocalDay }>(
      scope,
      sql`select distinct toString(day) as name from ${latest('curb_occupancy_days')} where region_id = ${bind('String', regionId)} and day >= ${bind('Date', first)}`,
      limits,
    )
    return rows.map(({ name }) => name)
  }

  /** Days with derived sessions, which need occupancy when a region has none yet. */
  async function readSessionDays(scope: Scope, regionId: string): Promise<LocalDay[]> {
    const rows = await facts.rows<{ name: LocalDay }>(
      scope,
      sql`select distinct toString(day) as name from ${latest('curb_day_hours')} where region_id = ${bind('String', regionId)}`,
      limits,
    )
    return rows.map(({ name }) => name)
  }

  /** Derives and stores days, and deletes rows of these days that no longer exist. */
  async function storeDays(
    region: DerivedRegion,
    days: readonly LocalDay[],
    index: CurbIndex,
    capacities: Awaited<ReturnType<typeof readCapacities>>,
  ): Promise<void> {
    const { regionId, scope, timezone } = region
    const [nowMs, version] = [now(), nextVersion()]
    const frame = new HourFrame(days, timezone, nowMs)
    const reader: SourceReader = { facts, scope, regionId }
    const spaces = await readSpaces(state.as(scope), regionId)
    const places = await readPublishedPlaces(state.as(scope), regionId, capacities)
    const sessions = await readSessions(reader, frame, spaces, nowMs)
    const online = await readOnlineSpans(reader, frame, spaces)
    const counts = await readCounts(reader, frame, places.importIds)
    const firstPaid = await updateFirstPaid(region, frame, sessions, spaces)
    const kinds = {
      measured: online.length > 0 || places.sources.some((source) => source !== 'payment'),
      paid: firstPaid.size > 0 || places.sources.includes('payment'),
    }
    const sources = { sessions, online, counts, firstPaid, ...places }
    let rows: OccupancyDay[] = []
    const flush = async (): Promise<void> => {
      if (!rows.length) return
      await facts.insert(scope, 'curb_occupancy_days', {
        columns,
        regionId,
        lines: toLines(regionId, rows, version),
        areDistinct: true,
      })
      rows = []
    }
    for (const row of deriveOccupancyDays(frame, new ZoneTerms(index, frame, capacities), sources, kinds)) {
      rows.push(row)
      if (rows.length >= rowsPerInsert) await flush()
    }
    await flush()
    const [first, last] = [days[0], days.at(-1)]
    await facts.add(scope, 'curb_occupancy_days', {
      columns,
      rows: sql`
      select ${joinSql(
        columns.map((name) =>
          name === 'is_deleted'
            ? sql`toUInt8(1)`
            : name === 'version'
              ? sql`${bind('UInt64', String(version))}`
              : sql`${identifier(name)}`,
        ),
        ', ',
      )}
      from ${latest('curb_occupancy_days')}
      where region_id = ${bind('String', regionId)} and day >= ${bind('Date', first)} and day <= ${bind('Date', last)}
        and version < ${bind('UInt64', String(version))}`,
      ...limits,
    })
  }

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
      const today = localDay(new Date(now()), region.timezone)
      const pastDays = days.filter((day) => day <= today)
      for (const run of groupSuccessiveDays(pastDays, maxDaysAtOnce))
        await storeDays(region, run, index, capacities)
    },
    async advance({ regionId, scope, timezone }) {
      const stored = await readStored(scope, regionId)
      const index = await indexes.get(scope, regionId)
      const basis = JSON.stringify({ version: daysVersion, timezone, ...rulesByMonth(index, timezone) })
      if (stored?.basis === basis) return false
      const days = stored?.basis
        ? await readDerivedDays(scope, regionId, firstDifference(stored.basis, basis))
        : await readSessionDays(scope, regionId)
      await markDirty(state, scope, { product: curbOccupancy, regionId }, days)
      await writeStored(scope, regionId, { basis, first_paid: stored?.first_paid ?? {} })
      return false
    },
  }
}

/** The zone of each space. */
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

const toLines = (regionId: string, rows: readonly OccupancyDay[], version: bigint): Buffer =>
  encodeLines(
    rows,
    ({ kind, day, zoneId, source, basis, capacity, open, known, occupied }) =>
      `${escapeField(regionId)}\t${kind}\t${day}\t${escapeField(zoneId)}\t${source}\t${basis}\t${capacity}\t${listText(open)}\t${listText(known)}\t${listText(occupied)}\t0\t${version}\n`,
  )
