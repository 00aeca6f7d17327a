import { dayMs } from '#contract/period.ts'
import type { City } from '../city.ts'
import { salts } from '../hash-numbers.ts'
import { createLocalDays } from '../trips/local-days.ts'
import type { LiveEvent, LiveVehicle, LivePoint } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { pointEveryMs, createPlaceFinder } from './ride-places.ts'
import { computeBattery } from './parking-times.ts'
import { type ModelContext, drawShare } from './model-context.ts'
import { makeParkingEvents } from './parking-events.ts'
import { TripLog, type TripWindow } from './trip-log.ts'
import { createEventKinds } from './event-kinds.ts'

/** Share of trips during which contact is lost temporarily. */
const lostContactShare = 0.004

/** Lists the events of a trip, which may lose contact. `placeAt` returns the position at a time (ms). */
function makeTripEvents(
  seed: number,
  vehicle: LiveVehicle,
  trip: LiveTrip,
  placeAt: (ms: number) => { lon: number; lat: number },
): LiveEvent[] {
  const { tripNumber: number, startMs, endMs } = trip
  const event = (
    kind: number,
    fields: Pick<LiveEvent, 'time' | 'state' | 'types' | 'lon' | 'lat'>,
    isEnd = false,
  ): LiveEvent => ({
    vehicle,
    kind,
    number,
    trip: number,
    battery: computeBattery(number, vehicle.vehicleType, isEnd),
    ...fields,
  })
  const start = event(createEventKinds.tripStart, {
    time: startMs,
    state: 'on_trip',
    types: ['trip_start'],
    lon: trip.startLon,
    lat: trip.startLat,
  })
  const end = event(
    createEventKinds.tripEnd,
    { time: endMs, state: 'available', types: ['trip_end'], lon: trip.endLon, lat: trip.endLat },
    true,
  )
  if (endMs - startMs < 240_000 || drawShare(seed, number, salts.contactOnTrip) >= lostContactShare)
    return [start, end]
  const third = Math.floor((endMs - startMs) / 3000) * 1000
  const [lostAt, foundAt] = [startMs + third, startMs + 2 * third]
  return [
    start,
    event(createEventKinds.lostOnTrip, {
      time: lostAt,
      state: 'non_contactable',
      types: ['comms_lost'],
      ...placeAt(lostAt),
    }),
    event(createEventKinds.foundOnTrip, {
      time: foundAt,
      state: 'on_trip',
      types: ['comms_restored'],
      ...placeAt(foundAt),
    }),
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

/** Number of days with cached events, 8 MB each. */
const cachedDays = 2

/** A span of time, ms, half-open. */
interface Span {
  from: number
  until: number
}

/** Simulates vehicles at any time, deterministically. Times are ms since 1970, spans half-open. */
export class FleetSimulation {
  readonly #log: TripLog
  readonly #localDay: ReturnType<typeof createLocalDays>
  readonly #placeAt: ReturnType<typeof createPlaceFinder>
  readonly #context: ModelContext
  readonly #eventsByDay = new Map<number, Map<string, LiveEvent[]>>()

  /** Pass `log` to share its cached trips. */
  constructor(
    { streets, timezone }: Pick<City, 'streets' | 'timezone'>,
    seed: number,
    log = new TripLog({ streets, timezone }, seed),
  ) {
    const localDay = createLocalDays(timezone)
    this.#log = log
    this.#localDay = localDay
    this.#placeAt = createPlaceFinder(streets)
    this.#context = {
      seed,
      lonMeters: 111_195 * Math.cos((streets.lat0 * Math.PI) / 180),
      midnight: (day) => localDay(day).startMs,
    }
  }

  vehicles(operator: string): readonly LiveVehicle[] {
    return this.#log.fleet.filter((vehicle) => vehicle.operator.slug === operator)
  }

  /** Returns events in order of time. */
  events(operator: string, from: number, until: number): LiveEvent[] {
    const events: LiveEvent[] = []
    for (let day = this.#toDay(from); this.#localDay(day).startMs < until; day++)
      for (const event of this.#listDayEvents(day).get(operator) ?? [])
        if (event.time >= from && event.time < until) events.push(event)
    return events
  }

  /** Returns the trips that end in a span, in order of their ends. */
  trips(operator: string, from: number, until: number): EndedTrip[] {
    const ended = this.#findOverlappingTrips(operator, { from, until }).filter(
      ({ trip }) => trip.endMs < until,
    )
    return ended.toSorted((a, b) => a.trip.endMs - b.trip.endMs || a.trip.tripNumber - b.trip.tripNumber)
  }

  /** Returns the points of vehicles on trips, one every ten seconds, in order of time. */
  points(operator: string, from: number, until: number): LivePoint[] {
    return this.#findOverlappingTrips(operator, { from, until })
      .flatMap((trip) => this.#listPoints(trip, { from, until }))
      .toSorted((a, b) => a.time - b.time || a.trip - b.trip)
  }

  /** Returns all points of one trip, including its two endpoints. */
  route(ended: EndedTrip): LivePoint[] {
    const { trip, vehicle } = ended
    const points = this.#listPoints(ended, { from: trip.startMs, until: trip.endMs })
    const end: LivePoint = {
      vehicle,
      trip: trip.tripNumber,
      index: points.length,
      time: trip.endMs,
      ...this.#placeAt(trip, trip.endMs),
      battery: computeBattery(trip.tripNumber, vehicle.vehicleType, true),
    }
    return [...points, end]
  }

  /** Returns the vehicles that are on the street, and those that were removed less than `goneMs` ago. */
  statuses(operator: string, timeMs: number, goneMs = 5_400_000): LiveStatus[] {
    const window = this.#log.getWindow(this.#toDay(timeMs))
    return this.vehicles(operator).flatMap((vehicle) => {
      const status = this.#findStatus(vehicle, window, timeMs)
      return status && (status.event.state !== 'removed' || timeMs - status.event.time < goneMs)
        ? [status]
        : []
    })
  }

  #toDay(time: number): number {
    let day = Math.floor(time / dayMs) - 1
    while (this.#localDay(day).endMs <= time) day++
    return day
  }

  /** Lists all events of a local day by operator, in order. */
  #listDayEvents(day: number): Map<string, LiveEvent[]> {
    const cached = this.#eventsByDay.get(day)
    if (cached) return cached
    const { startMs, endMs } = this.#localDay(day)
    const window = this.#log.getWindow(day)
    const byOperator = new Map<string, LiveEvent[]>()
    for (const vehicle of this.#log.fleet) {
      const operatorEvents = byOperator.get(vehicle.operator.slug) ?? []
      byOperator.set(vehicle.operator.slug, operatorEvents)
      for (const event of this.#listVehicleEvents(vehicle, window, { from: startMs, until: endMs }))
        if (event.time >= startMs && event.time < endMs) operatorEvents.push(event)
    }
    for (const events of byOperator.values())
      events.sort((a, b) => a.time - b.time || a.number - b.number || a.kind - b.kind)
    this.#eventsByDay.set(day, byOperator)
    for (const old of [...this.#eventsByDay.keys()].slice(0, -cachedDays)) this.#eventsByDay.delete(old)
    return byOperator
  }

  /** Lists the events of a vehicle's trips and parking periods between them that may fall into a span. */
  #listVehicleEvents(vehicle: LiveVehicle, window: TripWindow, { from, until }: Span): LiveEvent[] {
    const trips = window.listTrips(vehicle.index)
    const windowEnd = this.#context.midnight(window.end)
    const events: LiveEvent[] = []
    for (let i = 0; i <= trips.length; i++) {
      const [before, after] = [trips[i - 1] ?? null, trips[i] ?? null]
      if ((before?.endMs ?? Number.NEGATIVE_INFINITY) >= until) break
      if ((after?.startMs ?? Number.POSITIVE_INFINITY) >= from)
        events.push(...makeParkingEvents(this.#context, vehicle, { before, after, until: windowEnd }))
      if (after && after.endMs >= from && after.startMs < until)
        events.push(...this.#listTripEvents(vehicle, after))
    }
    return events
  }

  #listTripEvents(vehicle: LiveVehicle, trip: LiveTrip): LiveEvent[] {
    return makeTripEvents(this.#context.seed, vehicle, trip, (time) => {
      const { lon, lat } = this.#placeAt(trip, time)
      return { lon, lat }
    })
  }

  #findOverlappingTrips(operator: string, { from, until }: Span): EndedTrip[] {
    const window = this.#log.getWindow(this.#toDay(from))
    return this.vehicles(operator).flatMap((vehicle) =>
      window.listTrips(vehicle.index, from, until).map((trip) => ({ vehicle, trip })),
    )
  }

  #listPoints({ vehicle, trip }: EndedTrip, { from, until }: Span): LivePoint[] {
    const points: LivePoint[] = []
    const battery = computeBattery(trip.tripNumber, vehicle.vehicleType, false)
    const last = Math.ceil((Math.min(until, trip.endMs + 1) - trip.startMs) / pointEveryMs)
    for (let index = Math.max(0, Math.ceil((from - trip.startMs) / pointEveryMs)); index < last; index++) {
      const time = trip.startMs + index * pointEveryMs
      points.push({ vehicle, trip: trip.tripNumber, index, time, ...this.#placeAt(trip, time), battery })
    }
    return points
  }

  #findStatus(vehicle: LiveVehicle, window: TripWindow, timeMs: number): LiveStatus | null {
    const { before, after } = window.findTripsAround(vehicle.index, timeMs)
    const until = this.#context.midnight(window.end)
    const parked =
      !before || before.endMs <= timeMs
        ? makeParkingEvents(this.#context, vehicle, { before, after, until })
        : []
    const events = [...(before ? this.#listTripEvents(vehicle, before) : []), ...parked].filter(
      ({ time }) => time <= timeMs,
    )
    const [earlier, event] = [events.at(-2) ?? null, events.at(-1)]
    if (!event) return null
    if (before && before.endMs > timeMs) {
      const index = Math.floor((timeMs - before.startMs) / pointEveryMs)
      const time = before.startMs + index * pointEveryMs
      const point = { index, time, ...this.#placeAt(before, time), battery: event.battery }
      return { vehicle, event, earlier, trip: before, point }
    }
    const { time, lon, lat, battery } = event
    return {
      vehicle,
      event,
      earlier,
      trip: null,
      point: { index: 0, time, lon, lat, speed: 0, heading: 0, battery },
    }
  }
}
