import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { dataColors } from '#web/kit/theme.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'

/** The map may zoom out as far as needed to fit the points. */
const minZoom = 0

/** The places of the facts on the current page. */
export function FactsMap({ points }: { points: readonly HeatPoint[] }) {
  const { t } = useTranslation()
  const region = useRegion()
  const scheme = useMapScheme()
  const at = useOpenedAt()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const scene = useMemo<MapScene>(
    () => ({
      scheme,
      basemap,
      layers: [],
      heat: { points, colors: dataColors[scheme].sequential.tide.slice(1) },
      selected: null,
    }),
    [scheme, basemap, points],
  )
  const cameraTarget = useMemo(() => {
    if (points.length === 0) return null
    const lons = points.map(({ lon }) => lon)
    const lats = points.map(({ lat }) => lat)
    const box: [number, number, number, number] = [
      Math.min(...lons),
      Math.min(...lats),
      Math.max(...lons),
      Math.max(...lats),
    ]
    return { box, minZoom }
  }, [points])
  return (
    <EmbeddedMap region={region} scene={scene} title={t('billing:facts.map')} cameraTarget={cameraTarget} />
  )
}
