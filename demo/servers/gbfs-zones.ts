import { toDegrees } from '../plane/to-degrees.ts'
import { attractors } from '../trips/attractors.ts'

const corners = 24

/** Where and how one may ride. */
const rules: Readonly<Record<string, { name: string; rule: Record<string, unknown> }>> = {
  Waterfront: {
    name: 'Slow zone',
    rule: {
      ride_start_allowed: true,
      ride_end_allowed: true,
      ride_through_allowed: true,
      maximum_speed_kph: 12,
    },
  },
  'Old Port market': {
    name: 'No parking',
    rule: { ride_start_allowed: true, ride_end_allowed: false, ride_through_allowed: true },
  },
  'Ocean beach': {
    name: 'Slow zone',
    rule: {
      ride_start_allowed: true,
      ride_end_allowed: true,
      ride_through_allowed: true,
      maximum_speed_kph: 15,
    },
  },
  'Seabright pier': {
    name: 'No riding',
    rule: { ride_start_allowed: false, ride_end_allowed: false, ride_through_allowed: false },
  },
}

/** Geofencing zones around places that draw people, as GBFS 3.0 writes them. */
export const gbfsZones = (
  { lon0, lat0 }: { lon0: number; lat0: number },
  language: string,
): Record<string, unknown> => ({
  geofencing_zones: {
    type: 'FeatureCollection',
    features: attractors.flatMap(({ name, at: [x, y], radius }) => {
      const zone = rules[name]
      if (!zone) return []
      const ring = Array.from({ length: corners + 1 }, (_, i) => {
        const angle = (2 * Math.PI * (i % corners)) / corners
        return toDegrees(lon0, lat0, [x + Math.cos(angle) * radius * 0.4, y + Math.sin(angle) * radius * 0.4])
      })
      return [
        {
          type: 'Feature',
          geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
          properties: { name: [{ text: `${zone.name}: ${name}`, language }], rules: [zone.rule] },
        },
      ]
    }),
  },
  global_rules: [{ ride_start_allowed: true, ride_end_allowed: true, ride_through_allowed: true }],
})
