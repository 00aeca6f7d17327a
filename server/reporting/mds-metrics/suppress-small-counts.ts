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
  /** By the version's name of a state, or `deployed`. */
  extremes: ReadonlyMap<string, Extremes>
  hours: HourlyAverages | undefined
  trips: Readonly<Record<'start' | 'end', TripSums | undefined>>
  /** Started trips of operators with vehicles. */
  fleetTrips: number
  /** By stored event type. */
  events: ReadonlyMap<string, number>
}

/** Value of measures that are suppressed or undefined, as MDS Metrics requires. */
export const redacted = -1
/** Returns a count, or `redacted` if it is less than k. */
const suppress = (value: number, k: number): number => (value < k ? redacted : value)

/**
 * Finds the states with suppressed values: those with fewer than k vehicles. If exactly one of the states in
 * the public right of way that have vehicles is suppressed, the smallest of the others is suppressed too.
 * Otherwise the first could be computed as the difference between all deployed vehicles and the other states.
 */
export function findHiddenStates(
  { states }: Pick<Cell, 'states'>,
  words: MetricWords,
  k: number,
): Set<string> {
  const countVehicles = (state: string): number => Number(states.get(state)?.devices ?? 0)
  const hiddenStates = new Set(Object.values(words.states).filter((state) => countVehicles(state) < k))
  const deployedStates = words.deployed.filter((state) => countVehicles(state) > 0)
  const hiddenDeployed = deployedStates.filter((state) => hiddenStates.has(state))
  const [smallestVisible] = deployedStates
    .filter((state) => !hiddenStates.has(state))
    .toSorted((a, b) => countVehicles(a) - countVehicles(b) || a.localeCompare(b))
  if (hiddenDeployed.length === 1 && smallestVisible !== undefined) hiddenStates.add(smallestVisible)
  return hiddenStates
}

/** Returns the value of a measure of dockless vehicles; redacted below `k` vehicles. */
function computeDocklessValue(measure: DocklessMeasure, cell: Cell, words: MetricWords, k: number): number {
  const { deployed, minutes, extremes, hours } = cell
  const vehicles = Number(deployed?.devices ?? 0)
  const active = Number(deployed?.active ?? 0)
  const inactive = Number(deployed?.inactive ?? 0)
  const average = Number(deployed?.snapshots ?? 0) / minutes
  if (measure === 'active.count') return suppress(active, k)
  if (measure === 'inactive.count') return suppress(inactive, k)
  if (vehicles < k) return redacted
  switch (measure) {
    case 'deployed.avg':
      return average
    case 'deployed.min':
      return suppress(Number(extremes.get('deployed')?.smallest ?? 0), k)
    case 'deployed.max':
      return suppress(Number(extremes.get('deployed')?.largest ?? 0), k)
    case 'deployed.avg.min':
      return suppress(hours?.smallest ?? 0, k)
    case 'deployed.avg.max':
      return suppress(hours?.largest ?? 0, k)
    case 'utilization.active.percent':
      return active < k || inactive < k || !(active + inactive) ? redacted : active / (active + inactive)
    case 'utilization.trips_per_vehicle.avg': {
      const trips = cell.fleetTrips
      return trips < k || !average ? redacted : trips / average
    }
    case 'utilization.idle.percent': {
      const hiddenStates = findHiddenStates(cell, words, k)
      const isVisible = words.riding.every((state) => !hiddenStates.has(state) || !cell.states.has(state))
      const deployedMs = Number(deployed?.deployed_ms ?? 0)
      const ridingMs = Number(deployed?.riding_ms ?? 0)
      return !isVisible || active < k || !deployedMs ? redacted : 1 - ridingMs / deployedMs
    }
  }
}

/** Returns a value; -1 if fewer than k vehicles, trips or events are counted, or if it is undefined. */
export function computeCellValue(measure: MetricMeasure, cell: Cell, words: MetricWords, k: number): number {
  switch (measure.family) {
    case 'events':
      return suppress(cell.events.get(measure.event) ?? 0, k)
    case 'trips': {
      const sums = cell.trips[measure.end]
      const trips = Number(sums?.started ?? 0)
      if (measure.quantity === 'count') return suppress(trips, k)
      const knownCount = Number(sums?.[`${measure.quantity}_known`] ?? 0)
      if (trips < k || knownCount < k || !sums || (!knownCount && measure.statistic !== 'sum'))
        return redacted
      const sum = Number(sums[`${measure.quantity}_sum`])
      const values = {
        sum,
        avg: sum / knownCount,
        med: Number(sums[`${measure.quantity}_median`]),
        std: Number(sums[`${measure.quantity}_deviation`]),
      }
      // From mm to m, or from ms to s.
      return values[measure.statistic] / 1000
    }
    case 'vehicles': {
      const sums = cell.states.get(measure.state)
      if (findHiddenStates(cell, words, k).has(measure.state)) return redacted
      const range = cell.extremes.get(measure.state)
      return {
        avg: () => Number(sums?.snapshots ?? 0) / cell.minutes,
        'duration.sum': () => Number(sums?.state_ms ?? 0) / 1000,
        min: () => suppress(Number(range?.smallest ?? 0), k),
        max: () => suppress(Number(range?.largest ?? 0), k),
      }[measure.statistic]()
    }
    case 'dockless':
      return computeDocklessValue(measure.measure, cell, words, k)
  }
}
