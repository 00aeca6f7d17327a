import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import {
  deployedSums,
  eventSums,
  extremes,
  firstFact,
  hourlyAverages,
  registeredTypes,
  stateSums,
  tripSums,
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

export interface StateSums extends MetricKeys {
  state_word: string
  snapshots: string
  state_ms: string
  devices: string
}
export interface DeployedSums extends MetricKeys {
  snapshots: string
  deployed_ms: string
  riding_ms: string
  devices: string
  active: string
  inactive: string
}
export interface Extremes extends MetricKeys {
  series: string
  smallest: string
  largest: string
}
export interface HourlyAverages extends MetricKeys {
  smallest: number
  largest: number
}
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
export interface EventSums extends MetricKeys {
  event_type: string
  received: string
}

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

  states(selection: MetricSelection): Promise<StateSums[]> {
    return this.#rows(stateSums(selection))
  }

  deployed(selection: MetricSelection): Promise<DeployedSums[]> {
    return this.#rows(deployedSums(selection))
  }

  /** `series`: names of states, or `deployed`. */
  extremes(selection: MetricSelection, series: readonly string[]): Promise<Extremes[]> {
    return this.#rows(extremes(selection, series))
  }

  hourlyAverages(selection: MetricSelection): Promise<HourlyAverages[]> {
    return this.#rows(hourlyAverages(selection))
  }

  trips(selection: MetricSelection, end: 'start' | 'end'): Promise<TripSums[]> {
    return this.#rows(tripSums(selection, end))
  }

  events(selection: MetricSelection, types: readonly string[]): Promise<EventSums[]> {
    return this.#rows(eventSums(selection, types))
  }

  async registeredTypes(selection: Pick<MetricSelection, 'regionId' | 'operators'>): Promise<string[]> {
    const rows = await this.#rows<{ vehicle_type: string }>(registeredTypes(selection))
    return rows.map((row) => row.vehicle_type)
  }

  /** Returns the time of the first fact, ms; null without facts. */
  async firstFact(regionId: string): Promise<number | null> {
    const [row] = await this.#rows<{ first: string }>(firstFact(regionId))
    const first = Number(row?.first ?? 0)
    return first > 0 && first < 9e12 ? first : null
  }

  #rows<Row>(query: Sql): Promise<Row[]> {
    return this.#facts.rows<Row>(this.#scope, query, { limits, signal: this.#signal })
  }
}
