import type { Geometry } from '#contract/place.ts'
import { fillOpacity, type Scheme, tokens } from '#web/kit/theme.ts'
import type { MapLayer } from '../map-layer.ts'

const hasGeometryType = (type: 'Point' | 'Polygon') => ['==', ['geometry-type'], type] as never

/** Geometries of any type in one color; they do not react to the pointer. */
export function outlinesLayer(geometries: readonly Geometry[], scheme: Scheme): MapLayer {
  const { teal } = tokens[scheme]
  const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }))
  return {
    sources: { outlines: { type: 'geojson', data: { type: 'FeatureCollection', features } as never } },
    areas: [
      {
        id: 'outlines-fill',
        type: 'fill',
        source: 'outlines',
        filter: hasGeometryType('Polygon'),
        paint: { 'fill-color': teal, 'fill-opacity': fillOpacity.default },
      },
    ],
    drawings: [
      {
        id: 'outlines-line',
        type: 'line',
        source: 'outlines',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': teal, 'line-width': 1.5 },
      },
      {
        id: 'outlines-point',
        type: 'circle',
        source: 'outlines',
        filter: hasGeometryType('Point'),
        paint: { 'circle-color': teal, 'circle-radius': 5 },
      },
    ],
    labels: [],
    pointerTarget: null,
    states: new Map(),
  }
}
