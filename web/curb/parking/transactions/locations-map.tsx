import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentLocationLink } from '#contract/curb-payment-links.ts'
import { listPaymentLocationLayers } from '#contract/curb-payments.ts'
import { listCurbZonesWithin } from '#contract/curb-zones.ts'
import { listLayers } from '#contract/geography.ts'
import type { Position } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors, tokens, valueOpacity } from '#web/kit/theme.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import { placeValuesLayer } from '#web/map/layers/place-values-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from '../money-map.module.css'

interface Props {
  region: Region
  locations: readonly PaymentLocationLink[]
  selectedId: string | null
  onSelect: (id: string | null) => void
  at: number
}

/** Half the width, in degrees, of the box around a selected location in which zones are drawn. */
const nearbyZonesDegrees = 0.0012
/** Bins of locations and zones: positions in the colors of the map. */
const bins = { linked: 0, unlinked: 1, suggested: 2, other: 3 } as const
type Bin = keyof typeof bins
/** Purple, among the categorical colors. */
const suggestionHue = 4

/** Returns the camera target: the selected location, else all locations; null if none has a position. */
function locationsTarget(locations: readonly PaymentLocationLink[], selectedPoint: Position | null) {
  const points = selectedPoint
    ? [selectedPoint]
    : locations.flatMap(({ lon, lat }): Position[] => (lon === null || lat === null ? [] : [[lon, lat]]))
  const box = boundingBox({ type: 'MultiPoint', coordinates: points })
  return box && { box, minZoom: selectedPoint ? 17 : 12 }
}

/**
 * Locations colored by whether they have a zone. Around the selected one, the zones that it can be linked to.
 */
export function LocationsMap({ region, locations, selectedId, onSelect, at }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const params = { region_id: region.regionId }
  const layers = useEndpointQuery(listLayers, { params }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const linkedZones = useEndpointQuery(listPaymentLocationLayers, { params }).data?.zones
  const selected = locations.find(({ location_id: id }) => id === selectedId)
  const selectedPoint = useMemo(
    (): Position | null =>
      selected && selected.lon !== null && selected.lat !== null ? [selected.lon, selected.lat] : null,
    [selected],
  )
  const [lon, lat] = selectedPoint ?? [0, 0]
  const nearbyZones = useEndpointQuery(
    listCurbZonesWithin,
    {
      params,
      query: {
        west: lon - nearbyZonesDegrees,
        south: lat - nearbyZonesDegrees,
        east: lon + nearbyZonesDegrees,
        north: lat + nearbyZonesDegrees,
      },
    },
    { enabled: selectedPoint !== null },
  ).data?.items
  const colors = useMemo(() => {
    const { teal, amber, slate } = tokens[scheme]
    return [teal, amber, dataColors[scheme].categorical[suggestionHue] ?? slate, slate]
  }, [scheme])
  const scene = useMemo(() => {
    const points = locations.flatMap(({ location_id: id, lon, lat }) =>
      lon === null || lat === null ? [] : [{ id, lon, lat }],
    )
    const locationBins = new Map(
      locations.map(({ location_id: id, curb_zone_id: zone }) => [
        id,
        bins[zone === null ? 'unlinked' : 'linked'],
      ]),
    )
    const suggested = new Set(selected?.suggestions.map(({ curb_zone_id: id }) => id))
    const zoneBin = (id: string): Bin => {
      if (!selectedPoint || id === selected?.curb_zone_id) return 'linked'
      return suggested.has(id) ? 'suggested' : 'other'
    }
    const zones = (selectedPoint ? nearbyZones : linkedZones) ?? []
    const zonesLayer = curbZonesLayer({
      key: 'location-zones',
      zones: zones.map(({ curb_zone_id: id, geometry }) => ({ id, geometry })),
      binById: new Map(zones.map(({ curb_zone_id: id }) => [id, bins[zoneBin(id)]])),
      colors,
      scheme,
    })
    return {
      scheme,
      basemap,
      layers: [placeValuesLayer(points, locationBins, colors, scheme), zonesLayer],
      heat: null,
      selected: selectedId,
    }
  }, [locations, selected, selectedPoint, nearbyZones, linkedZones, scheme, basemap, colors, selectedId])
  const cameraTarget = useMemo(() => locationsTarget(locations, selectedPoint), [locations, selectedPoint])
  const locationsById = useMemo(
    () => new Map(locations.map((location) => [location.location_id, location])),
    [locations],
  )
  const unlinkedCount = locations.filter(({ curb_zone_id: id }) => id === null).length
  const rows: [bin: Bin, members: string][] = [
    ['linked', formatInteger(locations.length - unlinkedCount)],
    ['unlinked', formatInteger(unlinkedCount)],
    ...(selectedPoint
      ? ([
          ['suggested', ''],
          ['other', ''],
        ] satisfies [Bin, string][])
      : []),
  ]
  return (
    <div className={styles['box']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={t('curb:payments.map.locations')}
        cameraTarget={cameraTarget}
        onSelect={(id) => onSelect(id !== null && locationsById.has(id) ? id : null)}
        hoverCard={(id) => {
          const location = locationsById.get(id)
          if (!location) return null
          return (
            <span className={styles['card']}>
              <b>{location.name || id}</b> {location.zone_name ?? t('curb:payments.locations.noZone')}
            </span>
          )
        }}
      />
      <section className={styles['legend']} aria-label={t('curb:payments.locations.legend')}>
        <h3 className={styles['title']}>{t('curb:payments.locations.legend')}</h3>
        <BinLegend
          label={t('curb:payments.locations.legend')}
          rows={rows.map(([bin, members]) => ({
            key: bin,
            label: t(`curb:payments.locations.legendOf.${bin}`),
            members,
            swatch: { color: colors[bins[bin]] ?? '', opacity: valueOpacity },
          }))}
        />
      </section>
    </div>
  )
}
