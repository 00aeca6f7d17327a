import type {
  DeployedSums,
  Extremes,
  HourlyAverages,
  StateSums,
  TripSums,
} from '#server/fleet/reports/read-mds-metrics.ts'
import type { DocklessMeasure, MetricMeasure, MetricWords } from './metric-measures.ts'

/** The facts of one group in one interval. */
export interface Cell {
  minutes: number
  states: ReadonlyMap<string, StateSums>
  deployed: DeployedSums | undefined
  /** By state's word, or `deployed`. */
  extremes: ReadonlyMap<string, Extremes>
  hours: HourlyAverages | undefined
  trips: Readonly<Record<'start' | 'end', TripSums | undefined>>
  /** Trips that start, of operators with vehicles. */
  fleetTrips: number
  /** By stored event type. */
  events: ReadonlyMap<string, number>
}

/** Replaces values that are redacted, and values of nothing. */
export const redacted = -1

/** A count, where it is not under k. */
const count = (value: number, k: number): number => (value < k ? redacted : value)

/**
 * States that are hidden: those with fewer than k vehicles. Where one alone of those in the public right of way has any, the smallest of the
 * others is hidden with it: otherwise it is the difference to the deployed vehicles.
 */
export function hiddenStates({ states }: Pick<Cell, 'states'>, words: MetricWords, k: number): Set<string> {
  const vehicles = (word: string): number => Number(states.get(word)?.devices ?? 0)
  const hidden = new Set(Object.values(words.states).filter((word) => vehicles(word) < k))
  const present = words.deployed.filter((word) => vehicles(word) > 0)
  const [small, large] = [
    present.filter((word) => hidden.has(word)),
    present.filter((word) => !hidden.has(word)),
  ]
  const next = large.toSorted((a, b) => vehicles(a) - vehicles(b) || a.localeCompare(b))[0]
  if (small.length === 1 && next !== undefined) hidden.add(next)
  return hidden
}

function docklessValue(measure: DocklessMeasure, cell: Cell, words: MetricWords, k: number): number {
  const { deployed, minutes, extremes, hours } = cell
  const vehicles = Number(deployed?.devices ?? 0)
  const [active, inactive] = [Number(deployed?.active ?? 0), Number(deployed?.inactive ?? 0)]
  const average = Number(deployed?.snapshots ?? 0) / minutes
  if (measure === 'active.count') return count(active, k)
  if (measure === 'inactive.count') return count(inactive, k)
  if (vehicles < k) return redacted
  switch (measure) {
    case 'deployed.avg':
      return average
    case 'deployed.min':
      return count(Number(extremes.get('deployed')?.smallest ?? 0), k)
    case 'deployed.max':
      return count(Number(extremes.get('deployed')?.largest ?? 0), k)
    case 'deployed.avg.min':
      return count(hours?.smallest ?? 0, k)
    case 'deployed.avg.max':
      return count(hours?.largest ?? 0, k)
    case 'utilization.active.percent':
      return active < k || inactive < k || !(active + inactive) ? redacted : active / (active + inactive)
    case 'utilization.trips_per_vehicle.avg': {
      const trips = cell.fleetTrips
      return trips < k || !average ? redacted : trips / average
    }
    case 'utilization.idle.percent': {
      const hidden = hiddenStates(cell, words, k)
      const isVisible = words.riding.every((word) => !hidden.has(word) || !cell.states.has(word))
      const [whole, riding] = [Number(deployed?.deployed_ms ?? 0), Number(deployed?.riding_ms ?? 0)]
      return !isVisible || active < k || !whole ? redacted : 1 - riding / whole
    }
  }
}

/** The value of a measure, -1 where it rests on fewer than k vehicles, trips or events, or where nothing has it. */
export function cellValue(measure: MetricMeasure, cell: Cell, words: MetricWords, k: number): number {
  switch (measure.family) {
    case 'events':
      return count(cell.events.get(measure.event) ?? 0, k)
    case 'trips': {
      const sums = cell.trips[measure.end]
      const trips = Number(sums?.started ?? 0)
      if (measure.of === 'count') return count(trips, k)
      const known = Number(sums?.[`${measure.of}_known`] ?? 0)
      if (trips < k || known < k || !sums || (!known && measure.statistic !== 'sum')) return redacted
      const sum = Number(sums[`${measure.of}_sum`])
      const values = {
        sum,
        avg: sum / known,
        med: Number(sums[`${measure.of}_median`]),
        std: Number(sums[`${measure.of}_deviation`]),
      }
      return values[measure.statistic] / 1000
    }
    case 'vehicles': {
      const sums = cell.states.get(measure.state)
      if (hiddenStates(cell, words, k).has(measure.state)) return redacted
      const range = cell.extremes.get(measure.state)
      return {
        avg: () => Number(sums?.snapshots ?? 0) / cell.minutes,
        'duration.sum': () => Number(sums?.state_ms ?? 0) / 1000,
        min: () => count(Number(range?.smallest ?? 0), k),
        max: () => count(Number(range?.largest ?? 0), k),
      }[measure.statistic]()
    }
    case 'dockless':
      return docklessValue(measure.measure, cell, words, k)
  }
}
