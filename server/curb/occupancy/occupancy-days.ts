import type { CapacityBasis, OccupancySource } from '#contract/curb-occupancy.ts'
import { dayMs, type LocalDay } from '#contract/period.ts'
import { hoursOfDay, type HourFrame } from './hour-frame.ts'
import type { CountsOfPlace, OnlineSpan, SessionsOfZone } from './read-sources.ts'
import {
  chooseSums,
  sumCounts,
  sumPaid,
  sumObservations,
  type ObservedZone,
  type SourceSums,
  sumSpaceTime,
  type ZoneCounts,
  type ZoneTime,
} from './zone-sums.ts'
import { findCapacity, type ZoneTerms } from './zone-terms.ts'

/** The data from which occupancy is derived. */
export interface OccupancySources {
  sessions: readonly SessionsOfZone[]
  online: readonly OnlineSpan[]
  counts: readonly CountsOfPlace[]
  /** Ids of published imports, newest first. */
  importIds: readonly string[]
  /** Returns the zones of a place in an import, with the share of the place that belongs to each. */
  zonesOfPlace: (importId: string, place: string) => readonly { zoneId: string; weight: number }[]
  /** The first day with a payment, by zone. */
  firstPaidDays: ReadonlyMap<string, LocalDay>
}

interface ZoneData {
  observed: Map<'sensor' | 'camera', { sessions: Map<string, number[]>; online: Map<string, number[]> }>
  /** Paid times ([from, until, …], ms since 1970) by space. */
  paid: Map<string, number[]>
  /** By source, then by the index of the import in `importIds`. */
  counts: Map<OccupancySource, (ZoneCounts[] | undefined)[]>
  /** When the data of the zone begin. */
  firstDataMs: number
}

/** The occupancy of a zone on a day, of one kind. Lists contain space-seconds by hour. */
export interface OccupancyDay {
  kind: 'measured' | 'paid'
  day: LocalDay
  zoneId: string
  /** '' if nothing is known. */
  source: OccupancySource | ''
  basis: CapacityBasis
  capacity: number
  /** Time in which the zone is open. */
  open: number[]
  /** The part of `open` in which occupancy is known. */
  known: number[]
  occupied: number[]
}

const getOrCreate = <Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value => {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = create()))
  return value
}

/** Groups the data of all sources by zone. */
function groupByZone(frame: HourFrame, sources: OccupancySources): Map<string, ZoneData> {
  const zones = new Map<string, ZoneData>()
  const getZone = (id: string): ZoneData =>
    getOrCreate(zones, id, () => ({
      observed: new Map(),
      paid: new Map(),
      counts: new Map(),
      firstDataMs: Infinity,
    }))
  const getObserved = (zone: ZoneData, kind: 'sensor' | 'camera') =>
    getOrCreate(zone.observed, kind, () => ({
      sessions: new Map<string, number[]>(),
      online: new Map<string, number[]>(),
    }))
  for (const { zone: id, source_kind: kind, spaces, starts, ends } of sources.sessions) {
    const zone = getZone(id)
    const timesBySpace = kind === 'payment' ? zone.paid : getObserved(zone, kind).sessions
    for (let index = 0; index < starts.length; index++) {
      const from = frame.from + starts[index]!
      zone.firstDataMs = Math.min(zone.firstDataMs, from)
      getOrCreate(timesBySpace, spaces[index] ?? '', () => []).push(from, frame.from + ends[index]!)
    }
  }
  for (const { zone: id, source_kind: kind, space, from_ms, until_ms } of sources.online) {
    const zone = getZone(id)
    const from = Number(from_ms)
    zone.firstDataMs = Math.min(zone.firstDataMs, from)
    getOrCreate(getObserved(zone, kind).online, space, () => []).push(from, Number(until_ms))
  }
  const ranks = new Map(sources.importIds.map((id, rank) => [id, rank]))
  for (const { import_id, source, place, hours } of sources.counts)
    for (const { zoneId, weight } of sources.zonesOfPlace(import_id, place)) {
      const zone = getZone(zoneId)
      for (const { hour } of hours) zone.firstDataMs = Math.min(zone.firstDataMs, hour)
      const imports = getOrCreate(zone.counts, source, () => [])
      const rank = ranks.get(import_id) ?? 0
      ;(imports[rank] ??= []).push({ weight, hours })
    }
  return zones
}

/** Returns the sums of a day by hour, in seconds. */
const toSeconds = (sums: Float64Array, day: number): number[] =>
  Array.from(sums.subarray(day * hoursOfDay, (day + 1) * hoursOfDay), (ms) => Math.round(ms / 1000))

/** The kinds of occupancy of a region. Zones without data also have days of these kinds, all unknown. */
export interface RegionKinds {
  measured: boolean
  paid: boolean
}

/** Derives the occupancy of all zones on the days of a frame, without days on which a zone is never open. */
export function* deriveOccupancyDays(
  frame: HourFrame,
  terms: ZoneTerms,
  sources: OccupancySources,
  kinds: RegionKinds,
): Generator<OccupancyDay> {
  const dataByZone = groupByZone(frame, sources)
  const paidDays = findDaysWithPayments(frame, sources.sessions)
  const firstDataMs = new Map([...dataByZone].map(([id, { firstDataMs }]) => [id, firstDataMs]))
  const noData: ZoneData = { observed: new Map(), paid: new Map(), counts: new Map(), firstDataMs: Infinity }
  for (const zone of terms.listZones(firstDataMs)) {
    const zoneData = dataByZone.get(zone.id) ?? noData
    const slotTimes = terms.getSlotTimes(zone, zoneData.firstDataMs < zone.from)
    const capacitySteps = terms.getCapacitySteps(zone.id)
    const firstPaidDay = sources.firstPaidDays.get(zone.id)
    const isPaymentKnown = (day: number): boolean =>
      firstPaidDay !== undefined && paidDays[day] === 1 && (frame.days[day] ?? '') >= firstPaidDay
    for (const kind of ['measured', 'paid'] as const) {
      if (!kinds[kind] || slotTimes[kind].isEmpty) continue
      const zoneTime = { slotTimes: slotTimes[kind], frame, capacitySteps }
      const candidates =
        kind === 'measured'
          ? sumMeasuredSources(zoneData, zoneTime)
          : sumPaidSources(zoneData, zoneTime, firstPaidDay === undefined ? null : isPaymentKnown)
      const sums = chooseSums(candidates, sumSpaceTime(zoneTime))
      yield* toDays(sums, zoneTime, { kind, zoneId: zone.id })
    }
  }
}

/** Returns the sums of each source of measured occupancy of a zone, in order of preference. */
function sumMeasuredSources(zoneData: ZoneData, zoneTime: ZoneTime): SourceSums[] {
  const sumObserved = (source: 'sensor' | 'camera'): SourceSums[] => {
    const observed: ObservedZone | undefined = zoneData.observed.get(source)
    return observed ? [sumObservations(source, observed, zoneTime)] : []
  }
  return [
    ...sumObserved('sensor'),
    ...sumCounted('sensor', zoneData, zoneTime),
    ...sumObserved('camera'),
    ...sumCounted('camera', zoneData, zoneTime),
    ...sumCounted('survey', zoneData, zoneTime),
  ]
}

/**
 * Returns the sums of each source of paid occupancy of a zone, in order of preference.
 * @param isPaymentKnown whether payments are known on a day of the frame (by index); null if the zone has none
 */
function sumPaidSources(
  zoneData: ZoneData,
  zoneTime: ZoneTime,
  isPaymentKnown: ((day: number) => boolean) | null,
): SourceSums[] {
  return [
    ...(isPaymentKnown ? [sumPaid(zoneData.paid, isPaymentKnown, zoneTime)] : []),
    ...sumCounted('payment', zoneData, zoneTime),
  ]
}

function sumCounted(source: OccupancySource, zoneData: ZoneData, zoneTime: ZoneTime): SourceSums[] {
  const imports = zoneData.counts.get(source)?.filter((counts) => counts !== undefined)
  return imports ? [sumCounts(source, imports, zoneTime)] : []
}

/** Returns the sums of a zone by day, for days with open time. */
function* toDays(
  sums: ReturnType<typeof chooseSums>,
  { frame, capacitySteps }: ZoneTime,
  { kind, zoneId }: Pick<OccupancyDay, 'kind' | 'zoneId'>,
): Generator<OccupancyDay> {
  for (const [index, day] of frame.days.entries()) {
    const open = toSeconds(sums.open, index)
    if (!open.some((value) => value > 0)) continue
    const known = toSeconds(sums.known, index)
    // About noon: clock changes shift it by an hour. The capacity of a day is that at noon.
    const noonMs = frame.from + (index + 0.5) * dayMs
    const capacityStep = findCapacity(capacitySteps, noonMs)
    yield {
      kind,
      day,
      zoneId,
      source: known.some((value) => value > 0) ? sums.source : '',
      basis: sums.exceedsZone ? 'source' : (capacityStep?.basis ?? 'source'),
      capacity: capacityStep?.spaces ?? 0,
      open,
      known,
      occupied: toSeconds(sums.occupied, index),
    }
  }
}

/** Returns 1 for days of the frame on which any paid session starts, 0 for days without known payments. */
function findDaysWithPayments(frame: HourFrame, sessions: readonly SessionsOfZone[]): Uint8Array {
  const slots = frame.createSums()
  const wholeFrame = frame.cut([frame.from, frame.until])
  const hasPayment = new Uint8Array(frame.days.length)
  for (const { source_kind, starts } of sessions)
    if (source_kind === 'payment')
      for (const start of starts)
        // 1 ms is enough to mark the slot in which the session starts.
        if (start >= 0) wholeFrame.add(slots, frame.from + start, frame.from + start + 1)
  for (const [slot, ms] of slots.entries()) if (ms > 0) hasPayment[Math.floor(slot / hoursOfDay)] = 1
  return hasPayment
}
