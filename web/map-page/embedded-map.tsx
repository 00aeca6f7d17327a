import type { PublicRegion } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import type { MapViewProps } from '#web/map/map-view-props.ts'
import { MapView } from '#web/map/map-view.tsx'
import { firstView } from './first-view.ts'

type Content = Pick<MapViewProps, 'scene' | 'title'>

interface Props extends Content, Partial<Omit<MapViewProps, keyof Content>> {
  region: Pick<PublicRegion, 'lon' | 'lat' | 'mapZoom' | 'isMetric'>
}

/** A map as a part of a page. It starts at the region unless it has a `view`, which is not in the URL. */
export function EmbeddedMap({ region, ...props }: Props) {
  return (
    <MapView
      requestHeaders={requestHeaders}
      view={firstView(undefined, region, window.innerWidth).view}
      isExact={false}
      isMetric={region.isMetric}
      isDimmed={false}
      onViewChange={ignore}
      onSelect={ignore}
      findShape={showNothing}
      hoverCard={showNothing}
      {...props}
    />
  )
}

const ignore = (): void => {}
const showNothing = (): null => null
