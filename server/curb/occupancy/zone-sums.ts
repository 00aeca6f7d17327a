import type { CapacityBasis, OccupancySource } from '#contract/curb-occupancy.ts'
import { hourMs } from '#contract/period.ts'
import { type HourFrame, intersect, type SlotTimes, subtract, type Times, mergeTimes } from './hour-frame.ts'

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
  /** The values are shares: those of one space, to be multiplied by the spaces of the zone. */
  isShare: boolean
}

/**
 * Counts of an import that belong to a zone. `weight` is the zone's share of a place that consists of several
 * zones.
 */
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
export interface SourceSums extends SlotSums {
  source: OccupancySource
  /** The file had more spaces than the zone, so the number of spaces is that of the file. */
  exceedsZone: boolean
}

/** The times of a zone that count, with its number of spaces. */
export interface ZoneTime {
  slotTimes: SlotTimes
  frame: HourFrame
  steps: readonly CapacityStep[]
}

/** Returns the space-time (ms) that counts, by slot. */
export function sumSpaceTime({ slotTimes, frame, steps }: ZoneTime): Float64Array {
  const [only] = steps
  if (steps.length === 1 && only) return slotTimes.lengths.map((length) => length * only.spaces)
  const sums = frame.createSums()
  addCapacity(sums, slotTimes, [frame.from, frame.until], steps)
  return sums
}

/** Adds the space-time of a zone in some times to the sums of their slots. */
function addCapacity(
  sums: Float64Array,
  slotTimes: SlotTimes,
  times: Times,
  steps: readonly CapacityStep[],
): void {
  for (const [index, { from, spaces }] of steps.entries()) {
    // The first step also applies before it begins.
    const [begin, end] = [index === 0 ? -Infinity : from, steps[index + 1]?.from ?? Infinity]
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
  const { slotTimes, frame, steps } = zoneTime
  const open = sumSpaceTime(zoneTime)
  const [known, occupied] = [frame.createSums(), frame.createSums()]
  const zoneOnline = mergeTimes(online.get('') ?? noTimes)
  addCapacity(known, slotTimes, zoneOnline, steps)
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

/**
 * Returns the sums of paid sessions. `isKnownDay` tells, by index in the frame, on which days payments of the
 * zone are known.
 */
export function sumPaid(
  sessions: ReadonlyMap<string, Times>,
  isKnownDay: (day: number) => boolean,
  zoneTime: ZoneTime,
): SourceSums {
  const { slotTimes, frame } = zoneTime
  const open = sumSpaceTime(zoneTime)
  const occupied = frame.createSums()
  for (const [space, times] of sessions) slotTimes.addAll(occupied, space ? mergeTimes(times) : times)
  const known = open.map((length, slot) => (isKnownDay(Math.floor(slot / 24)) ? length : 0))
  return { source: 'payment', open, known, occupied, exceedsZone: false }
}

/**
 * Returns the sums of counts. `imports` are sorted from newest to oldest; for each hour, the newest import
 * with data counts.
 */
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
    const file = sumImport(counts, zoneTime)
    for (let slot = 0; slot < frame.slots; slot++) {
      if (isFilled[slot] || !file.counted[slot]) continue
      isFilled[slot] = 1
      const spacesOfZone = slotTimes.lengths[slot] ? capacity[slot]! / slotTimes.lengths[slot]! : 0
      const openByZone = Math.max(0, capacity[slot]! - file.closed[slot]!)
      const openByFile = Math.max(
        file.spaces[slot]! - file.closed[slot]!,
        file.known[slot]! + file.unknown[slot]!,
      )
      if (openByFile > openByZone) exceedsZone = true
      sums.open[slot] = Math.max(openByZone, openByFile)
      sums.known[slot] = file.known[slot]! + file.shareKnown[slot]! * spacesOfZone
      sums.occupied[slot] = file.occupied[slot]! + file.shares[slot]! * spacesOfZone
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
      const [from, until] = [counted.hour, counted.hour + hourMs]
      // Sums of an hour are spread evenly over it, so only the part that counts is added.
      const add = (target: Float64Array, ms: number): void => slotTimes.add(target, from, until, ms / hourMs)
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

/** For each hour, chooses the sums of the first source that knows at least half of it. */
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
  const uses = new Map<SourceSums, number>()
  for (let slot = 0; slot < slots; slot++)
    for (const sums of candidates) {
      const openTime = sums.open[slot]!
      if (openTime <= 0 || sums.known[slot]! * 2 < openTime) continue
      chosen.open[slot] = openTime
      chosen.known[slot] = sums.known[slot]!
      chosen.occupied[slot] = sums.occupied[slot]!
      uses.set(sums, (uses.get(sums) ?? 0) + 1)
      break
    }
  const [best] = [...uses].toSorted(([, a], [, b]) => b - a)[0] ?? []
  return { ...chosen, source: best?.source ?? '', exceedsZone: best?.exceedsZone ?? false }
}
