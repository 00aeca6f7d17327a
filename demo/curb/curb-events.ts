import { dayMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { hashNumbers } from '../hash-numbers.ts'
import type { LocalDay } from '../trips/local-days.ts'
import type { CurbPlace } from './curb-place.ts'
import { makeDeliveries } from './deliveries.ts'
import { makeParkedCars } from './parked-cars.ts'
import { clockAheadMs, hasFastClock, isMissed, listOutages } from './sensor-faults.ts'

/** An event and the time (ms) at which it is sent. The event's time differs if the clock is wrong. */
export interface SentEvent {
  sentMs: number
  event: CurbEvent
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
/** First 32 bits of ids, by kind of object or event. */
const idKinds = { device: 0xc0, space: 0xc1, start: 0xc2, end: 0xc3, status: 0xc4, violation: 0xc5 } as const

/** Makes a UUID. Related events share a prefix, which compresses well. */
const makeId = (kind: keyof typeof idKinds, place: number, part: number, number = 0): string =>
  `${hex(idKinds[kind], 8)}-${hex(place & 0xffff, 4)}-4${hex(part & 0xfff, 3)}-8000-${hex(number, 12)}`

export const makeDeviceId = ({ number }: CurbPlace): string => makeId('device', number, 0)
export const makeSpaceId = ({ number }: CurbPlace, space: number): string => makeId('space', number, space)

const sensorMaker = 'Curbside Sensing'
/** Shared, because most events have several empty lists. */
const noValues: readonly string[] = []

/** Draws the delay (ms) between an event and its publication. */
const drawPublicationDelay = (key: number): number => 1000 * (1 + (hashNumbers(key, 3, 3) % 5))

interface SourceContext {
  seed: number
  place: CurbPlace
  /** Error of a fast clock, ms. */
  aheadMs: number
}

/** Builds an event. Copies fields one by one, because spreading is slow for millions of events. */
function makeSentEvent(
  { place, aheadMs }: SourceContext,
  sentMs: number,
  key: number,
  fields: Partial<CurbEvent>,
): SentEvent {
  return {
    sentMs,
    event: {
      eventId: fields.eventId ?? '',
      type: fields.type ?? 'scheduled_report',
      time: sentMs + aheadMs,
      publicationTime: sentMs + drawPublicationDelay(key),
      zoneId: place.zoneId,
      areaIds: noValues,
      spaceId: fields.spaceId ?? '',
      objectId: '',
      sourceType: fields.sourceType ?? 'above_ground',
      sourceKind: fields.sourceKind ?? 'sensor',
      deviceId: fields.deviceId ?? makeDeviceId(place),
      operatorName: fields.operatorName ?? sensorMaker,
      sessionKey: fields.sessionKey ?? '',
      vehicle: fields.vehicle ?? '',
      vehicleType: fields.vehicleType ?? '',
      vehicleLength: fields.vehicleLength ?? null,
      propulsion: fields.propulsion ?? noValues,
      purpose: fields.purpose ?? '',
      lon: place.lon,
      lat: place.lat,
      amount: null,
      channel: '',
      method: '',
      blockedLanes: fields.blockedLanes ?? noValues,
      violations: fields.violations ?? noValues,
      enforcementId: '',
      occupants: null,
      isOnline: fields.isOnline ?? null,
      isCommissioned: fields.isCommissioned ?? null,
    },
  }
}

/** A stay as a sensor observes it. */
interface ObservedStay {
  space: number
  fromMs: number
  untilMs: number
  key: number
  vehicleType: string
  /** Whether it is a car where only deliveries are allowed. */
  isUnauthorized: boolean
}

/** Makes the events of a place's sensor about a local day: its status, and stays that begin on the day. */
function makeSensorEvents(source: SourceContext, day: number, local: LocalDay, next: LocalDay): SentEvent[] {
  const { seed, place } = source
  const events: SentEvent[] = []
  const add = (sentMs: number, key: number, fields: Partial<CurbEvent>): void => {
    events.push(makeSentEvent(source, sentMs, key, fields))
  }
  const stays: ObservedStay[] =
    place.use === 'meter'
      ? makeParkedCars(place, { seed, day, local, next }).map((car) => ({
          ...car,
          vehicleType: '',
          isUnauthorized: false,
        }))
      : makeDeliveries(place, seed, day, local).flatMap(({ space, fleet, ...stop }) =>
          // A sensor does not detect double-parked vehicles.
          space === null
            ? []
            : [{ ...stop, space, vehicleType: fleet?.vehicleType ?? 'car', isUnauthorized: fleet === null }],
        )
  for (const stay of stays) {
    const { fromMs, untilMs, key, space, vehicleType, isUnauthorized } = stay
    const second = Math.floor(fromMs / 1000)
    for (const [sentMs, kind] of [
      [fromMs, 'start'],
      [untilMs, 'end'],
    ] as const) {
      if (isMissed(seed, key, kind === 'start')) continue
      add(sentMs, key, {
        eventId: makeId(kind, place.number, space, second),
        type: kind === 'start' ? 'park_start' : 'park_end',
        spaceId: makeSpaceId(place, space),
        vehicleType,
      })
    }
    if (isUnauthorized && untilMs - fromMs > 5 * 60_000)
      add(fromMs + 5 * 60_000, key, {
        eventId: makeId('violation', place.number, space, second),
        type: 'vehicle_violation_start',
        violations: ['not a delivery'],
        vehicleType,
      })
  }
  for (let quarter = 0; quarter < 4; quarter++) {
    const sentMs = local.startMs + quarter * 21_600_000 + (hashNumbers(seed, place.number, quarter) % 600_000)
    if (sentMs >= local.endMs) continue
    add(sentMs, place.number, {
      eventId: makeId('status', place.number, 1, Math.floor(sentMs / 1000)),
      isOnline: true,
      isCommissioned: true,
    })
  }
  const outages = listOutages(seed, place.number, local.startMs - 3 * dayMs, local.endMs + 3 * dayMs)
  const reported = events.filter(
    ({ sentMs }) => !outages.some(({ fromMs, untilMs }) => sentMs >= fromMs && sentMs < untilMs),
  )
  for (const { fromMs, untilMs } of outages)
    for (const [sentMs, type, part] of [
      [fromMs, 'comms_lost', 2],
      [untilMs, 'comms_restored', 3],
    ] as const)
      if (sentMs >= local.startMs && sentMs < local.endMs)
        reported.push(
          // The network reports outages, and its clock is correct.
          makeSentEvent({ ...source, aheadMs: 0 }, sentMs, place.number, {
            eventId: makeId('status', place.number, part, Math.floor(sentMs / 1000)),
            type,
          }),
        )
  return reported
}

/** Makes the events that vehicles of fleets report about their stops at a smart zone. */
function makeFleetEvents(source: SourceContext, day: number, local: LocalDay): SentEvent[] {
  const { seed, place } = source
  return makeDeliveries(place, seed, day, local).flatMap(({ fleet, plate, fromMs, untilMs, space, key }) => {
    if (!fleet) return []
    const second = Math.floor(fromMs / 1000)
    const part = 2048 + hashPlate(plate)
    const sessionId = makeId('start', place.number, part, second)
    const common: Partial<CurbEvent> = {
      sourceType: 'data_feed',
      sourceKind: 'data_feed',
      operatorName: fleet.name,
      deviceId: `${fleet.name.toLowerCase().replaceAll(' ', '-')}-${plate}`,
      sessionKey: sessionId,
      vehicle: `plate ${plate} PM`,
      vehicleType: fleet.vehicleType,
      vehicleLength: fleet.length,
      propulsion: [fleet.propulsion],
      purpose: 'delivery',
      blockedLanes: space === null ? ['travel_lane'] : [],
    }
    const events = [
      makeSentEvent(source, fromMs, key, { ...common, eventId: sessionId, type: 'park_start' }),
      makeSentEvent(source, untilMs, key, {
        ...common,
        eventId: makeId('end', place.number, part, second),
        type: 'park_end',
      }),
    ]
    return events.filter((_, index) => !isMissed(seed, key + 1, index === 0))
  })
}

const hashPlate = (plate: string): number =>
  hashNumbers(Number(plate.slice(2)), plate.charCodeAt(0), 1) % 1024

/** Makes the unordered events of the stays that begin at a place on a local day, and of its sensor. */
export function makeDayEvents(
  place: CurbPlace,
  seed: number,
  day: number,
  getLocalDay: (day: number) => LocalDay,
): SentEvent[] {
  const [local, next] = [getLocalDay(day), getLocalDay(day + 1)]
  const aheadMs = place.use === 'meter' && hasFastClock(seed, place.number) ? clockAheadMs : 0
  const sensor = place.hasSensor ? makeSensorEvents({ seed, place, aheadMs }, day, local, next) : []
  const fleet = place.use === 'smart' ? makeFleetEvents({ seed, place, aheadMs: 0 }, day, local) : []
  return [...sensor, ...fleet]
}
