import type { ComponentProps } from 'react'
import type { MapView } from '#web/map/map-view.tsx'

/** For tests: what a map was given last, where no map can be drawn. */
export const shownMap: { props: ComponentProps<typeof MapView> | null } = { props: null }

export function MapForTest(props: ComponentProps<typeof MapView>) {
  shownMap.props = props
  return <div role="application" aria-label={props.title} />
}
