import { dayMs, hourMs } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { encodeLines, escapeField, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** The state of a station is known for this time after a poll. Polls farther apart leave a gap. */
export const maxPollGapMs = 10 * 60_000
/** Minimum time between stored reports of a station without a change of state. */
const reportStepMs = hourMs
/** The maximum of UInt32. Larger counts are errors of the feed. */
const maxCount = 2 ** 32 - 1

/** A GBFS feed of an operator. */
export interface StationFeed {
  regionId: string
  operator: string
  feedId: string
}

/** The state of a station in one poll of station_status. NaN: unknown. */
export interface StationState {
  stationId: string
  vehiclesAvailable: number
  docksAvailable: number
  vehiclesDisabled: number
  isInstalled: boolean
  isRenting: boolean
  isReturning: boolean
  /** Milliseconds since 1970. */
  lastReported: number
}

/** A station in station_information. NaN: unknown. */
export interface StationDetails {
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** Whether it is a place without docks, which reports omit. */
  isVirtual: boolean
}

/** A span of polls without a gap, from the first to the last poll, ms. */
interface Span {
  from: number
  until: number
}

/** States by station id; null: the feed no longer lists the station. */
type States = Map<string, StationState | null>

/** Formats a Nullable(UInt32), clamped to its maximum; NaN is null. */
const formatCount = (value: number): string =>
  Number.isNaN(value) ? '\\N' : String(Math.min(Math.floor(value), maxCount))
const formatFlag = (flag: boolean): string => (flag ? '1' : '0')
const formatNullableTime = (ms: number): string => (Number.isNaN(ms) ? '\\N' : formatTimeField(ms))

const keyColumns = ['region_id', 'operator', 'feed_id', 'station_id', 'from_time'] as const
const stateColumns = [
  ...keyColumns,
  'is_listed',
  'vehicles_available',
  'docks_available',
  'vehicles_disabled',
  'is_installed',
  'is_renting',
  'is_returning',
  'reported_time',
  'version',
] as const
const detailColumns = [...keyColumns, 'name', 'lon', 'lat', 'capacity', 'is_virtual', 'version'] as const

/** Formats the first columns of all tables. */
const formatFeed = ({ regionId, operator, feedId }: StationFeed): string =>
  `${regionId}\t${escapeField(operator)}\t${escapeField(feedId)}`

/** The state of a station from a poll on; null: no longer listed. */
export interface StateRow {
  stationId: string
  from: number
  state: StationState | null
}

/** Stores states. Idempotent. */
export async function storeStates(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  rows: readonly StateRow[],
): Promise<void> {
  if (!rows.length) return
  const prefix = formatFeed(feed)
  const lines = encodeLines(rows, ({ stationId, from, state }) => {
    const values =
      state === null
        ? '0\t0\t\\N\t\\N\t0\t0\t0\t\\N'
        : `1\t${formatCount(state.vehiclesAvailable)}\t${formatCount(state.docksAvailable)}\t` +
          `${formatCount(state.vehiclesDisabled)}\t${formatFlag(state.isInstalled)}\t` +
          `${formatFlag(state.isRenting)}\t${formatFlag(state.isReturning)}\t` +
          `${formatNullableTime(state.lastReported)}`
    return `${prefix}\t${escapeField(stationId)}\t${formatTimeField(from)}\t${values}\t${from}\n`
  })
  await facts.insert(scope, 'station_states', { columns: stateColumns, regionId: feed.regionId, lines })
}

/** Stores spans. Of two spans with the same start, the longer one counts. */
export async function storeSpans(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  spans: readonly Span[],
): Promise<void> {
  const prefix = formatFeed(feed)
  const lines = encodeLines(
    spans,
    ({ from, until }) => `${prefix}\t${formatTimeField(from)}\t${formatTimeField(until)}\t${until}\n`,
  )
  const columns = ['region_id', 'operator', 'feed_id', 'from_time', 'until_time', 'version']
  await facts.insert(scope, 'station_spans', { columns, regionId: feed.regionId, lines })
}

/** Stores names, places and capacities that are valid from a time (ms). */
export async function storeDetails(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  { stations, from }: { stations: readonly StationDetails[]; from: number },
): Promise<void> {
  if (!stations.length) return
  const prefix = formatFeed(feed)
  const lines = encodeLines(
    stations,
    ({ stationId, name, lon, lat, capacity, isVirtual }) =>
      `${prefix}\t${escapeField(stationId)}\t${formatTimeField(from)}\t${escapeField(name)}\t${lon}\t` +
      `${lat}\t${formatCount(capacity)}\t${formatFlag(isVirtual)}\t${from}\n`,
  )
  await facts.insert(scope, 'station_details', { columns: detailColumns, regionId: feed.regionId, lines })
}

/** Returns whether two times (ms) are on the same UTC day. */
const isSameDay = (a: number, b: number): boolean => Math.floor(a / dayMs) === Math.floor(b / dayMs)

/** Returns whether a state must be stored: it differs, or was reported at least `reportStepMs` later. */
function hasChanged(previous: StationState | null | undefined, current: StationState): boolean {
  if (!previous) return true
  const isSameNumber = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))
  return (
    previous.vehiclesAvailable !== current.vehiclesAvailable ||
    !isSameNumber(previous.docksAvailable, current.docksAvailable) ||
    !isSameNumber(previous.vehiclesDisabled, current.vehiclesDisabled) ||
    previous.isInstalled !== current.isInstalled ||
    previous.isRenting !== current.isRenting ||
    previous.isReturning !== current.isReturning ||
    (!Number.isNaN(current.lastReported) && !(current.lastReported - previous.lastReported < reportStepMs))
  )
}

const feedCondition = ({ regionId, operator, feedId }: StationFeed): Sql =>
  sql`
    region_id = ${bind('String', regionId)}
    and operator = ${bind('String', operator)}
    and feed_id = ${bind('String', feedId)}`

/**
 * Stores states and details of GBFS stations when they change. They are compared with the stored ones,
 * because another server may poll the feed too, and raw responses of the past may be read again.
 */
export class StationHistory {
  readonly #facts: Facts
  /** The last poll's span of each feed, with the states at its end. Used if the stored span is the same. */
  readonly #lastPolls = new Map<string, Span & { states: States }>()
  /** The last write of each feed: writes of one feed run one after another. */
  readonly #writes = new Map<string, Promise<unknown>>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** Stores the states of a feed's stations at a poll (ms). Polls within a known span are ignored. */
  recordStates(
    scope: Scope,
    feed: StationFeed,
    states: readonly StationState[],
    time: number,
  ): Promise<void> {
    return this.#runInOrder(feed, () => this.#recordStates(scope, feed, states, time))
  }

  /** Stores names, places and capacities that have changed. */
  recordDetails(
    scope: Scope,
    feed: StationFeed,
    stations: readonly StationDetails[],
    time: number,
  ): Promise<void> {
    return this.#runInOrder(feed, () => this.#recordDetails(scope, feed, stations, time))
  }

  /** Runs a write after the earlier writes of the same feed. */
  #runInOrder(feed: StationFeed, write: () => Promise<void>): Promise<void> {
    const previous = this.#writes.get(feed.feedId) ?? Promise.resolve()
    const current = previous.then(write, write)
    this.#writes.set(feed.feedId, current)
    const cleanUp = (): void => {
      if (this.#writes.get(feed.feedId) === current) this.#writes.delete(feed.feedId)
    }
    current.then(cleanUp, cleanUp)
    return current
  }

  async #recordStates(
    scope: Scope,
    feed: StationFeed,
    polled: readonly StationState[],
    time: number,
  ): Promise<void> {
    const span = await this.#findSpan(scope, feed, time)
    if (span && time <= span.until) return
    const continuedSpan =
      span && time - span.until <= maxPollGapMs && isSameDay(span.from, time) ? span : null
    const states: States = continuedSpan
      ? await this.#readStates(scope, feed, continuedSpan, time)
      : new Map()
    const polledIds = new Set(polled.map((state) => state.stationId))
    const rows: StateRow[] = polled
      .filter((state) => hasChanged(states.get(state.stationId), state))
      .map((state) => ({ stationId: state.stationId, from: time, state }))
    for (const [stationId, state] of states)
      if (state !== null && !polledIds.has(stationId)) rows.push({ stationId, from: time, state: null })
    // States are stored before the span, which still ends at the previous poll if its insert fails.
    await storeStates(this.#facts, scope, feed, rows)
    const newSpan = { from: continuedSpan?.from ?? time, until: time }
    await storeSpans(this.#facts, scope, feed, [newSpan])
    for (const { stationId, state } of rows) states.set(stationId, state)
    this.#lastPolls.set(feed.feedId, { ...newSpan, states })
  }

  /** Finds the newest span that starts within a day before a time (ms). */
  async #findSpan(scope: Scope, feed: StationFeed, time: number): Promise<Span | null> {
    const [row] = await this.#facts.rows<{ from: string; until: string }>(
      scope,
      sql`
        select toString(${toMilliseconds(sql`from_time`)}) as from, toString(${toMilliseconds(sql`until_time`)}) as until
        from ${latest('station_spans')}
        where
          ${feedCondition(feed)}
          and from_time <= ${toDateTime(time)}
          and from_time > ${toDateTime(time - dayMs)}
        order by from_time desc
        limit 1`,
    )
    return row ? { from: Number(row.from), until: Number(row.until) } : null
  }

  /** Reads the states of stations in a span before a time (ms). */
  async #readStates(scope: Scope, feed: StationFeed, { from, until }: Span, time: number): Promise<States> {
    const lastPoll = this.#lastPolls.get(feed.feedId)
    if (lastPoll?.from === from && lastPoll.until === until) return lastPoll.states
    const rows = await this.#facts.rows<{
      station: string
      listed: number
      vehicles: number
      docks: number | null
      disabled: number | null
      installed: number
      renting: number
      returning: number
      reported: string | null
    }>(
      scope,
      sql`
        select
          station_id as station,
          is_listed as listed,
          vehicles_available as vehicles,
          docks_available as docks,
          vehicles_disabled as disabled,
          is_installed as installed,
          is_renting as renting,
          is_returning as returning,
          toString(${toMilliseconds(sql`reported_time`)}) as reported
        from ${latest('station_states')}
        where ${feedCondition(feed)} and from_time >= ${toDateTime(from)} and from_time < ${toDateTime(time)}
        order by station_id, from_time desc
        limit 1 by station_id`,
    )
    return new Map(
      rows.map((row) => [
        row.station,
        row.listed
          ? {
              stationId: row.station,
              vehiclesAvailable: row.vehicles,
              docksAvailable: row.docks ?? Number.NaN,
              vehiclesDisabled: row.disabled ?? Number.NaN,
              isInstalled: row.installed === 1,
              isRenting: row.renting === 1,
              isReturning: row.returning === 1,
              lastReported: row.reported === null ? Number.NaN : Number(row.reported),
            }
          : null,
      ]),
    )
  }

  async #recordDetails(
    scope: Scope,
    feed: StationFeed,
    stations: readonly StationDetails[],
    time: number,
  ): Promise<void> {
    const rows = await this.#facts.rows<{
      station: string
      name: string
      lon: number
      lat: number
      capacity: number | null
      virtual: number
      from: string
    }>(
      scope,
      sql`
        select
          station_id as station,
          name, lon, lat, capacity,
          is_virtual as virtual,
          toString(${toMilliseconds(sql`from_time`)}) as from
        from ${latest('station_details')}
        where ${feedCondition(feed)}
        order by station_id, from_time desc
        limit 1 by station_id`,
    )
    const storedDetails = new Map(rows.map((row) => [row.station, row]))
    const changedStations = stations.filter(({ stationId, name, lon, lat, capacity, isVirtual }) => {
      const row = storedDetails.get(stationId)
      if (!row) return true
      const isSame =
        row.name === name &&
        row.lon === lon &&
        row.lat === lat &&
        (row.virtual === 1) === isVirtual &&
        Object.is(row.capacity ?? Number.NaN, capacity)
      return !isSame && Number(row.from) < time
    })
    await storeDetails(this.#facts, scope, feed, { stations: changedStations, from: time })
  }
}
