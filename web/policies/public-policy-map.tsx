import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MdsGeography } from '#contract/mds-policy.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { getPublicRoutes } from '#contract/routes.ts'
import { useDeploymentBasemap } from '#web/basemap/use-deployment-basemap.ts'
import { useAnswer } from '#web/data/query.ts'
import { boxOf } from '#web/map/drawing/box-of.ts'
import { MapView } from '#web/map/map-view.tsx'
import { publicRouteTiles } from '#web/routes/route-tiles.ts'
import { featuresOf, publicAreasLayer } from './public-areas-layer.ts'

const nothing = { top: 0, right: 0, bottom: 0, left: 0 }
const noHeaders = (): Record<string, string> => ({})

interface Props {
  regionId: string
  geographies: readonly MdsGeography[]
}

function boxAround(geographies: readonly MdsGeography[]): Box | null {
  const boxes = geographies.flatMap(({ geography_json: json }) => featuresOf(json)).map((feature) => boxOf((feature as { geometry: Geometry }).geometry)).filter((box) => box !== null)
  return boxes.length ? [Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3]))] : null
}

/** Where published policies hold. Streets are under them where the city's routes are public too: nothing else of its layers is. */
export function PublicPolicyMap({ regionId, geographies }: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const routes = useAnswer(getPublicRoutes, { params: { region_id: regionId } }).data
  const streets = routes?.streets_version ?? null
  const basemap = useDeploymentBasemap(useMemo(() => (streets === null ? [] : [{ role: 'street' as const, tiles: publicRouteTiles(regionId, streets, location.origin), attribution: routes?.streets_attribution ?? null }]), [regionId, streets, routes?.streets_attribution]))
  const scene = useMemo(() => ({ scheme, basemap, layer: publicAreasLayer(geographies, scheme), heat: null, selected: null }), [scheme, basemap, geographies])
  const goal = useMemo(() => { const box = boxAround(geographies); return box && { box, least: 0 } }, [geographies])
  const view = goal ? { lon: (goal.box[0] + goal.box[2]) / 2, lat: (goal.box[1] + goal.box[3]) / 2, zoom: 11 } : { lon: 0, lat: 0, zoom: 1 }
  return (
    <MapView
      requestHeaders={noHeaders} scene={scene} title={t('policies:public.map')} view={view} isExact={false} covered={nothing} isMetric={routes?.isMetric ?? true} isDimmed={false} goal={goal}
      onView={() => undefined} onSelect={() => undefined} findShape={() => null} hoverCard={() => null}
    />
  )
}
