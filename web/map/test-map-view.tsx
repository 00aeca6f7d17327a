import { useLayoutEffect } from 'react'
import type { MapViewProps } from './map-view-props.ts'

let last: MapViewProps | undefined

/** Latest props of each map, by title. `renderApp` clears it. */
export const shownMaps = new Map<string, MapViewProps>()

/** For tests: replaces every map and records its properties. */
export function TestMapView(props: MapViewProps) {
  // In an effect, because React may discard a render before it reaches the screen.
  useLayoutEffect(() => {
    shownMaps.set(props.title, props)
    last = props
  })
  return <div role="application" aria-label={props.title} />
}

/** Props of the map that was rendered last. */
export const lastMap = (): MapViewProps | undefined => last

export function forgetMaps(): void {
  shownMaps.clear()
  last = undefined
}

/** The bin of each shape that a map shows. */
export const binsShown = (shown: MapViewProps | undefined) =>
  [...(shown?.scene.layers[0]?.states.values() ?? [])].map(({ bin }) => bin)
