import type { VehicleState } from '#contract/vehicle-states.ts'

/** The part of an event that determines the vehicle's state. Times are ms since 1970; NaN if unknown. */
export interface TrackEvent {
  eventId: string
  time: number
  turn: number
  /** Orders versions of the same event: the higher one counts. */
  rank: bigint
  state: VehicleState
  lon: number
  lat: number
  battery: number
}

/** The part of a telemetry point that determines location and battery. Times and NaN as in `TrackEvent`. */
export interface TrackPoint {
  telemetryId: string
  time: number
  rank: bigint
  lon: number
  lat: number
  battery: number
}

/** The current state of a vehicle according to its records. */
export interface TrackView {
  state: VehicleState
  since: number
  seen: number
  lon: number
  lat: number
  battery: number
}

/** Events retained per vehicle. Earlier ones matter if the latest has no location or is withdrawn. */
export const maxTrackEvents = 4

const isLater = (a: TrackEvent, b: TrackEvent): boolean =>
  a.time - b.time > 0 ||
  (a.time === b.time && (a.turn > b.turn || (a.turn === b.turn && a.eventId > b.eventId)))
const isNewer = (a: TrackPoint, b: TrackPoint): boolean =>
  a.time > b.time ||
  (a.time === b.time &&
    (a.telemetryId > b.telemetryId || (a.telemetryId === b.telemetryId && a.rank > b.rank)))

/** The newest records of one vehicle, regardless of the order, repetition or versions of records. */
export class VehicleTrack {
  /** The latest first. */
  readonly #events: TrackEvent[] = []
  #lastWithPlace: TrackPoint | null = null
  #lastWithBattery: TrackPoint | null = null
  #lastTelemetry = Number.NEGATIVE_INFINITY

  /** The time of the last event or telemetry, ms; negative infinity if there is none. */
  get lastContact(): number {
    return Math.max(this.#events[0]?.time ?? Number.NEGATIVE_INFINITY, this.#lastTelemetry)
  }

  addEvent(event: TrackEvent): void {
    const knownIndex = this.#events.findIndex(({ eventId }) => eventId === event.eventId)
    if (knownIndex >= 0) {
      if (event.rank <= this.#events[knownIndex]!.rank) return
      this.#events.splice(knownIndex, 1)
    }
    const insertIndex = this.#events.findIndex((known) => isLater(event, known))
    if (insertIndex >= 0) this.#events.splice(insertIndex, 0, event)
    else if (this.#events.length < maxTrackEvents) this.#events.push(event)
    if (this.#events.length > maxTrackEvents) this.#events.pop()
  }

  addPoint(point: TrackPoint): void {
    this.#lastTelemetry = Math.max(this.#lastTelemetry, point.time)
    if (!Number.isNaN(point.lon + point.lat) && (!this.#lastWithPlace || isNewer(point, this.#lastWithPlace)))
      this.#lastWithPlace = point
    if (!Number.isNaN(point.battery) && (!this.#lastWithBattery || isNewer(point, this.#lastWithBattery)))
      this.#lastWithBattery = point
  }

  /** Null until there is an event. Newer telemetry updates location and battery, but not the state. */
  getView(): TrackView | null {
    const [lastEvent] = this.#events
    if (!lastEvent) return null
    const lastWithPlace = this.#events.find(({ lon, lat }) => !Number.isNaN(lon + lat))
    const place =
      this.#lastWithPlace && (!lastWithPlace || this.#lastWithPlace.time > lastWithPlace.time)
        ? this.#lastWithPlace
        : lastWithPlace
    const lastWithBattery = this.#events.find(({ battery }) => !Number.isNaN(battery))
    const battery =
      this.#lastWithBattery && (!lastWithBattery || this.#lastWithBattery.time > lastWithBattery.time)
        ? this.#lastWithBattery.battery
        : (lastWithBattery?.battery ?? Number.NaN)
    return {
      state: lastEvent.state,
      since: lastEvent.time,
      seen: this.lastContact,
      lon: place?.lon ?? Number.NaN,
      lat: place?.lat ?? Number.NaN,
      battery,
    }
  }
}
