import type { MapViewProps } from './map-view-props.ts'

/** What the maps were given last, by title; empty it before each test. */
export const shownMaps = new Map<string, MapViewProps>()

/** For tests: stands in for every map, and records what it is given. */
export function TestMapView(props: MapViewProps) {
  shownMaps.set(props.title, props)
  return <div role="application" aria-label={props.title} />
}

export const lastMap = (): MapViewProps | undefined => [...shownMaps.values()].at(-1)

/** The bins in which a map shows its shapes. */
export const binsShown = (shown: MapViewProps | undefined) =>
  [...(shown?.scene.layers[0]?.states.values() ?? [])].map(({ bin }) => bin)
