import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import {
  deployedSumsSql,
  eventSumsSql,
  extremesSql,
  firstFactSql,
  hourlyAveragesSql,
  registeredTypesSql,
  stateSumsSql,
  tripSumsSql,
} from './queries/mds-metrics.ts'
import type { MetricAreas, MetricSelection } from './queries/metric-selection.ts'

export type { MetricAreas, MetricSelection }

/** The keys of a row: the number of the interval, and the groups. 64-bit integers are text. */
export interface MetricKeys {
  bucket: string
  operator_key: string
  type_key: string
  /** The number of a geography, from 1; 0 if there are no areas. */
  geography: number
}

/** Sums of one vehicle state. Durations are in ms. */
export interface StateSums extends MetricKeys {
  state_word: string
  snapshots: string
  state_ms: string
  devices: string
}
/** Sums of deployed vehicles, active (in a ride in the interval) or not. Durations are in ms. */
export interface DeployedSums extends MetricKeys {
  snapshots: string
  deployed_ms: string
  riding_ms: string
  devices: string
  active: string
  inactive: string
}
/** The smallest and largest number of vehicles in a state (`series`), or deployed. */
export interface Extremes extends MetricKeys {
  series: string
  smallest: string
  largest: string
}
/** The smallest and largest hourly average of deployed vehicles. */
export interface HourlyAverages extends MetricKeys {
  smallest: number
  largest: number
}
/** Sums of trips: those with a known duration or distance, their totals, medians and standard deviations. */
export interface TripSums extends MetricKeys {
  started: string
  duration_known: string
  duration_sum: string
  duration_median: number
  duration_deviation: number
  distance_known: string
  distance_sum: string
  distance_median: number
  distance_deviation: number
}
/** The number of events of a type. */
export interface EventSums extends MetricKeys {
  event_type: string
  received: string
}

/** Without facts, the first time is the maximum of its type, which is later than this (ms). */
const maxTime = 9e12
const limits = { seconds: 60, memory: 3 * 2 ** 30 }

/** Reads the sums for MDS Metrics of state intervals, trips and events, for intervals of any length. */
export class MdsMetricsReader {
  readonly #facts: Facts
  readonly #scope: Scope
  readonly #signal: AbortSignal

  constructor(facts: Facts, scope: Scope, signal: AbortSignal) {
    this.#facts = facts
    this.#scope = scope
    this.#signal = signal
  }

  readStates(selection: MetricSelection): Promise<StateSums[]> {
    return this.#rows(stateSumsSql(selection))
  }

  readDeployed(selection: MetricSelection): Promise<DeployedSums[]> {
    return this.#rows(deployedSumsSql(selection))
  }

  /** `series`: names of states, or `deployed`. */
  readExtremes(selection: MetricSelection, series: readonly string[]): Promise<Extremes[]> {
    return this.#rows(extremesSql(selection, series))
  }

  readHourlyAverages(selection: MetricSelection): Promise<HourlyAverages[]> {
    return this.#rows(hourlyAveragesSql(selection))
  }

  readTrips(selection: MetricSelection, end: 'start' | 'end'): Promise<TripSums[]> {
    return this.#rows(tripSumsSql(selection, end))
  }

  readEvents(selection: MetricSelection, types: readonly string[]): Promise<EventSums[]> {
    return this.#rows(eventSumsSql(selection, types))
  }

  async findRegisteredTypes(selection: Pick<MetricSelection, 'regionId' | 'operators'>): Promise<string[]> {
    const rows = await this.#rows<{ vehicle_type: string }>(registeredTypesSql(selection))
    return rows.map((row) => row.vehicle_type)
  }

  /** Finds the time of the first fact, ms; null without facts. */
  async findFirstFactTime(regionId: string): Promise<number | null> {
    const [row] = await this.#rows<{ first: string }>(firstFactSql(regionId))
    const firstTime = Number(row?.first ?? 0)
    return firstTime > 0 && firstTime < maxTime ? firstTime : null
  }

  #rows<Row>(query: Sql): Promise<Row[]> {
    return this.#facts.rows<Row>(this.#scope, query, { limits, signal: this.#signal })
  }
}
