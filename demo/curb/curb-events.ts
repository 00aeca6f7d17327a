import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { hashNumbers } from '../hash-numbers.ts'
import type { LocalDay } from '../trips/local-days.ts'
import type { CurbPlace } from './curb-place.ts'
import { deliveries } from './deliveries.ts'
import { parkedCars } from './parked-cars.ts'
import { clockAheadMs, hasFastClock, isMissed, outagesOf } from './sensor-faults.ts'

/** An event and the time (ms) at which its device sends it. The event's own time differs if the device's clock is wrong. */
export interface SentEvent {
  at: number
  event: CurbEvent
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
const kinds = { device: 0xc0, space: 0xc1, start: 0xc2, end: 0xc3, status: 0xc4, violation: 0xc5 } as const

/** A UUID from a kind, a place and a number. Related events share a prefix, which compresses well. */
const idOf = (kind: keyof typeof kinds, place: number, part: number, number = 0): string =>
  `${hex(kinds[kind], 8)}-${hex(place & 0xffff, 4)}-4${hex(part & 0xfff, 3)}-8000-${hex(number, 12)}`

export const deviceOf = ({ number }: CurbPlace): string => idOf('device', number, 0)
export const spaceOf = ({ number }: CurbPlace, space: number): string => idOf('space', number, space)

const sensorMaker = 'Curbside Sensing'
const noValues: readonly string[] = []

/** The delay (ms) between an event and its publication. */
const delayOf = (key: number): number => 1000 * (1 + (hashNumbers(key, 3, 3) % 5))

interface SourceContext {
  seed: number
  place: CurbPlace
  /** Error of a fast clock, ms. */
  aheadMs: number
}

/** Builds an event. Copied field by field: a year has millions of events, and spread objects are slow. */
function sentEvent(
  { place, aheadMs }: SourceContext,
  at: number,
  key: number,
  known: Partial<CurbEvent>,
): SentEvent {
  return {
    at,
    event: {
      eventId: known.eventId ?? '',
      type: known.type ?? 'scheduled_report',
      time: at + aheadMs,
      publicationTime: at + delayOf(key),
      zoneId: place.zoneId,
      areaIds: noValues,
      spaceId: known.spaceId ?? '',
      objectId: '',
      sourceType: known.sourceType ?? 'above_ground',
      sourceKind: known.sourceKind ?? 'sensor',
      deviceId: known.deviceId ?? deviceOf(place),
      operatorName: known.operatorName ?? sensorMaker,
      sessionKey: known.sessionKey ?? '',
      vehicle: known.vehicle ?? '',
      vehicleType: known.vehicleType ?? '',
      vehicleLength: known.vehicleLength ?? null,
      propulsion: known.propulsion ?? noValues,
      purpose: known.purpose ?? '',
      lon: place.lon,
      lat: place.lat,
      amount: null,
      channel: '',
      method: '',
      blockedLanes: known.blockedLanes ?? noValues,
      violations: known.violations ?? noValues,
      enforcementId: '',
      occupants: null,
      isOnline: known.isOnline ?? null,
      isCommissioned: known.isCommissioned ?? null,
    },
  }
}

/** A stay as a sensor observes it. */
interface ObservedStay {
  space: number
  from: number
  until: number
  key: number
  vehicleType: string
  /** A car where only deliveries are allowed. */
  isUnauthorized: boolean
}

/** What the sensor of a place sends about a local day: stays that begin on the day, and its own status. */
function sensorEvents(source: SourceContext, day: number, local: LocalDay, next: LocalDay): SentEvent[] {
  const { seed, place } = source
  const found: SentEvent[] = []
  const add = (at: number, key: number, more: Partial<CurbEvent>): void =>
    void found.push(sentEvent(source, at, key, more))
  const stays: ObservedStay[] =
    place.use === 'meter'
      ? parkedCars(place, seed, day, local, next).map((car) => ({
          ...car,
          vehicleType: '',
          isUnauthorized: false,
        }))
      : deliveries(place, seed, day, local).flatMap(({ space, fleet, ...stop }) =>
          // A sensor does not detect double-parked vehicles.
          space === null
            ? []
            : [{ ...stop, space, vehicleType: fleet?.vehicleType ?? 'car', isUnauthorized: fleet === null }],
        )
  for (const stay of stays) {
    const { from, until, key, space, vehicleType, isUnauthorized } = stay
    const second = Math.floor(from / 1000)
    for (const [at, kind] of [
      [from, 'start'],
      [until, 'end'],
    ] as const) {
      if (isMissed(seed, key, kind === 'start')) continue
      add(at, key, {
        eventId: idOf(kind, place.number, space, second),
        type: kind === 'start' ? 'park_start' : 'park_end',
        spaceId: spaceOf(place, space),
        vehicleType,
      })
    }
    if (isUnauthorized && until - from > 5 * 60_000)
      add(from + 5 * 60_000, key, {
        eventId: idOf('violation', place.number, space, second),
        type: 'vehicle_violation_start',
        violations: ['not a delivery'],
        vehicleType,
      })
  }
  for (let quarter = 0; quarter < 4; quarter++) {
    const at = local.startMs + quarter * 21_600_000 + (hashNumbers(seed, place.number, quarter) % 600_000)
    if (at >= local.endMs) continue
    add(at, place.number, {
      eventId: idOf('status', place.number, 1, Math.floor(at / 1000)),
      isOnline: true,
      isCommissioned: true,
    })
  }
  const outages = outagesOf(seed, place.number, local.startMs - 3 * 86_400_000, local.endMs + 3 * 86_400_000)
  const reported = found.filter(({ at }) => !outages.some(({ from, until }) => at >= from && at < until))
  for (const { from, until } of outages)
    for (const [at, type, part] of [
      [from, 'comms_lost', 2],
      [until, 'comms_restored', 3],
    ] as const)
      if (at >= local.startMs && at < local.endMs)
        reported.push(
          // The network reports it, and its clock is correct.
          sentEvent({ ...source, aheadMs: 0 }, at, place.number, {
            eventId: idOf('status', place.number, part, Math.floor(at / 1000)),
            type,
          }),
        )
  return reported
}

/** What the vehicles of the fleets report about their stops at a smart zone. */
function fleetEvents(source: SourceContext, day: number, local: LocalDay): SentEvent[] {
  const { seed, place } = source
  return deliveries(place, seed, day, local).flatMap(({ fleet, plate, from, until, space, key }) => {
    if (!fleet) return []
    const second = Math.floor(from / 1000)
    const part = 2048 + plateHash(plate)
    const session = idOf('start', place.number, part, second)
    const common: Partial<CurbEvent> = {
      sourceType: 'data_feed',
      sourceKind: 'data_feed',
      operatorName: fleet.name,
      deviceId: `${fleet.name.toLowerCase().replaceAll(' ', '-')}-${plate}`,
      sessionKey: session,
      vehicle: `plate ${plate} PM`,
      vehicleType: fleet.vehicleType,
      vehicleLength: fleet.length,
      propulsion: [fleet.propulsion],
      purpose: 'delivery',
      blockedLanes: space === null ? ['travel_lane'] : [],
    }
    const events = [
      sentEvent(source, from, key, { ...common, eventId: session, type: 'park_start' }),
      sentEvent(source, until, key, {
        ...common,
        eventId: idOf('end', place.number, part, second),
        type: 'park_end',
      }),
    ]
    return events.filter((_, at) => !isMissed(seed, key + 1, at === 0))
  })
}

const plateHash = (plate: string): number =>
  hashNumbers(Number(plate.slice(2)), plate.charCodeAt(0), 1) % 1024

/** All events of the stays that begin at a place on a local day, and of its sensor on that day, unordered. */
export function eventsOfDay(
  place: CurbPlace,
  seed: number,
  day: number,
  days: (day: number) => LocalDay,
): SentEvent[] {
  const [local, next] = [days(day), days(day + 1)]
  const aheadMs = place.use === 'meter' && hasFastClock(seed, place.number) ? clockAheadMs : 0
  const sensor = place.hasSensor ? sensorEvents({ seed, place, aheadMs }, day, local, next) : []
  const fleet = place.use === 'smart' ? fleetEvents({ seed, place, aheadMs: 0 }, day, local) : []
  return [...sensor, ...fleet]
}
