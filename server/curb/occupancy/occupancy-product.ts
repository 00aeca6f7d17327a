import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { successiveDays } from '#server/fleet/reports/report-facts-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, escapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, identifier, joinSql, latest, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { createVersionCounter } from '#server/stores/version-counter.ts'
import { curbOccupancy } from '../sessions/open-curb-sessions.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { firstDifference, rulesByMonth } from '../store/rules-by-month.ts'
import { HourFrame } from './hour-frame.ts'
import { readPublishedPlaces } from './imports/published-places.ts'
import { type OccupancyDay, occupancyDays } from './occupancy-days.ts'
import {
  readCounts,
  readFirstPaidDays,
  readOnlineSpans,
  readSessions,
  type SessionsOfZone,
  type SourceReader,
} from './read-sources.ts'
import { readCapacities, ZoneTerms } from './zone-terms.ts'

/** Counts up when stored days change their meaning. */
const daysVersion = 1
/** Days that are derived together: what one portion holds in memory. */
const maxDaysAtOnce = 31
/** Rows of one insert. */
const rowsAtOnce = 40_000
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

interface Stored {
  basis: string
  first_paid: Record<string, LocalDay>
}

const zeros = `[${Array.from({ length: 24 }, () => 0).join(',')}]`
const listText = (values: readonly number[]): string =>
  values.some((value) => value !== 0) ? `[${values.join(',')}]` : zeros

/**
 * Occupancy of zones by local day and hour. Reads `curb_sessions`, `curb_events`, `curb_counts`, regulations and capacities; writes
 * `curb_occupancy_days`. A change of a regulation derives the days from its month on again.
 */
export function occupancyProduct({ state, facts, indexes, now }: Options): DerivedProduct {
  const nextVersion = createVersionCounter(now)
  const read = async (scope: Scope, regionId: string): Promise<Stored | undefined> =>
    (await state
      .as(scope)
      .selectFrom('curb_occupancy_region')
      .select(['basis', 'first_paid'])
      .where('region_id', '=', regionId)
      .executeTakeFirst()) as Stored | undefined
  const write = (scope: Scope, regionId: string, stored: Stored): Promise<unknown> => {
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

  /** Notes on which day payments of each zone begin; where that changed, other days are marked. */
  async function noteFirstPaid(
    { regionId, scope, timezone }: DerivedRegion,
    frame: HourFrame,
    sessions: readonly SessionsOfZone[],
    spaces: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, LocalDay>> {
    const stored = (await read(scope, regionId)) ?? { basis: '', first_paid: {} }
    const known = new Map(Object.entries(stored.first_paid))
    const [first, last] = [frame.days[0], frame.days.at(-1)] as [LocalDay, LocalDay]
    const inFrame = new Map<string, LocalDay>()
    for (const { zone, source_kind: kind, starts } of sessions) {
      if (kind !== 'payment') continue
      const start = starts.reduce((least, each) => (each >= 0 && each < least ? each : least), Infinity)
      if (start < Infinity) inFrame.set(zone, localDay(new Date(frame.from + start), timezone))
    }
    const changed = new Map<string, { before: LocalDay | undefined; after: LocalDay | undefined }>()
    for (const [zone, day] of inFrame) {
      const before = known.get(zone)
      if (before === undefined || day < before) changed.set(zone, { before, after: day })
    }
    const lost = [...known].filter(
      ([zone, day]) => day >= first && day <= last && (inFrame.get(zone) ?? '9999') > day,
    )
    if (lost.length) {
      const zones = lost.map(([zone]) => zone)
      const found = await readFirstPaidDays({ facts, scope, regionId }, timezone, zones, spaces)
      for (const [zone, before] of lost) changed.set(zone, { before, after: found.get(zone) })
    }
    if (!changed.size) return known
    const days = new Set<LocalDay>()
    const today = dayNumber(localDay(new Date(now()), timezone))
    for (const [zone, { before, after }] of changed) {
      if (after === undefined) known.delete(zone)
      else known.set(zone, after)
      const [from, until] = [before, after].map((day) => (day === undefined ? today + 1 : dayNumber(day)))
      for (let day = Math.min(from!, until!); day < Math.max(from!, until!); day++)
        days.add(dayFromNumber(day))
    }
    await write(scope, regionId, { ...stored, first_paid: Object.fromEntries(known) })
    const [earliest] = [...days].toSorted()
    if (earliest !== undefined) {
      const derived = await derivedDays(scope, regionId, earliest)
      const others = derived.filter((day) => days.has(day) && (day < first || day > last))
      await markDirty(state, scope, { product: curbOccupancy, regionId }, others)
    }
    return known
  }

  /** Days from one on that were derived before. */
  async function derivedDays(scope: Scope, regionId: string, first: LocalDay): Promise<LocalDay[]> {
    const rows = await facts.rows<{ name: LocalDay }>(
      scope,
      sql`select distinct toString(day) as name from ${latest('curb_occupancy_days')} where region_id = ${bind('String', regionId)} and day >= ${bind('Date', first)}`,
      limits,
    )
    return rows.map(({ name }) => name)
  }

  /** Days of sessions that were derived before there was occupancy. */
  async function daysOfSessions(scope: Scope, regionId: string): Promise<LocalDay[]> {
    const rows = await facts.rows<{ name: LocalDay }>(
      scope,
      sql`select distinct toString(day) as name from ${latest('curb_day_hours')} where region_id = ${bind('String', regionId)}`,
      limits,
    )
    return rows.map(({ name }) => name)
  }

  async function storeDays(
    region: DerivedRegion,
    days: readonly LocalDay[],
    index: CurbIndex,
    capacities: Awaited<ReturnType<typeof readCapacities>>,
  ): Promise<void> {
    const { regionId, scope, timezone } = region
    const [at, version] = [now(), nextVersion()]
    const frame = new HourFrame(days, timezone, at)
    const reader: SourceReader = { facts, scope, regionId }
    const spaces = await readSpaces(state.as(scope), regionId)
    const places = await readPublishedPlaces(state.as(scope), regionId, capacities)
    const sessions = await readSessions(reader, frame, spaces, at)
    const online = await readOnlineSpans(reader, frame, spaces)
    const counts = await readCounts(reader, frame, places.importIds)
    const firstPaid = await noteFirstPaid(region, frame, sessions, spaces)
    const kinds = {
      measured: online.length > 0 || places.sources.some((source) => source !== 'payment'),
      paid: firstPaid.size > 0 || places.sources.includes('payment'),
    }
    const sources = { sessions, online, counts, firstPaid, ...places }
    let rows: OccupancyDay[] = []
    const flush = async (): Promise<void> => {
      if (!rows.length) return
      await facts.insert(
        scope,
        'curb_occupancy_days',
        columns,
        regionId,
        lines(regionId, rows, version),
        true,
      )
      rows = []
    }
    for (const row of occupancyDays(frame, new ZoneTerms(index, frame, capacities), sources, kinds)) {
      rows.push(row)
      if (rows.length >= rowsAtOnce) await flush()
    }
    await flush()
    const [first, last] = [days[0], days.at(-1)]
    await facts.add(
      scope,
      'curb_occupancy_days',
      columns,
      sql`
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
      limits,
    )
  }

  return {
    name: curbOccupancy,
    description: 'Occupancy of curb zones by day and hour, measured and paid, to curb_occupancy_days',
    settleMs: 5000,
    maxSpans: maxDaysAtOnce,
    restFactor: 2,
    watches: ['curb_settings', 'curb_zone_policy'],
    async derive(region, days) {
      const index = await indexes.get(region.scope, region.regionId)
      const capacities = await readCapacities(state, region.scope, region.regionId)
      const today = localDay(new Date(now()), region.timezone)
      const begun = days.filter((day) => day <= today)
      for (const run of successiveDays(begun, maxDaysAtOnce)) await storeDays(region, run, index, capacities)
    },
    async advance({ regionId, scope, timezone }) {
      const stored = await read(scope, regionId)
      const index = await indexes.get(scope, regionId)
      const basis = JSON.stringify({ version: daysVersion, timezone, ...rulesByMonth(index, timezone) })
      if (stored?.basis === basis) return false
      const days = stored?.basis
        ? await derivedDays(scope, regionId, firstDifference(stored.basis, basis))
        : await daysOfSessions(scope, regionId)
      await markDirty(state, scope, { product: curbOccupancy, regionId }, days)
      await write(scope, regionId, { basis, first_paid: stored?.first_paid ?? {} })
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

const lines = (regionId: string, rows: readonly OccupancyDay[], version: bigint): Buffer =>
  encodeLines(
    rows,
    ({ kind, day, zoneId, source, basis, capacity, open, known, occupied }) =>
      `${escapeField(regionId)}\t${kind}\t${day}\t${escapeField(zoneId)}\t${source}\t${basis}\t${capacity}\t${listText(open)}\t${listText(known)}\t${listText(occupied)}\t0\t${version}\n`,
  )
