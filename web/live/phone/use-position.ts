import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Box } from '#contract/place.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { PositionWatch } from './position-watch.ts'

/** Meters of a degree of latitude. */
const perDegree = 111_195

/** The square around a place that may be off; at a few streets' distance, however exact it is. */
export function goalOf({ lon, lat, accuracy }: UserLocation): { box: Box; least: number } {
  const high = accuracy / perDegree
  const wide = high / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return { box: [lon - wide, lat - high, lon + wide, lat + high], least: accuracy <= 250 ? 16 : 9 }
}

/** Where the viewer is, once they ask; `goal` is where the map then goes: at the first answer, and at each press after it. */
export function usePosition() {
  const [watch] = useState(() => new PositionWatch(navigator.geolocation, window.isSecureContext))
  const position = useSyncExternalStore(watch.state.watch, watch.state.read)
  const [pressed, setPressed] = useState(0)
  const [went, setWent] = useState<{ after: number; goal: ReturnType<typeof goalOf> } | null>(null)
  useEffect(() => () => watch.stop(), [watch])

  const here = position.kind === 'on' ? position.here : null
  if (here && pressed > (went?.after ?? 0)) setWent({ after: pressed, goal: goalOf(here) })
  const locate = (): void => {
    setPressed(pressed + 1)
    watch.start()
  }
  return { position, here, goal: went?.goal ?? null, locate }
}
