import type { PublicGeography } from '#contract/public-policies.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { MapLayer } from '#web/map/map-layer.ts'

const ofType = (type: 'Point' | 'Polygon') => ['==', ['geometry-type'], type] as never

/** Published geographies as they were frozen; nothing on them answers a pointer, the list does. */
export function publicAreasLayer(geographies: readonly PublicGeography[], scheme: Scheme): MapLayer {
  const { teal } = tokens[scheme]
  const features = geographies.flatMap(({ geometries }) =>
    geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  )
  return {
    sources: { 'public-areas': { type: 'geojson', data: { type: 'FeatureCollection', features } as never } },
    drawings: [
      {
        id: 'public-fill',
        type: 'fill',
        source: 'public-areas',
        filter: ofType('Polygon'),
        paint: { 'fill-color': teal, 'fill-opacity': 0.25 },
      },
      {
        id: 'public-line',
        type: 'line',
        source: 'public-areas',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': teal, 'line-width': 1.5 },
      },
      {
        id: 'public-point',
        type: 'circle',
        source: 'public-areas',
        filter: ofType('Point'),
        paint: { 'circle-color': teal, 'circle-radius': 5 },
      },
    ],
    labels: [],
    touch: null,
    states: new Map(),
  }
}
