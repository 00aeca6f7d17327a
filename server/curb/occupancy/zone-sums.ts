import type { CapacityBasis, OccupancySource } from '#contract/curb-occupancy.ts'
import { type HourFrame, intersect, type Pieces, subtract, type Times, unionOf } from './hour-frame.ts'

const hourMs = 3_600_000

/** Spaces of a zone from a time on, until the next step. */
export interface CapacityStep {
  from: number
  spaces: number
  basis: CapacityBasis
}

/** What sensors or cameras saw in a zone, by space; '' is the whole zone. Times in any order. */
export interface SeenZone {
  sessions: ReadonlyMap<string, Times>
  /** When a source watched and was online. */
  online: ReadonlyMap<string, Times>
}

/** A count of an hour from `hour` on (ms). */
export interface CountedHour {
  hour: number
  occupied: number
  known: number
  unknown: number
  closed: number
  spaces: number
  /** The values are those of one space. */
  isShare: boolean
}

/** Counts of an import that belong to a zone. `weight`: the zone's part of a place that is several zones. */
export interface ZoneCounts {
  weight: number
  hours: readonly CountedHour[]
}

/** Ms of spaces by slot: open, known and occupied. */
export interface SlotSums {
  open: Float64Array
  known: Float64Array
  occupied: Float64Array
}
export interface SourceSums extends SlotSums {
  source: OccupancySource
  /** The file knew more spaces than the zone. */
  isOfFile: boolean
}

/** Time of the spaces that count, by slot. */
export function spaceTime(pieces: Pieces, frame: HourFrame, steps: readonly CapacityStep[]): Float64Array {
  const [only] = steps
  if (steps.length === 1 && only) return pieces.lengths.map((length) => length * only.spaces)
  const sums = frame.newSums()
  addCapacity(sums, pieces, [frame.from, frame.until], steps)
  return sums
}

function addCapacity(sums: Float64Array, pieces: Pieces, times: Times, steps: readonly CapacityStep[]): void {
  for (const [index, { from, spaces }] of steps.entries()) {
    // The first step also holds before it begins.
    const [begin, end] = [index === 0 ? -Infinity : from, steps[index + 1]?.from ?? Infinity]
    if (spaces > 0) pieces.addAll(sums, intersect(times, [begin, end]), spaces)
  }
}

const noTimes: Times = []

/** Sums of what sources saw. Where none watched, nothing is known. */
export function seenSums(
  source: 'sensor' | 'camera',
  { sessions, online }: SeenZone,
  pieces: Pieces,
  frame: HourFrame,
  steps: readonly CapacityStep[],
): SourceSums {
  const open = spaceTime(pieces, frame, steps)
  const [known, occupied] = [frame.newSums(), frame.newSums()]
  const whole = unionOf(online.get('') ?? noTimes)
  addCapacity(known, pieces, whole, steps)
  pieces.addAll(occupied, intersect(sessions.get('') ?? noTimes, whole))
  for (const space of new Set([...sessions.keys(), ...online.keys()])) {
    if (space === '') continue
    const own = unionOf(online.get(space) ?? noTimes)
    pieces.addAll(known, subtract(own, whole))
    const watched = unionOf([...own, ...whole])
    // Two at a time in one space count once.
    pieces.addAll(occupied, intersect(unionOf(sessions.get(space) ?? noTimes), watched))
  }
  for (let slot = 0; slot < frame.slots; slot++) known[slot] = Math.min(known[slot]!, open[slot]!)
  return { source, open, known, occupied, isOfFile: false }
}

/** Sums of paid sessions on days on which payments of the zone are known (by index in the frame). */
export function paidSums(
  sessions: ReadonlyMap<string, Times>,
  isKnownDay: (day: number) => boolean,
  pieces: Pieces,
  frame: HourFrame,
  steps: readonly CapacityStep[],
): SourceSums {
  const open = spaceTime(pieces, frame, steps)
  const occupied = frame.newSums()
  for (const [space, times] of sessions) pieces.addAll(occupied, space ? unionOf(times) : times)
  const known = open.map((length, slot) => (isKnownDay(Math.floor(slot / 24)) ? length : 0))
  return { source: 'payment', open, known, occupied, isOfFile: false }
}

/** Sums of counts, by import, the newest first: of each hour, the newest import that has it counts. */
export function countedSums(
  source: OccupancySource,
  imports: readonly (readonly ZoneCounts[])[],
  pieces: Pieces,
  frame: HourFrame,
  steps: readonly CapacityStep[],
): SourceSums {
  const capacity = spaceTime(pieces, frame, steps)
  const sums = { open: capacity.slice(), known: frame.newSums(), occupied: frame.newSums() }
  const isFilled = new Uint8Array(frame.slots)
  let isOfFile = false
  for (const counts of imports) {
    const [occupied, known, unknown, closed, spaces, shares, shareKnown, seen] = Array.from(
      { length: 8 },
      () => frame.newSums(),
    ) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    for (const { weight, hours } of counts)
      for (const each of hours) {
        const [from, until] = [each.hour, each.hour + hourMs]
        // Sums of an hour belong to the part of it that counts.
        const add = (target: Float64Array, ms: number): void => pieces.add(target, from, until, ms / hourMs)
        add(seen, hourMs)
        if (each.isShare) {
          add(shares, each.occupied)
          add(shareKnown, each.known)
          continue
        }
        add(occupied, each.occupied * weight)
        add(known, each.known * weight)
        add(unknown, each.unknown * weight)
        add(closed, each.closed * weight)
        add(spaces, each.spaces * weight * hourMs)
      }
    for (let slot = 0; slot < frame.slots; slot++) {
      if (isFilled[slot] || !seen[slot]) continue
      isFilled[slot] = 1
      const spacesOfZone = pieces.lengths[slot] ? capacity[slot]! / pieces.lengths[slot]! : 0
      const ofZone = Math.max(0, capacity[slot]! - closed[slot]!)
      const ofFile = Math.max(spaces[slot]! - closed[slot]!, known[slot]! + unknown[slot]!)
      if (ofFile > ofZone) isOfFile = true
      sums.open[slot] = Math.max(ofZone, ofFile)
      sums.known[slot] = known[slot]! + shareKnown[slot]! * spacesOfZone
      sums.occupied[slot] = occupied[slot]! + shares[slot]! * spacesOfZone
    }
  }
  return { source, ...sums, isOfFile }
}

/** The sums that count: of each hour those of the first source that knows at least half of it. */
export function chooseSums(
  candidates: readonly SourceSums[],
  open: Float64Array,
): SlotSums & { source: OccupancySource | ''; isOfFile: boolean } {
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
  const [best] = [...uses].toSorted(([, one], [, other]) => other - one)[0] ?? []
  return { ...chosen, source: best?.source ?? '', isOfFile: best?.isOfFile ?? false }
}
