import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Box } from '#contract/place.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { createSignal } from '#web/data/signals.ts'

/**
 * Why there is no position: the user refused; the device has none; it timed out; the page is not served
 * securely.
 */
type NoPosition = 'refused' | 'missing' | 'slow' | 'insecure'

export type Position =
  | { kind: 'off' | 'asking' }
  | { kind: 'on'; here: UserLocation; isLost: boolean }
  | { kind: 'failed'; why: NoPosition }

const options: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 10_000 }
const reasons: Readonly<Record<number, NoPosition>> = { 1: 'refused', 2: 'missing', 3: 'slow' }

/** The user's position: requested from the device on `start`, never before, and never sent to the server. */
export class PositionWatch {
  readonly state = createSignal<Position>({ kind: 'off' })
  readonly #device: Geolocation | undefined
  readonly #isSecure: boolean
  #watchId: number | null = null

  constructor(device: Geolocation | undefined, isSecure: boolean) {
    this.#device = device
    this.#isSecure = isSecure
  }

  /** Requests the position, unless a request is running. */
  start(): void {
    if (this.#watchId !== null) return
    if (!this.#device || !this.#isSecure) {
      this.state.write({ kind: 'failed', why: this.#isSecure ? 'missing' : 'insecure' })
      return
    }
    this.state.write({ kind: 'asking' })
    this.#watchId = this.#device.watchPosition(
      (position) => this.#update(position),
      (error) => this.#fail(error),
      options,
    )
  }

  stop(): void {
    if (this.#watchId !== null) this.#device?.clearWatch(this.#watchId)
    this.#watchId = null
    this.state.write({ kind: 'off' })
  }

  #update({ coords: { longitude, latitude, accuracy } }: GeolocationPosition): void {
    this.state.write({ kind: 'on', here: { lon: longitude, lat: latitude, accuracy }, isLost: false })
  }

  #fail({ code }: GeolocationPositionError): void {
    const now = this.state.read()
    const why = reasons[code] ?? 'missing'
    // In a tunnel, for example, the last position is better than none; withdrawing the permission ends it.
    if (now.kind === 'on' && why !== 'refused') {
      this.state.write({ ...now, isLost: true })
      return
    }
    this.stop()
    this.state.write({ kind: 'failed', why })
  }
}

/** Meters per degree of latitude. */
const metersPerDegree = 111_195

/** Returns the square around an inaccurate position, at least a few streets wide. */
export function toCameraTarget({ lon, lat, accuracy }: UserLocation): { box: Box; minZoom: number } {
  const latitudes = accuracy / metersPerDegree
  const longitudes = latitudes / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return {
    box: [lon - longitudes, lat - latitudes, lon + longitudes, lat + latitudes],
    minZoom: accuracy <= 250 ? 16 : 9,
  }
}

/**
 * The user's position, once requested. `goal` is where the map moves: at the first position, and on each
 * later press.
 */
export function usePosition() {
  const [watch] = useState(() => new PositionWatch(navigator.geolocation, window.isSecureContext))
  const position = useSyncExternalStore(watch.state.watch, watch.state.read)
  const [pressCount, setPressCount] = useState(0)
  const [move, setMove] = useState<{
    afterPress: number
    cameraTarget: ReturnType<typeof toCameraTarget>
  } | null>(null)
  useEffect(() => () => watch.stop(), [watch])

  const here = position.kind === 'on' ? position.here : null
  if (here && pressCount > (move?.afterPress ?? 0))
    setMove({ afterPress: pressCount, cameraTarget: toCameraTarget(here) })
  const locate = (): void => {
    setPressCount(pressCount + 1)
    watch.start()
  }
  return { position, here, cameraTarget: move?.cameraTarget ?? null, locate }
}
