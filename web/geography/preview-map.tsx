import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { outlinesLayer } from '#web/map/layers/outlines-layer.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { useRegion } from '#web/shell/region.tsx'

const nothing = (): null => null

interface Props {
  geometries: readonly Geometry[]
  /** The box around all geometries. */
  box: Box
  label: string
}

/** The shapes of a file over the basemap, before a layer is created from them. */
export function PreviewMap({ geometries, box, label }: Props) {
  const region = useRegion()
  const scheme = useMapScheme()
  const at = useOpenedAt()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const scene = useMemo<MapScene>(
    () => ({ scheme, basemap, layers: [outlinesLayer(geometries, scheme)], heat: null, selected: null }),
    [scheme, basemap, geometries],
  )
  const goal = useMemo(() => ({ box, minZoom: 0 }), [box])
  return (
    <MapView
      requestHeaders={requestHeaders}
      scene={scene}
      title={label}
      view={firstView(undefined, region, window.innerWidth).view}
      isExact={false}
      isMetric={region.isMetric}
      isDimmed={false}
      goal={goal}
      onView={() => undefined}
      onSelect={() => undefined}
      findShape={nothing}
      hoverCard={nothing}
    />
  )
}
