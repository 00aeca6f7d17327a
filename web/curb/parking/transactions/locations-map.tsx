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
/** Bins of locations and zones: indexes of the colors of the map. */
const bins = { linked: 0, unlinked: 1, suggested: 2, other: 3 } as const
type Bin = keyof typeof bins
/** Index of purple in the categorical colors. */
const suggestionHue = 4

/** Returns the camera target: the selected location, else all locations; null if none has a position. */
function getCameraTarget(locations: readonly PaymentLocationLink[], position: Position | null) {
  const points = position
    ? [position]
    : locations.flatMap(({ lon, lat }): Position[] => (lon === null || lat === null ? [] : [[lon, lat]]))
  const box = boundingBox({ type: 'MultiPoint', coordinates: points })
  return box && { box, minZoom: position ? 17 : 12 }
}

/** Locations colored by whether they have a zone, and the zones around the selected location. */
export function LocationsMap({ region, locations, selectedId, onSelect, at }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const params = { region_id: region.regionId }
  const layers = useEndpointQuery(listLayers, { params }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const linkedZones = useEndpointQuery(listPaymentLocationLayers, { params }).data?.zones
  const selectedLocation = locations.find(({ location_id: id }) => id === selectedId)
  const position = useMemo(
    (): Position | null =>
      selectedLocation && selectedLocation.lon !== null && selectedLocation.lat !== null
        ? [selectedLocation.lon, selectedLocation.lat]
        : null,
    [selectedLocation],
  )
  const [lon, lat] = position ?? [0, 0]
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
    { enabled: position !== null },
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
    const suggestedIds = new Set(selectedLocation?.suggestions.map((row) => row.curb_zone_id))
    const getZoneBin = (id: string): Bin => {
      if (!position || id === selectedLocation?.curb_zone_id) return 'linked'
      return suggestedIds.has(id) ? 'suggested' : 'other'
    }
    const zones = (position ? nearbyZones : linkedZones) ?? []
    const zonesLayer = curbZonesLayer({
      key: 'location-zones',
      zones: zones.map(({ curb_zone_id: id, geometry }) => ({ id, geometry })),
      binById: new Map(zones.map(({ curb_zone_id: id }) => [id, bins[getZoneBin(id)]])),
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
  }, [locations, selectedLocation, position, nearbyZones, linkedZones, scheme, basemap, colors, selectedId])
  const cameraTarget = useMemo(() => getCameraTarget(locations, position), [locations, position])
  const locationsById = useMemo(
    () => new Map(locations.map((location) => [location.location_id, location])),
    [locations],
  )
  const unlinkedCount = locations.filter(({ curb_zone_id: id }) => id === null).length
  const legendRows: [bin: Bin, members: string][] = [
    ['linked', formatInteger(locations.length - unlinkedCount)],
    ['unlinked', formatInteger(unlinkedCount)],
    ...(position
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
          rows={legendRows.map(([bin, members]) => ({
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
