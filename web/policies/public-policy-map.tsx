import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicGeography } from '#contract/public-policies.ts'
import type { PublicRegion } from '#contract/regions.ts'
import { usePublicBasemap } from '#web/map-page/use-deployment-basemap.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { outlinesLayer } from '#web/map/layers/outlines-layer.ts'

const noHeaders = (): Record<string, string> => ({})

interface Props {
  region: PublicRegion
  geographies: readonly PublicGeography[]
}

/** The map of the places where published policies apply. */
export function PublicPolicyMap({ region, geographies }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const basemap = usePublicBasemap(region)
  const scene = useMemo(
    () => ({
      scheme,
      basemap,
      layers: [
        outlinesLayer(
          geographies.flatMap(({ geometries }) => geometries),
          scheme,
        ),
      ],
      heat: null,
      selected: null,
    }),
    [scheme, basemap, geographies],
  )
  const cameraTarget = useMemo(() => {
    const box = boxAroundGeometries(geographies.flatMap(({ geometries }) => geometries))
    return box && { box, minZoom: 0 }
  }, [geographies])
  const view = cameraTarget
    ? {
        lon: (cameraTarget.box[0] + cameraTarget.box[2]) / 2,
        lat: (cameraTarget.box[1] + cameraTarget.box[3]) / 2,
        zoom: region.mapZoom,
      }
    : { lon: region.lon, lat: region.lat, zoom: region.mapZoom }
  return (
    <EmbeddedMap
      region={region}
      requestHeaders={noHeaders}
      scene={scene}
      title={t('policies:public.map')}
      view={view}
      cameraTarget={cameraTarget}
    />
  )
}
