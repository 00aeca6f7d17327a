import type { MdsGeography } from '#contract/mds-policy.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { MapLayer } from '#web/map/map-layer.ts'

/** Published geographies as they stand in the feed; nothing on them answers a pointer, the list does. */
export function publicAreasLayer(geographies: readonly MdsGeography[], scheme: Scheme): MapLayer {
  const { teal } = tokens[scheme]
  const features = geographies.flatMap(({ geography_json: json }) => featuresOf(json))
  return {
    sources: { 'public-areas': { type: 'geojson', data: { type: 'FeatureCollection', features } as never } },
    drawings: [
      { id: 'public-fill', type: 'fill', source: 'public-areas', paint: { 'fill-color': teal, 'fill-opacity': 0.25 } },
      { id: 'public-line', type: 'line', source: 'public-areas', layout: { 'line-join': 'round' }, paint: { 'line-color': teal, 'line-width': 1.5 } },
    ],
    labels: [], touch: null, states: new Map(),
  }
}

/** GeoJSON of a feed may be a collection, a feature or a bare geometry. */
export function featuresOf(json: Readonly<Record<string, unknown>>): object[] {
  if (json['type'] === 'FeatureCollection') return Array.isArray(json['features']) ? json['features'] : []
  return [json['type'] === 'Feature' ? json : { type: 'Feature', properties: {}, geometry: json }]
}
