import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { dataColors } from '#web/kit/theme.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import { placeValuesLayer } from '#web/map/layers/place-values-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { getMoneyBins } from './money-bins.ts'
import styles from './money-map.module.css'

/** A place or a curb zone with an amount in major units. */
export interface MoneyPlace {
  id: string
  name: string
  value: number
  /** Shown after the name in the hover card. */
  cardText: string
  geometry: Geometry
}

interface Props {
  region: Region
  places: readonly MoneyPlace[]
  /** Accessible name of the map. */
  title: string
  legendTitle: string
  legendLabel: string
  /** When the screen was opened, in ms since 1970. */
  at: number
  selected: string | null
  onSelect: (id: string | null) => void
}

/** Locations as circles, or curb zones as lines, colored by an amount. All places must be of the same kind. */
export function MoneyMap({ region, places, title, legendTitle, legendLabel, at, selected, onSelect }: Props) {
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const { legend, layer } = useMemo(() => {
    const moneyBins = getMoneyBins(
      new Map(places.map(({ id, value }) => [id, value])),
      dataColors[scheme].sequential.tide,
      region.currencyCode,
    )
    const points = places.flatMap(({ id, geometry }) =>
      geometry.type === 'Point' ? [{ id, lon: geometry.coordinates[0], lat: geometry.coordinates[1] }] : [],
    )
    return {
      legend: moneyBins.legend,
      layer:
        points.length > 0
          ? placeValuesLayer(points, moneyBins.byId, moneyBins.colors, scheme)
          : curbZonesLayer({
              key: 'money-zones',
              zones: places,
              binById: moneyBins.byId,
              colors: moneyBins.colors,
              scheme,
            }),
    }
  }, [places, scheme, region.currencyCode])
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [layer], heat: null, selected }),
    [scheme, basemap, layer, selected],
  )
  const cameraTarget = useMemo(() => {
    const box = boxAroundGeometries(places.map(({ geometry }) => geometry))
    return box && { box, minZoom: 12 }
  }, [places])
  return (
    <div className={styles['box']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={title}
        cameraTarget={cameraTarget}
        onSelect={onSelect}
        hoverCard={(id) => {
          const place = places.find((candidate) => candidate.id === id)
          return place ? (
            <span className={styles['card']}>
              <b>{place.name}</b> {place.cardText}
            </span>
          ) : null
        }}
      />
      <section className={styles['legend']} aria-label={legendLabel}>
        <h3 className={styles['title']}>{legendTitle}</h3>
        <BinLegend label={legendLabel} rows={legend} />
      </section>
    </div>
  )
}
