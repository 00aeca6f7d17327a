import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentLocationLink } from '#contract/curb-payment-links.ts'
import { listPaymentLocationLayers } from '#contract/curb-payments.ts'
import { listCurbZonesWithin } from '#contract/curb-zones.ts'
import { listLayers } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger } from '#web/kit/format.ts'
import { tokens, valueOpacity } from '#web/kit/theme.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import { placeValuesLayer } from '#web/map/layers/place-values-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from '../money-map.module.css'

interface Props {
  region: Region
  locations: readonly PaymentLocationLink[]
  selected: string | null
  onSelect: (id: string | null) => void
  at: number
}

/** Zones are drawn within this distance of a selected location, in degrees. */
const aroundDegrees = 0.0012

/**
 * Locations colored by whether they have a zone. Around the selected one, the zones that it can be linked to.
 */
export function LocationsMap({ region, locations, selected, onSelect, at }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const params = { region_id: region.regionId }
  const layers = useEndpointQuery(listLayers, { params }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const linked = useEndpointQuery(listPaymentLocationLayers, { params }).data?.zones
  const chosen = locations.find(({ location_id: id }) => id === selected)
  const center = chosen && chosen.lon !== null && chosen.lat !== null ? [chosen.lon, chosen.lat] : null
  const isClose = center !== null
  const around = useEndpointQuery(
    listCurbZonesWithin,
    {
      params,
      query: {
        west: (center?.[0] ?? 0) - aroundDegrees,
        south: (center?.[1] ?? 0) - aroundDegrees,
        east: (center?.[0] ?? 0) + aroundDegrees,
        north: (center?.[1] ?? 0) + aroundDegrees,
      },
    },
    { enabled: isClose },
  ).data?.items
  const colors = useMemo(() => [tokens[scheme].teal, tokens[scheme].amber, tokens[scheme].slate], [scheme])
  const scene = useMemo(() => {
    const points = locations.flatMap(({ location_id: id, lon, lat }) =>
      lon === null || lat === null ? [] : [{ id, lon, lat }],
    )
    const classes = new Map(
      locations.map(({ location_id: id, curb_zone_id: zone }) => [id, zone === null ? 1 : 0]),
    )
    const suggested = new Set(chosen?.suggestions.map(({ curb_zone_id: id }) => id))
    const zones = isClose ? (around ?? []) : (linked ?? [])
    const lines = curbZonesLayer({
      key: 'location-zones',
      zones: zones.map(({ curb_zone_id: id, geometry }) => ({ id, geometry })),
      classes: new Map(
        zones.map(({ curb_zone_id: id }) => [
          id,
          id === chosen?.curb_zone_id ? 0 : suggested.has(id) ? 1 : isClose ? 2 : 0,
        ]),
      ),
      colors,
      scheme,
    })
    return {
      scheme,
      basemap,
      layers: [placeValuesLayer(points, classes, colors, scheme), lines],
      heat: null,
      selected,
    }
  }, [locations, chosen, isClose, around, linked, scheme, basemap, colors, selected])
  const goal = useMemo(() => {
    if (chosen && chosen.lon !== null && chosen.lat !== null)
      return { box: [chosen.lon, chosen.lat, chosen.lon, chosen.lat] as Box, minZoom: 17 }
    const places = locations.flatMap(({ lon, lat }) => (lon === null || lat === null ? [] : [[lon, lat]]))
    if (!places.length) return null
    const [lons, lats] = [places.map(([lon]) => lon ?? 0), places.map(([, lat]) => lat ?? 0)]
    return {
      box: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)] as Box,
      minZoom: 12,
    }
  }, [locations, chosen])
  const byId = useMemo(
    () => new Map(locations.map((location) => [location.location_id, location])),
    [locations],
  )
  const counts = [
    locations.filter(({ curb_zone_id: id }) => id !== null).length,
    locations.filter(({ curb_zone_id: id }) => id === null).length,
  ]
  return (
    <div className={styles['box']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={t('curb:payments.map.locations')}
        goal={goal}
        onSelect={(id) => onSelect(id !== null && byId.has(id) ? id : null)}
        hoverCard={(id) => {
          const location = byId.get(id)
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
          rows={(['linked', 'open'] as const).map((key, index) => ({
            key,
            label: t(`curb:payments.locations.legendOf.${key}`),
            members: formatInteger(counts[index]),
            swatch: { color: colors[index] ?? '', opacity: valueOpacity },
          }))}
        />
      </section>
    </div>
  )
}
