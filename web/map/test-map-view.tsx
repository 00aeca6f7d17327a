import { useLayoutEffect } from 'react'
import type { MapViewProps } from './map-view-props.ts'

let last: MapViewProps | undefined

/** What the maps were given last, by title. `renderApp` empties it. */
export const shownMaps = new Map<string, MapViewProps>()

/** For tests: replaces every map and records its properties. */
export function TestMapView(props: MapViewProps) {
  // Not while rendering: what React renders and throws away was never on the screen.
  useLayoutEffect(() => {
    shownMaps.set(props.title, props)
    last = props
  })
  return <div role="application" aria-label={props.title} />
}

/** What was given to the map that was rendered last, whatever titles it had before. */
export const lastMap = (): MapViewProps | undefined => last

export function forgetMaps(): void {
  shownMaps.clear()
  last = undefined
}

/** The bins in which a map shows its shapes. */
export const binsShown = (shown: MapViewProps | undefined) =>
  [...(shown?.scene.layers[0]?.states.values() ?? [])].map(({ bin }) => bin)
