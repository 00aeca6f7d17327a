import type { City } from '../city.ts'
import { localDays } from '../trips/local-days.ts'
import type { LiveEvent, LiveVehicle, LivePoint } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { pointEveryMs, ridePlaces } from './ride-places.ts'
import { computeBattery } from './parking-times.ts'
import { type ModelContext, drawShare } from './model-context.ts'
import { parkingEvents } from './parking-events.ts'
import { TripLog, type TripWindow } from './trip-log.ts'
import { eventKinds } from './event-kinds.ts'

/** Share of trips during which contact is lost temporarily. */
const lostContactShare = 0.004

/**
 * Lists the events of a trip: start, end, and occasionally a loss of contact in
 * between. `placeAt` returns the position at a time (ms).
 */
function tripEvents(
  seed: number,
  vehicle: LiveVehicle,
  trip: LiveTrip,
  placeAt: (ms: number) => readonly [number, number],
): LiveEvent[] {
  const { tripNumber: number, startMs, endMs } = trip
  const event = (
    kind: number,
    time: number,
    state: LiveEvent['state'],
    type: LiveEvent['types'][number],
    [lon, lat]: readonly [number, number],
    isEnd = false,
  ): LiveEvent => ({
    vehicle,
    kind,
    number,
    time,
    state,
    types: [type],
    trip: number,
    lon,
    lat,
    battery: computeBattery(number, vehicle.vehicleType, isEnd),
  })
  const start = event(eventKinds.tripStart, startMs, 'on_trip', 'trip_start', [trip.startLon, trip.startLat])
  const end = event(eventKinds.tripEnd, endMs, 'available', 'trip_end', [trip.endLon, trip.endLat], true)
  if (endMs - startMs < 240_000 || drawShare(seed, number, 21) >= lostContactShare) return [start, end]
  const third = Math.floor((endMs - startMs) / 3000) * 1000
  return [
    start,
    event(eventKinds.lostOnTrip, startMs + third, 'non_contactable', 'comms_lost', placeAt(startMs + third)),
    event(
      eventKinds.foundOnTrip,
      startMs + 2 * third,
      'on_trip',
      'comms_restored',
      placeAt(startMs + 2 * third),
    ),
    end,
  ]
}

/** State of a vehicle at a time: its last event and its position. */
export interface LiveStatus {
  vehicle: LiveVehicle
  event: LiveEvent
  /** The event before `event`; null if unknown. */
  earlier: LiveEvent | null
  /** The current trip; null if there is none. */
  trip: LiveTrip | null
  /** `index` is the index within the trip; 0 for a parked vehicle. */
  point: Omit<LivePoint, 'trip' | 'vehicle'>
}

export interface EndedTrip {
  vehicle: LiveVehicle
  trip: LiveTrip
}

/**
 * The vehicles of the demo's operators at any time. Deterministic. Times are ms since 1970, spans half-open.
 */
export interface FleetSimulation {
  vehicles(operator: string): readonly LiveVehicle[]
  /** Events in order of time. */
  events(operator: string, from: number, until: number): LiveEvent[]
  /** Trips that end in a span, in order of their ends. */
  trips(operator: string, from: number, until: number): EndedTrip[]
  /** Points of vehicles on trips, one every ten seconds, in order of time. */
  points(operator: string, from: number, until: number): LivePoint[]
  /** All points of one trip, including its two endpoints. */
  route(ended: EndedTrip): LivePoint[]
  /** Vehicles that are on the street, and those that were removed less than `goneMs` ago. */
  statuses(operator: string, timeMs: number, goneMs?: number): LiveStatus[]
}

const dayMs = 86_400_000
/** Number of days with cached events, 8 MB each. */
const cachedDays = 2

/** Simulates the fleets of the demo's operators. Pass `log` to share its cached trips. */
export function simulateFleet(
  city: Pick<City, 'streets' | 'timezone'>,
  seed: number,
  log = new TripLog(city, seed),
): FleetSimulation {
  const { streets } = city
  const localDay = localDays(city.timezone)
  const placeAt = ridePlaces(streets)
  const context: ModelContext = {
    seed,
    lonMeters: 111_195 * Math.cos((streets.lat0 * Math.PI) / 180),
    midnight: (day) => localDay(day).startMs,
  }

  const toDay = (time: number): number => {
    let day = Math.floor(time / dayMs) - 1
    while (localDay(day).endMs <= time) day++
    return day
  }
  const makeTripEvents = (vehicle: LiveVehicle, trip: LiveTrip): LiveEvent[] =>
    tripEvents(seed, vehicle, trip, (time) => {
      const { lon, lat } = placeAt(trip, time)
      return [lon, lat]
    })

  /** Events of a vehicle's trips, and of the parking periods between them, that may fall into a span. */
  const makeVehicleEvents = (
    vehicle: LiveVehicle,
    trips: readonly LiveTrip[],
    windowEnd: number,
    from: number,
    until: number,
  ): LiveEvent[] => {
    const found: LiveEvent[] = []
    for (let i = 0; i <= trips.length; i++) {
      const [before, after] = [trips[i - 1] ?? null, trips[i] ?? null]
      if ((before?.endMs ?? Number.NEGATIVE_INFINITY) >= until) break
      if ((after?.startMs ?? Number.POSITIVE_INFINITY) >= from)
        found.push(...parkingEvents(context, vehicle, { before, after, until: windowEnd }))
      if (after && after.endMs >= from && after.startMs < until) found.push(...makeTripEvents(vehicle, after))
    }
    return found
  }

  const byDay = new Map<number, Map<string, LiveEvent[]>>()
  /** All events of a local day by operator, in order. */
  const makeDayEvents = (day: number): Map<string, LiveEvent[]> => {
    const cached = byDay.get(day)
    if (cached) return cached
    const { startMs, endMs } = localDay(day)
    const window = log.around(day)
    const byOperator = new Map<string, LiveEvent[]>()
    for (const vehicle of log.fleet) {
      const operatorEvents = byOperator.get(vehicle.operator.slug) ?? []
      byOperator.set(vehicle.operator.slug, operatorEvents)
      const trips = window.listTrips(vehicle.index)
      for (const event of makeVehicleEvents(vehicle, trips, context.midnight(window.end), startMs, endMs))
        if (event.time >= startMs && event.time < endMs) operatorEvents.push(event)
    }
    for (const events of byOperator.values())
      events.sort((a, b) => a.time - b.time || a.number - b.number || a.kind - b.kind)
    byDay.set(day, byOperator)
    for (const old of [...byDay.keys()].slice(0, -cachedDays)) byDay.delete(old)
    return byOperator
  }

  const points = (ended: EndedTrip, from: number, until: number): LivePoint[] => {
    const { vehicle, trip } = ended
    const found: LivePoint[] = []
    const battery = computeBattery(trip.tripNumber, vehicle.vehicleType, false)
    const last = Math.ceil((Math.min(until, trip.endMs + 1) - trip.startMs) / pointEveryMs)
    for (let index = Math.max(0, Math.ceil((from - trip.startMs) / pointEveryMs)); index < last; index++) {
      const time = trip.startMs + index * pointEveryMs
      found.push({ vehicle, trip: trip.tripNumber, index, time, ...placeAt(trip, time), battery })
    }
    return found
  }

  /** Trips that overlap a span. */
  const findOverlappingTrips = (operator: string, from: number, until: number): EndedTrip[] => {
    const window = log.around(toDay(from))
    return log.fleet.flatMap((vehicle) =>
      vehicle.operator.slug === operator
        ? window.listTrips(vehicle.index, from, until).map((trip) => ({ vehicle, trip }))
        : [],
    )
  }

  const makeStatus = (
    vehicle: LiveVehicle,
    { before, after }: ReturnType<TripWindow['around']>,
    end: number,
    timeMs: number,
  ): LiveStatus | null => {
    const parked =
      !before || before.endMs <= timeMs ? parkingEvents(context, vehicle, { before, after, until: end }) : []
    const events = [...(before ? makeTripEvents(vehicle, before) : []), ...parked].filter(
      ({ time }) => time <= timeMs,
    )
    const [earlier, event] = [events.at(-2) ?? null, events.at(-1)]
    if (!event) return null
    if (before && before.endMs > timeMs) {
      const index = Math.floor((timeMs - before.startMs) / pointEveryMs)
      const time = before.startMs + index * pointEveryMs
      return {
        vehicle,
        event,
        earlier,
        trip: before,
        point: { index, time, ...placeAt(before, time), battery: event.battery },
      }
    }
    return {
      vehicle,
      event,
      earlier,
      trip: null,
      point: {
        index: 0,
        time: event.time,
        lon: event.lon,
        lat: event.lat,
        speed: 0,
        heading: 0,
        battery: event.battery,
      },
    }
  }

  return {
    vehicles: (operator) => log.fleet.filter((vehicle) => vehicle.operator.slug === operator),
    events(operator, from, until) {
      const found: LiveEvent[] = []
      for (let day = toDay(from); localDay(day).startMs < until; day++)
        for (const event of makeDayEvents(day).get(operator) ?? [])
          if (event.time >= from && event.time < until) found.push(event)
      return found
    },
    trips: (operator, from, until) => {
      const ended = findOverlappingTrips(operator, from, until).filter(({ trip }) => trip.endMs < until)
      return ended.toSorted((a, b) => a.trip.endMs - b.trip.endMs || a.trip.tripNumber - b.trip.tripNumber)
    },
    points: (operator, from, until) =>
      findOverlappingTrips(operator, from, until)
        .flatMap((trip) => points(trip, from, until))
        .toSorted((a, b) => a.time - b.time || a.trip - b.trip),
    route(ended) {
      const { trip, vehicle } = ended
      const found = points(ended, trip.startMs, trip.endMs)
      return [
        ...found,
        {
          vehicle,
          trip: trip.tripNumber,
          index: found.length,
          time: trip.endMs,
          ...placeAt(trip, trip.endMs),
          battery: computeBattery(trip.tripNumber, vehicle.vehicleType, true),
        },
      ]
    },
    statuses(operator, timeMs, goneMs = 5_400_000) {
      const window = log.around(toDay(timeMs))
      return log.fleet.flatMap((vehicle) => {
        const status =
          vehicle.operator.slug === operator
            ? makeStatus(vehicle, window.around(vehicle.index, timeMs), context.midnight(window.end), timeMs)
            : null
        return status && (status.event.state !== 'removed' || timeMs - status.event.time < goneMs)
          ? [status]
          : []
      })
    },
  }
}
