import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCurbZonesWithin } from '#contract/curb-zones.ts'
import { listLayers } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { dataColors, tokens } from '#web/kit/theme.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { firstView } from '#web/map-page/first-view.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from './regulations.module.css'
import { minZoneZoom, getViewBox } from './view-box.ts'

/** Zones are loaded when the map has not moved for this time. */
const panPauseMs = 250

interface Props {
  region: Region
  zoneIds: readonly string[]
  /** The first view of the map; null until it is known. */
  box: Box | null
  at: number
  /** Without it, zones only show their names. */
  onPick?: (zoneId: string) => void
}

/** The curb zones in view; those of the regulation (`zoneIds`) are highlighted. */
export function ZonesMap({ region, zoneIds, box, at, onPick }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const { view } = firstView(undefined, region, window.innerWidth)
  const [mapView, setMapView] = useState(view)
  const [restingView] = useDebouncedValue(mapView, panPauseMs)
  const visibleBox = getViewBox(restingView)
  const [west, south, east, north] = visibleBox ?? [0, 0, 0, 0]
  const zones = useEndpointQuery(
    listCurbZonesWithin,
    { params: { region_id: region.regionId }, query: { west, south, east, north } },
    { enabled: visibleBox !== null, placeholderData: keepPreviousData },
  ).data
  const layer = useMemo(
    () =>
      curbZonesLayer({
        key: `regulation-zones:${zones?.items.length ?? 0}:${zones?.items[0]?.curb_zone_id ?? ''}`,
        zones: (zones?.items ?? []).map(({ curb_zone_id: id, geometry }) => ({ id, geometry })),
        binById: new Map<string, ShapeBin>([
          ...(zones?.items ?? []).map(({ curb_zone_id: id }): [string, ShapeBin] => [id, 'none']),
          ...zoneIds.map((id): [string, ShapeBin] => [id, 0]),
        ]),
        colors: [tokens[scheme].teal, dataColors[scheme].noData],
        scheme,
      }),
    [zones, zoneIds, scheme],
  )
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [layer], heat: null, selected: null }),
    [scheme, basemap, layer],
  )
  const cameraTarget = useMemo(() => box && { box, minZoom: minZoneZoom + 1 }, [box])
  const incompleteNote = zones?.is_complete === false ? t('curb:regulations.zones.incomplete') : null
  const note = visibleBox === null ? t('curb:regulations.zones.zoomIn') : incompleteNote
  return (
    <>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={t('curb:regulations.zones.map')}
        cameraTarget={cameraTarget}
        onViewChange={setMapView}
        onSelect={(id) => {
          if (id !== null) onPick?.(id)
        }}
        hoverCard={(id) => {
          const zone = zones?.items.find((candidate) => candidate.curb_zone_id === id)
          return (
            <>
              <strong>{zone?.street_name || id}</strong> {zone?.street_side}
            </>
          )
        }}
      />
      {note ? (
        <p className={styles['mapNote']} role="status">
          {note}
        </p>
      ) : null}
    </>
  )
}
