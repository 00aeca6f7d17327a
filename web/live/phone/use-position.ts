import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Box } from '#contract/place.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { createSignal } from '#web/data/signals.ts'

/** Why there is no position: the user refused; the device has none; it timed out; the page is not on HTTPS. */
type NoPosition = 'refused' | 'missing' | 'slow' | 'insecure'

export type Position =
  | { kind: 'off' | 'asking' }
  | { kind: 'on'; here: UserLocation; isLost: boolean }
  | { kind: 'failed'; why: NoPosition }

const options: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 10_000 }
/** Reasons by code of `GeolocationPositionError`. */
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
    const currentState = this.state.read()
    const why = reasons[code] ?? 'missing'
    // In a tunnel, for example, the last position is better than none, unless the permission was withdrawn.
    if (currentState.kind === 'on' && why !== 'refused') {
      this.state.write({ ...currentState, isLost: true })
      return
    }
    this.stop()
    this.state.write({ kind: 'failed', why })
  }
}

/** Meters per degree of latitude. */
const metersPerDegree = 111_195
/** Positions at least this accurate, in meters, are shown with their streets. */
const maxStreetAccuracy = 250
const streetZoom = 16
const cityZoom = 9

/** Returns the square around an inaccurate position, at least a few streets wide. */
export function toCameraTarget({ lon, lat, accuracy }: UserLocation): { box: Box; minZoom: number } {
  const latMargin = accuracy / metersPerDegree
  // At the poles, the cosine is 0.
  const lonMargin = latMargin / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return {
    box: [lon - lonMargin, lat - latMargin, lon + lonMargin, lat + latMargin],
    minZoom: accuracy <= maxStreetAccuracy ? streetZoom : cityZoom,
  }
}

/** Returns the user's position, once requested. At the first position and each press, the map moves to it. */
export function usePosition() {
  const [watch] = useState(() => new PositionWatch(navigator.geolocation, window.isSecureContext))
  const position = useSyncExternalStore(watch.state.watch, watch.state.read)
  const [pressCount, setPressCount] = useState(0)
  const [cameraMove, setCameraMove] = useState<{
    afterPress: number
    cameraTarget: ReturnType<typeof toCameraTarget>
  } | null>(null)
  useEffect(() => () => watch.stop(), [watch])
  const here = position.kind === 'on' ? position.here : null
  if (here && pressCount > (cameraMove?.afterPress ?? 0))
    setCameraMove({ afterPress: pressCount, cameraTarget: toCameraTarget(here) })
  const locate = (): void => {
    setPressCount(pressCount + 1)
    watch.start()
  }
  return { position, userPosition: here, cameraTarget: cameraMove?.cameraTarget ?? null, locate }
}
