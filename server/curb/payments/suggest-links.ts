import type { PaymentLocationLink, ZoneSuggestion } from '#contract/curb-payment-links.ts'
import type { PaymentLocation } from '#contract/curb-payments.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import type { Store } from '#server/stores/state.ts'
import { type LinkableZones, readLinkableZones, findZoneWithId, findZonesNear } from './linkable-zones.ts'
import { listLocations } from './locations.ts'

/** Zones within this distance are suggested. */
const maxMeters = 60
const maxSuggestions = 3
/** Clear means at most `clearMeters` to the zone, and at least `clearMarginMeters` more to the next. */
const clearMeters = 15
const clearMarginMeters = 4

const sideLetters: Readonly<Record<string, string>> = { north: 'N', south: 'S', east: 'E', west: 'W' }

/** Finds the side of the street in a name such as `5th St, north side` or `5th St (NE)`; null if none. */
export function findSideInName(name: string): string | null {
  const match =
    /\b(north|south|east|west|n|s|e|w)-?(east|west|e|w)?\.?\s+side\b/i.exec(name) ??
    /\(\s*(north|south|east|west|n|s|e|w)-?(east|west|e|w)?\s*\)/i.exec(name)
  if (!match) return null
  const [, first, second] = match
  return [first, second]
    .map((word) => (word === undefined ? '' : (sideLetters[word.toLowerCase()] ?? word.toUpperCase())))
    .join('')
}

/** Suggests zones for a location: the zone with its id, then zones on the side in its name, then the nearest. */
export function suggestZones(
  linkable: LinkableZones,
  { location_id: id, name, lon, lat }: Pick<PaymentLocation, 'location_id' | 'name' | 'lon' | 'lat'>,
): ZoneSuggestion[] {
  const isPlaced = lon !== null && lat !== null
  const sameId = linkable.zones.get(findZoneWithId(linkable, id) ?? '')
  const side = findSideInName(name)
  const nearbyZones = (isPlaced ? findZonesNear(linkable, [lon, lat], maxMeters) : []).filter(
    ({ zone }) => zone.id !== sameId?.id,
  )
  // If the name contains a side, zones on that side precede nearer ones, which are across the street.
  const ranked = nearbyZones
    .map((candidate) => ({ ...candidate, isOnSide: side !== null && candidate.zone.side === side }))
    .toSorted((a, b) => Number(b.isOnSide) - Number(a.isOnSide))
  const suggestions = ranked.map(({ zone, meters, isOnSide }, index): ZoneSuggestion => {
    const nextZone = ranked[index + 1]
    const isBest = index === 0 && sameId === undefined
    const isAlone =
      !nextZone || nextZone.meters - meters >= clearMarginMeters || (isOnSide && !nextZone.isOnSide)
    return {
      curb_zone_id: zone.id,
      zone_name: zone.label,
      meters: Math.round(meters * 10) / 10,
      reason: isOnSide ? 'side' : 'near',
      is_clear: isBest && isAlone && meters <= clearMeters,
    }
  })
  const suggestionById: ZoneSuggestion[] = sameId
    ? [
        {
          curb_zone_id: sameId.id,
          zone_name: sameId.label,
          meters: isPlaced
            ? Math.round(measureDistanceToGeometry([lon, lat], sameId.geometry) * 10) / 10
            : null,
          reason: 'id',
          is_clear: true,
        },
      ]
    : []
  return [...suggestionById, ...suggestions].slice(0, maxSuggestions)
}

/** Lists all locations of a region with their zones and suggestions. */
export async function listLocationLinks(
  store: Store,
  regionId: string,
  at: Date,
): Promise<{ items: PaymentLocationLink[] }> {
  const [locations, linkable] = await Promise.all([
    listLocations(store, regionId),
    readLinkableZones(store, regionId, at),
  ])
  return {
    items: locations.map((location) => {
      const zone = linkable.zones.get(location.curb_zone_id ?? '')
      const { lon, lat } = location
      return {
        ...location,
        zone_name: zone?.label ?? location.curb_zone_id,
        meters:
          zone && lon !== null && lat !== null
            ? Math.round(measureDistanceToGeometry([lon, lat], zone.geometry) * 10) / 10
            : null,
        suggestions: suggestZones(linkable, location),
      }
    }),
  }
}
