import type { Facts } from '#server/stores/facts.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { encodeLines, escapeField, timeText } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** The state of a station is known for this time after a poll; polls farther apart leave a gap. */
export const maxPollGapMs = 10 * 60_000
/** Minimum time between stored reports of a station without any change. */
const reportStepMs = 3_600_000
const dayMs = 86_400_000
/** Of a UInt32: a count beyond it is a fault of the feed. */
const maxCount = 2 ** 32 - 1

/** A GBFS feed of an operator. */
export interface StationFeed {
  regionId: string
  operator: string
  feedId: string
}

/** A station as a poll of station_status has it. NaN: not known. */
export interface StationState {
  stationId: string
  vehiclesAvailable: number
  docksAvailable: number
  vehiclesDisabled: number
  isInstalled: boolean
  isRenting: boolean
  isReturning: boolean
  /** Ms since 1970. */
  lastReported: number
}

/** A station as station_information has it. NaN: not known. */
export interface StationDetails {
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  /** A place without docks, which is in no report. */
  isVirtual: boolean
}

/** A time of polls without a gap, ms; `until` is the last one. */
interface Span {
  from: number
  until: number
}

/** Null: the feed no longer lists the station. */
type States = Map<string, StationState | null>

/** A number of a Nullable(UInt32), within its bounds. */
const countText = (value: number): string =>
  Number.isNaN(value) ? '\\N' : String(Math.min(Math.floor(value), maxCount))
const flagText = (flag: boolean): string => (flag ? '1' : '0')
const maybeTimeText = (ms: number): string => (Number.isNaN(ms) ? '\\N' : timeText(ms))

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

const feedText = ({ regionId, operator, feedId }: StationFeed): string =>
  `${regionId}\t${escapeField(operator)}\t${escapeField(feedId)}`

/** A state from a poll on; null: no longer listed. */
export interface StateRow {
  stationId: string
  from: number
  state: StationState | null
}

/** Stores rows of the history. A row that is stored again changes nothing. */
export async function storeStates(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  rows: readonly StateRow[],
): Promise<void> {
  if (!rows.length) return
  const begin = feedText(feed)
  const lines = encodeLines(rows, ({ stationId, from, state }) => {
    const values =
      state === null
        ? '0\t0\t\\N\t\\N\t0\t0\t0\t\\N'
        : `1\t${countText(state.vehiclesAvailable)}\t${countText(state.docksAvailable)}\t${countText(state.vehiclesDisabled)}\t${flagText(state.isInstalled)}\t${flagText(state.isRenting)}\t${flagText(state.isReturning)}\t${maybeTimeText(state.lastReported)}`
    return `${begin}\t${escapeField(stationId)}\t${timeText(from)}\t${values}\t${from}\n`
  })
  await facts.insert(scope, 'station_states', stateColumns, feed.regionId, lines)
}

/** Stores spans; of two with the same begin the longer counts. */
export async function storeSpans(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  spans: readonly Span[],
): Promise<void> {
  const begin = feedText(feed)
  const lines = encodeLines(
    spans,
    ({ from, until }) => `${begin}\t${timeText(from)}\t${timeText(until)}\t${until}\n`,
  )
  const columns = ['region_id', 'operator', 'feed_id', 'from_time', 'until_time', 'version']
  await facts.insert(scope, 'station_spans', columns, feed.regionId, lines)
}

/** Stores names, places and capacities from a time (ms) on. */
export async function storeDetails(
  facts: Facts,
  scope: Scope,
  feed: StationFeed,
  stations: readonly StationDetails[],
  from: number,
): Promise<void> {
  if (!stations.length) return
  const begin = feedText(feed)
  const lines = encodeLines(
    stations,
    ({ stationId, name, lon, lat, capacity, isVirtual }) =>
      `${begin}\t${escapeField(stationId)}\t${timeText(from)}\t${escapeField(name)}\t${lon}\t${lat}\t${countText(capacity)}\t${flagText(isVirtual)}\t${from}\n`,
  )
  await facts.insert(scope, 'station_details', detailColumns, feed.regionId, lines)
}

/** Whether two times are of the same UTC day. */
const isSameDay = (a: number, b: number): boolean => Math.floor(a / dayMs) === Math.floor(b / dayMs)

function hasChanged(before: StationState | null | undefined, now: StationState): boolean {
  if (!before) return true
  const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))
  return (
    before.vehiclesAvailable !== now.vehiclesAvailable ||
    !isSame(before.docksAvailable, now.docksAvailable) ||
    !isSame(before.vehiclesDisabled, now.vehiclesDisabled) ||
    before.isInstalled !== now.isInstalled ||
    before.isRenting !== now.isRenting ||
    before.isReturning !== now.isReturning ||
    (!Number.isNaN(now.lastReported) && !(now.lastReported - before.lastReported < reportStepMs))
  )
}

const ofFeed = ({ regionId, operator, feedId }: StationFeed): Sql =>
  sql`region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} and feed_id = ${bind('String', feedId)}`

/**
 * Stores what polls of GBFS stations find, on change only. What is stored decides, not what this process
 * remembers: another server may poll a feed in between, and a poll of the past may be read again.
 */
export class StationHistory {
  readonly #facts: Facts
  /** The span of the last poll of each feed, with the states at its end. */
  readonly #known = new Map<string, Span & { states: States }>()
  /** Polls of one feed wait for each other. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** Stores the states of all stations of a feed as polled at a time, ms. A poll within a known span changes nothing. */
  recordStates(scope: Scope, feed: StationFeed, states: readonly StationState[], at: number): Promise<void> {
    return this.#inTurn(feed, () => this.#recordStates(scope, feed, states, at))
  }

  /** Stores names, places and capacities that have changed. */
  recordDetails(
    scope: Scope,
    feed: StationFeed,
    stations: readonly StationDetails[],
    at: number,
  ): Promise<void> {
    return this.#inTurn(feed, () => this.#recordDetails(scope, feed, stations, at))
  }

  #inTurn(feed: StationFeed, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(feed.feedId) ?? Promise.resolve()
    const turn = before.then(work, work)
    this.#turns.set(feed.feedId, turn)
    const forget = (): void => {
      if (this.#turns.get(feed.feedId) === turn) this.#turns.delete(feed.feedId)
    }
    turn.then(forget, forget)
    return turn
  }

  async #recordStates(
    scope: Scope,
    feed: StationFeed,
    polled: readonly StationState[],
    at: number,
  ): Promise<void> {
    const span = await this.#spanBefore(scope, feed, at)
    if (span && at <= span.until) return
    const continued = span && at - span.until <= maxPollGapMs && isSameDay(span.from, at) ? span : null
    const before: States = continued ? await this.#statesOf(scope, feed, continued, at) : new Map()
    const now = new Map<string, StationState | null>(polled.map((state) => [state.stationId, state]))
    const rows: StateRow[] = polled
      .filter((state) => hasChanged(before.get(state.stationId), state))
      .map((state) => ({ stationId: state.stationId, from: at, state }))
    for (const [stationId, state] of before)
      if (state !== null && !now.has(stationId)) rows.push({ stationId, from: at, state: null })
    // States first: without its span, a row counts for no longer than the one before allows.
    await storeStates(this.#facts, scope, feed, rows)
    const next = { from: continued?.from ?? at, until: at }
    await storeSpans(this.#facts, scope, feed, [next])
    for (const { stationId, state } of rows) before.set(stationId, state)
    this.#known.set(feed.feedId, { ...next, states: before })
  }

  /** The newest span that begins at a time or up to a day before it. */
  async #spanBefore(scope: Scope, feed: StationFeed, at: number): Promise<Span | null> {
    const [row] = await this.#facts.rows<{ from: string; until: string }>(
      scope,
      sql`
        select toString(${msOf(sql`from_time`)}) as from, toString(${msOf(sql`until_time`)}) as until
        from ${latest('station_spans')}
        where ${ofFeed(feed)} and from_time <= ${instant(at)} and from_time > ${instant(at - dayMs)}
        order by from_time desc
        limit 1`,
    )
    return row ? { from: Number(row.from), until: Number(row.until) } : null
  }

  /** The states of stations before a time within a span. */
  async #statesOf(scope: Scope, feed: StationFeed, { from, until }: Span, at: number): Promise<States> {
    const known = this.#known.get(feed.feedId)
    if (known?.from === from && known.until === until) return known.states
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
        select station_id as station, is_listed as listed, vehicles_available as vehicles, docks_available as docks,
          vehicles_disabled as disabled, is_installed as installed, is_renting as renting, is_returning as returning,
          toString(${msOf(sql`reported_time`)}) as reported
        from ${latest('station_states')}
        where ${ofFeed(feed)} and from_time >= ${instant(from)} and from_time < ${instant(at)}
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
    at: number,
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
        select station_id as station, name, lon, lat, capacity, is_virtual as virtual, toString(${msOf(sql`from_time`)}) as from
        from ${latest('station_details')}
        where ${ofFeed(feed)}
        order by station_id, from_time desc
        limit 1 by station_id`,
    )
    const known = new Map(rows.map((row) => [row.station, row]))
    const changed = stations.filter(({ stationId, name, lon, lat, capacity, isVirtual }) => {
      const row = known.get(stationId)
      if (!row) return true
      const isSame =
        row.name === name &&
        row.lon === lon &&
        row.lat === lat &&
        (row.virtual === 1) === isVirtual &&
        Object.is(row.capacity ?? Number.NaN, capacity)
      return !isSame && Number(row.from) < at
    })
    await storeDetails(this.#facts, scope, feed, changed, at)
  }
}
