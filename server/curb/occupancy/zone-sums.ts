import type { CapacityBasis, OccupancySource } from '#contract/curb-occupancy.ts'
import { hourMs } from '#contract/period.ts'
import {
  type HourFrame,
  hoursOfDay,
  intersect,
  type SlotTimes,
  subtract,
  type Times,
  mergeTimes,
} from './hour-frame.ts'

/** Number of spaces in a zone from a time (ms since 1970) until the next step. */
export interface CapacityStep {
  from: number
  spaces: number
  basis: CapacityBasis
}

/** What sensors or cameras observed in a zone, by space; '' for the entire zone. Times may be unsorted. */
export interface ObservedZone {
  sessions: ReadonlyMap<string, Times>
  /** When a device was online and watched the place. */
  online: ReadonlyMap<string, Times>
}

/** Counted space-time (ms) in an hour that begins at `hour` (ms since 1970). */
export interface CountedHour {
  hour: number
  occupied: number
  known: number
  unknown: number
  closed: number
  spaces: number
  /** Whether the values are shares: those of one space, to be multiplied by the spaces of the zone. */
  isShare: boolean
}

/** Counts of an import that belong to a zone. `weight` is its share of a place of several zones. */
export interface ZoneCounts {
  weight: number
  hours: readonly CountedHour[]
}

/** Space-time (ms) by slot. */
export interface SlotSums {
  open: Float64Array
  known: Float64Array
  occupied: Float64Array
}
/** Sums by slot of one source in a zone. */
export interface SourceSums extends SlotSums {
  source: OccupancySource
  /** Whether the file had more spaces than the zone, so that its number of spaces is used. */
  exceedsZone: boolean
}

/** The times of a zone that count, with its number of spaces. */
export interface ZoneTime {
  slotTimes: SlotTimes
  frame: HourFrame
  capacitySteps: readonly CapacityStep[]
}

/** Returns the space-time (ms) that counts, by slot. */
export function sumSpaceTime({ slotTimes, frame, capacitySteps }: ZoneTime): Float64Array {
  const [onlyStep] = capacitySteps
  if (capacitySteps.length === 1 && onlyStep)
    return slotTimes.lengths.map((length) => length * onlyStep.spaces)
  const sums = frame.createSums()
  addCapacity(sums, slotTimes, [frame.from, frame.until], capacitySteps)
  return sums
}

/** Adds the space-time of a zone in some times to the sums of their slots. */
function addCapacity(
  sums: Float64Array,
  slotTimes: SlotTimes,
  times: Times,
  capacitySteps: readonly CapacityStep[],
): void {
  for (const [index, { from, spaces }] of capacitySteps.entries()) {
    // The first step also applies before it begins.
    const begin = index === 0 ? -Infinity : from
    const end = capacitySteps[index + 1]?.from ?? Infinity
    if (spaces > 0) slotTimes.addAll(sums, intersect(times, [begin, end]), spaces)
  }
}

const noTimes: Times = []

/** Returns the sums of what sensors or cameras observed. Time in which none watched is unknown. */
export function sumObservations(
  source: 'sensor' | 'camera',
  { sessions, online }: ObservedZone,
  zoneTime: ZoneTime,
): SourceSums {
  const { slotTimes, frame, capacitySteps } = zoneTime
  const open = sumSpaceTime(zoneTime)
  const known = frame.createSums()
  const occupied = frame.createSums()
  const zoneOnline = mergeTimes(online.get('') ?? noTimes)
  addCapacity(known, slotTimes, zoneOnline, capacitySteps)
  slotTimes.addAll(occupied, intersect(sessions.get('') ?? noTimes, zoneOnline))
  for (const space of new Set([...sessions.keys(), ...online.keys()])) {
    if (space === '') continue
    const spaceOnline = mergeTimes(online.get(space) ?? noTimes)
    slotTimes.addAll(known, subtract(spaceOnline, zoneOnline))
    const watched = mergeTimes([...spaceOnline, ...zoneOnline])
    // Overlapping sessions in one space count once.
    slotTimes.addAll(occupied, intersect(mergeTimes(sessions.get(space) ?? noTimes), watched))
  }
  for (let slot = 0; slot < frame.slots; slot++) known[slot] = Math.min(known[slot]!, open[slot]!)
  return { source, open, known, occupied, exceedsZone: false }
}

/** Sums paid sessions. @param isKnownDay whether the zone's payments are known on a day (by index) */
export function sumPaid(
  sessions: ReadonlyMap<string, Times>,
  isKnownDay: (day: number) => boolean,
  zoneTime: ZoneTime,
): SourceSums {
  const { slotTimes, frame } = zoneTime
  const open = sumSpaceTime(zoneTime)
  const occupied = frame.createSums()
  for (const [space, times] of sessions) slotTimes.addAll(occupied, space ? mergeTimes(times) : times)
  const known = open.map((length, slot) => (isKnownDay(Math.floor(slot / hoursOfDay)) ? length : 0))
  return { source: 'payment', open, known, occupied, exceedsZone: false }
}

/** Returns the sums of counts. For each hour, the first of `imports` (newest first) with data counts. */
export function sumCounts(
  source: OccupancySource,
  imports: readonly (readonly ZoneCounts[])[],
  zoneTime: ZoneTime,
): SourceSums {
  const { slotTimes, frame } = zoneTime
  const capacity = sumSpaceTime(zoneTime)
  const sums = { open: capacity.slice(), known: frame.createSums(), occupied: frame.createSums() }
  const isFilled = new Uint8Array(frame.slots)
  let exceedsZone = false
  for (const counts of imports) {
    const importSums = sumImport(counts, zoneTime)
    for (let slot = 0; slot < frame.slots; slot++) {
      if (isFilled[slot] || !importSums.counted[slot]) continue
      isFilled[slot] = 1
      const spacesOfZone = slotTimes.lengths[slot] ? capacity[slot]! / slotTimes.lengths[slot]! : 0
      const openByZone = Math.max(0, capacity[slot]! - importSums.closed[slot]!)
      const openByFile = Math.max(
        importSums.spaces[slot]! - importSums.closed[slot]!,
        importSums.known[slot]! + importSums.unknown[slot]!,
      )
      if (openByFile > openByZone) exceedsZone = true
      sums.open[slot] = Math.max(openByZone, openByFile)
      sums.known[slot] = importSums.known[slot]! + importSums.shareKnown[slot]! * spacesOfZone
      sums.occupied[slot] = importSums.occupied[slot]! + importSums.shares[slot]! * spacesOfZone
    }
  }
  return { source, ...sums, exceedsZone }
}

/** Sums an import in the times of a zone that count: space-time (ms) by slot, and shares of one space. */
function sumImport(counts: readonly ZoneCounts[], { slotTimes, frame }: ZoneTime) {
  const sums = {
    occupied: frame.createSums(),
    known: frame.createSums(),
    unknown: frame.createSums(),
    closed: frame.createSums(),
    spaces: frame.createSums(),
    /** Occupied and known time of hours with shares. */
    shares: frame.createSums(),
    shareKnown: frame.createSums(),
    /** Time of the hours with data, to know which slots have any. */
    counted: frame.createSums(),
  }
  for (const { weight, hours } of counts)
    for (const counted of hours) {
      // Sums of an hour are spread evenly over it, so only the part that counts is added.
      const add = (target: Float64Array, ms: number): void =>
        slotTimes.add(target, counted.hour, counted.hour + hourMs, ms / hourMs)
      add(sums.counted, hourMs)
      if (counted.isShare) {
        add(sums.shares, counted.occupied)
        add(sums.shareKnown, counted.known)
        continue
      }
      add(sums.occupied, counted.occupied * weight)
      add(sums.known, counted.known * weight)
      add(sums.unknown, counted.unknown * weight)
      add(sums.closed, counted.closed * weight)
      add(sums.spaces, counted.spaces * weight * hourMs)
    }
  return sums
}

/**
 * For each hour, chooses the sums of the first source that knows at least half of it. The returned source is
 * the one of most hours; '' if nothing is known.
 */
export function chooseSums(
  candidates: readonly SourceSums[],
  open: Float64Array,
): SlotSums & { source: OccupancySource | ''; exceedsZone: boolean } {
  const slots = open.length
  const chosen: SlotSums = {
    open: open.slice(),
    known: new Float64Array(slots),
    occupied: new Float64Array(slots),
  }
  const slotsBySource = new Map<SourceSums, number>()
  for (let slot = 0; slot < slots; slot++)
    for (const sums of candidates) {
      const openTime = sums.open[slot]!
      if (openTime <= 0 || sums.known[slot]! * 2 < openTime) continue
      chosen.open[slot] = openTime
      chosen.known[slot] = sums.known[slot]!
      chosen.occupied[slot] = sums.occupied[slot]!
      slotsBySource.set(sums, (slotsBySource.get(sums) ?? 0) + 1)
      break
    }
  const [main] = [...slotsBySource].toSorted(([, a], [, b]) => b - a)[0] ?? []
  return { ...chosen, source: main?.source ?? '', exceedsZone: main?.exceedsZone ?? false }
}
