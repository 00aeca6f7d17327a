import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { LocalDay } from '#contract/period.ts'
import { hoursOfDay, type HourFrame } from './hour-frame.ts'
import type { CountsOfPlace, OnlineSpan, SessionsOfZone } from './read-sources.ts'
import {
  chooseSums,
  countedSums,
  paidSums,
  seenSums,
  type SeenZone,
  type SourceSums,
  spaceTime,
  type ZoneCounts,
} from './zone-sums.ts'
import { capacityAt, type ZoneTerms } from './zone-terms.ts'

/** What the occupancy of some days is made of. */
export interface OccupancySources {
  sessions: readonly SessionsOfZone[]
  online: readonly OnlineSpan[]
  counts: readonly CountsOfPlace[]
  /** Published imports, the newest first. */
  importIds: readonly string[]
  /** The zones of each place of an import, with the part of the place that each is. */
  zonesOfPlace: (importId: string, place: string) => readonly { zoneId: string; weight: number }[]
  /** The first day with a payment of each zone. */
  firstPaid: ReadonlyMap<string, LocalDay>
}

interface ZoneSources {
  seen: Map<'sensor' | 'camera', { sessions: Map<string, number[]>; online: Map<string, number[]> }>
  paid: Map<string, number[]>
  /** By source, then by import as in `importIds`. */
  counts: Map<OccupancySource, (ZoneCounts[] | undefined)[]>
  /** When its data begin, ms. */
  first: number
}

/** The occupancy of a zone on a day, of one kind. Seconds of spaces by hour. */
export interface OccupancyDay {
  kind: 'measured' | 'paid'
  day: LocalDay
  zoneId: string
  source: OccupancySource | ''
  basis: string
  capacity: number
  open: number[]
  known: number[]
  occupied: number[]
}

const listOf = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

/** Sorts what was read by zone. */
function sourcesByZone(frame: HourFrame, sources: OccupancySources): Map<string, ZoneSources> {
  const zones = new Map<string, ZoneSources>()
  const zoneOf = (id: string): ZoneSources =>
    listOf(zones, id, () => ({ seen: new Map(), paid: new Map(), counts: new Map(), first: Infinity }))
  const seenBy = (zone: ZoneSources, kind: 'sensor' | 'camera') =>
    listOf(zone.seen, kind, () => ({
      sessions: new Map<string, number[]>(),
      online: new Map<string, number[]>(),
    }))
  for (const { zone: id, source_kind: kind, spaces, starts, ends } of sources.sessions) {
    const zone = zoneOf(id)
    const bySpace = kind === 'payment' ? zone.paid : seenBy(zone, kind).sessions
    for (let index = 0; index < starts.length; index++) {
      const from = frame.from + starts[index]!
      zone.first = Math.min(zone.first, from)
      listOf(bySpace, spaces[index] ?? '', () => []).push(from, frame.from + ends[index]!)
    }
  }
  for (const { zone: id, source_kind: kind, space, from_ms, until_ms } of sources.online) {
    const zone = zoneOf(id)
    const from = Number(from_ms)
    zone.first = Math.min(zone.first, from)
    listOf(seenBy(zone, kind).online, space, () => []).push(from, Number(until_ms))
  }
  const rankOf = new Map(sources.importIds.map((id, rank) => [id, rank]))
  for (const { import_id, source, place, hours } of sources.counts)
    for (const { zoneId, weight } of sources.zonesOfPlace(import_id, place)) {
      const zone = zoneOf(zoneId)
      for (const { hour } of hours) zone.first = Math.min(zone.first, hour)
      const imports = listOf(zone.counts, source, () => [])
      const rank = rankOf.get(import_id) ?? 0
      ;(imports[rank] ??= []).push({ weight, hours })
    }
  return zones
}

const seconds = (sums: Float64Array, day: number): number[] =>
  Array.from(sums.subarray(day * hoursOfDay, (day + 1) * hoursOfDay), (ms) => Math.round(ms / 1000))

/** Which kinds a region has at all; zones without data have days of these kinds too, on which nothing is known. */
export interface RegionKinds {
  measured: boolean
  paid: boolean
}

/** Occupancy of all zones of a region on the days of a frame. Days on which a zone has neither open nor occupied time are left out. */
export function* occupancyDays(
  frame: HourFrame,
  terms: ZoneTerms,
  sources: OccupancySources,
  kinds: RegionKinds,
): Generator<OccupancyDay> {
  const byZone = sourcesByZone(frame, sources)
  const paidDays = daysWithPayments(frame, sources.sessions)
  const firstData = new Map([...byZone].map(([id, { first }]) => [id, first]))
  const none: ZoneSources = { seen: new Map(), paid: new Map(), counts: new Map(), first: Infinity }
  for (const zone of terms.zones(firstData)) {
    const data = byZone.get(zone.id) ?? none
    const pieces = terms.piecesOf(zone, data.first < zone.from)
    const steps = terms.capacityOf(zone.id)
    const counted = (source: OccupancySource, kind: 'measured' | 'paid'): SourceSums[] => {
      const imports = data.counts.get(source)?.filter((each) => each !== undefined)
      return imports ? [countedSums(source, imports, pieces[kind], frame, steps)] : []
    }
    const seen = (source: 'sensor' | 'camera'): SourceSums[] => {
      const found: SeenZone | undefined = data.seen.get(source)
      return found ? [seenSums(source, found, pieces.measured, frame, steps)] : []
    }
    const firstPaid = sources.firstPaid.get(zone.id)
    const candidates = {
      measured: () => [
        ...seen('sensor'),
        ...counted('sensor', 'measured'),
        ...seen('camera'),
        ...counted('camera', 'measured'),
        ...counted('survey', 'measured'),
      ],
      paid: () => [
        ...(firstPaid === undefined
          ? []
          : [
              paidSums(
                data.paid,
                (day) => paidDays[day] === 1 && (frame.days[day] ?? '') >= firstPaid,
                pieces.paid,
                frame,
                steps,
              ),
            ]),
        ...counted('payment', 'paid'),
      ],
    }
    for (const kind of ['measured', 'paid'] as const) {
      if (!kinds[kind] || pieces[kind].isEmpty) continue
      const sums = chooseSums(candidates[kind](), spaceTime(pieces[kind], frame, steps))
      for (const [day, name] of frame.days.entries()) {
        const open = seconds(sums.open, day)
        if (!open.some((value) => value > 0)) continue
        const known = seconds(sums.known, day)
        const step = capacityAt(steps, frame.from + day * 86_400_000 + 43_200_000)
        yield {
          kind,
          day: name,
          zoneId: zone.id,
          source: known.some((value) => value > 0) ? sums.source : '',
          basis: sums.isOfFile ? 'source' : (step?.basis ?? 'source'),
          capacity: step?.spaces ?? 0,
          open,
          known,
          occupied: seconds(sums.occupied, day),
        }
      }
    }
  }
}

/** Days of a frame on which any payment begins: on others payments are not known. */
function daysWithPayments(frame: HourFrame, sessions: readonly SessionsOfZone[]): Uint8Array {
  const slots = frame.newSums()
  const all = frame.cut([frame.from, frame.until])
  const paid = new Uint8Array(frame.days.length)
  for (const { source_kind, starts } of sessions)
    if (source_kind === 'payment')
      for (const start of starts) if (start >= 0) all.add(slots, frame.from + start, frame.from + start + 1)
  for (const [slot, ms] of slots.entries()) if (ms > 0) paid[Math.floor(slot / hoursOfDay)] = 1
  return paid
}
