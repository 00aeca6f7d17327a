import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { outlinesLayer } from '#web/map/layers/outlines-layer.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { useRegion } from '#web/shell/region.tsx'

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
  const cameraTarget = useMemo(() => ({ box, minZoom: 0 }), [box])
  return <EmbeddedMap region={region} scene={scene} title={label} cameraTarget={cameraTarget} />
}
