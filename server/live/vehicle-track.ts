import type { VehicleState } from '#contract/vehicle-states.ts'

/** The part of an event that determines the vehicle's state. Times are ms since 1970; NaN if unknown. */
export interface TrackEvent {
  eventId: string
  time: number
  turn: number
  /** Of two versions of an event the higher counts. */
  rank: bigint
  state: VehicleState
  lon: number
  lat: number
  battery: number
}

export interface TrackPoint {
  telemetryId: string
  time: number
  rank: bigint
  lon: number
  lat: number
  battery: number
}

/** The state of a vehicle from all of its records. */
export interface TrackView {
  state: VehicleState
  since: number
  seen: number
  lon: number
  lat: number
  battery: number
}

/** Events retained per vehicle: the newest counts, the others replace it if it turns out to be earlier or has no place. */
export const maxTrackEvents = 4

const isLater = (a: TrackEvent, b: TrackEvent): boolean =>
  a.time - b.time > 0 ||
  (a.time === b.time && (a.turn > b.turn || (a.turn === b.turn && a.eventId > b.eventId)))
const isNewer = (a: TrackPoint, b: TrackPoint): boolean =>
  a.time > b.time ||
  (a.time === b.time &&
    (a.telemetryId > b.telemetryId || (a.telemetryId === b.telemetryId && a.rank > b.rank)))

/** The newest records of one vehicle, independent of their order, copies and versions. */
export class VehicleTrack {
  /** The latest first. */
  readonly #events: TrackEvent[] = []
  #lastPlaced: TrackPoint | null = null
  #lastCharged: TrackPoint | null = null
  #telemetryAt = Number.NEGATIVE_INFINITY

  /** The time of the last contact. */
  get lastContact(): number {
    return Math.max(this.#events[0]?.time ?? Number.NEGATIVE_INFINITY, this.#telemetryAt)
  }

  addEvent(event: TrackEvent): void {
    const known = this.#events.findIndex(({ eventId }) => eventId === event.eventId)
    if (known >= 0) {
      if (event.rank <= this.#events[known]!.rank) return
      this.#events.splice(known, 1)
    }
    const before = this.#events.findIndex((other) => isLater(event, other))
    if (before >= 0) this.#events.splice(before, 0, event)
    else if (this.#events.length < maxTrackEvents) this.#events.push(event)
    if (this.#events.length > maxTrackEvents) this.#events.pop()
  }

  addPoint(point: TrackPoint): void {
    this.#telemetryAt = Math.max(this.#telemetryAt, point.time)
    if (!Number.isNaN(point.lon + point.lat) && (!this.#lastPlaced || isNewer(point, this.#lastPlaced)))
      this.#lastPlaced = point
    if (!Number.isNaN(point.battery) && (!this.#lastCharged || isNewer(point, this.#lastCharged)))
      this.#lastCharged = point
  }

  /** Null until an event has a state. Telemetry that is newer than the events moves the place and the battery, not the state. */
  view(): TrackView | null {
    const last = this.#events[0]
    if (!last) return null
    const located = this.#events.find(({ lon, lat }) => !Number.isNaN(lon + lat))
    const place =
      this.#lastPlaced && (!located || this.#lastPlaced.time > located.time) ? this.#lastPlaced : located
    const charge = this.#events.find(({ battery }) => !Number.isNaN(battery))
    const battery =
      this.#lastCharged && (!charge || this.#lastCharged.time > charge.time)
        ? this.#lastCharged.battery
        : (charge?.battery ?? Number.NaN)
    return {
      state: last.state,
      since: last.time,
      seen: this.lastContact,
      lon: place?.lon ?? Number.NaN,
      lat: place?.lat ?? Number.NaN,
      battery,
    }
  }
}
