import type { MapScene } from '#web/map/map-scene.ts'
import type { StateSource } from '#web/map/map-layer.ts'

interface Shown {
  scene: MapScene
  playing: StateSource | null
  title: string
}

/** What the maps were handed last, by title; empty it before each test. */
export const shownMaps = new Map<string, Shown>()

/** For tests, in place of the map: its engine needs a graphics card. */
export function FakeMapView(given: Shown) {
  shownMaps.set(given.title, given)
  return <div>{given.title}</div>
}

/** The bins in which a map shows its shapes. */
export const binsShown = (shown: Shown | undefined) =>
  [...(shown?.scene.layers[0]?.states.values() ?? [])].map(({ bin }) => bin)
export const lastMap = (): Shown | undefined => [...shownMaps.values()].at(-1)
