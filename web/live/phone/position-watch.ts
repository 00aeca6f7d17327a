import { createSignal } from '#web/data/signals.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'

/** Why there is no position: it was refused; the device has none; it took too long; the browser gives none to this page. */
export type NoPosition = 'refused' | 'missing' | 'slow' | 'insecure'

export type Position =
  | { kind: 'off' | 'asking' }
  | { kind: 'on'; here: UserLocation; isLost: boolean }
  | { kind: 'failed'; why: NoPosition }

const options: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 10_000 }
const reasons: Readonly<Record<number, NoPosition>> = { 1: 'refused', 2: 'missing', 3: 'slow' }

/** Where the viewer is: asked of the device from `start` on, never before. It stays in the browser. */
export class PositionWatch {
  readonly state = createSignal<Position>({ kind: 'off' })
  readonly #device: Geolocation | undefined
  readonly #isSecure: boolean
  #watching: number | null = null

  constructor(device: Geolocation | undefined, isSecure: boolean) {
    this.#device = device
    this.#isSecure = isSecure
  }

  /** Asks, unless that is under way. */
  start(): void {
    if (this.#watching !== null) return
    if (!this.#device || !this.#isSecure) {
      this.state.write({ kind: 'failed', why: this.#isSecure ? 'missing' : 'insecure' })
      return
    }
    this.state.write({ kind: 'asking' })
    this.#watching = this.#device.watchPosition(
      (found) => this.#take(found),
      (error) => this.#fail(error),
      options,
    )
  }

  stop(): void {
    if (this.#watching !== null) this.#device?.clearWatch(this.#watching)
    this.#watching = null
    this.state.write({ kind: 'off' })
  }

  #take({ coords: { longitude, latitude, accuracy } }: GeolocationPosition): void {
    this.state.write({ kind: 'on', here: { lon: longitude, lat: latitude, accuracy }, isLost: false })
  }

  #fail({ code }: GeolocationPositionError): void {
    const now = this.state.read()
    const why = reasons[code] ?? 'missing'
    // In a tunnel the last place is better than none; that it was taken back is not to be argued with.
    if (now.kind === 'on' && why !== 'refused') {
      this.state.write({ ...now, isLost: true })
      return
    }
    this.stop()
    this.state.write({ kind: 'failed', why })
  }
}
