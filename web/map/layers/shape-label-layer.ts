import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Scheme } from '#web/kit/theme.ts'
import { basemapPalette } from '../rendering/basemap-palette.ts'
import { byZoom } from '../rendering/style-expressions.ts'
import { fontStack } from '../rendering/fonts.ts'
import type { ShapeLabel } from './shape-values.ts'

const source = 'value-names'

/** Labels from one point per shape. Labels from tiles would repeat in every tile of the shape. */
export const shapeLabelSource = (labels: readonly ShapeLabel[]): Record<string, SourceSpecification> => ({
  [source]: {
    type: 'geojson',
    data: {
      type: 'FeatureCollection',
      features: labels.map(({ name, point, size }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: point },
        properties: { name, size },
      })),
    },
  },
})

/** Larger shapes are labeled first; colliding labels are omitted. */
export function shapeLabels(scheme: Scheme): LayerSpecification[] {
  const colors = basemapPalette[scheme]
  return [
    {
      id: source,
      type: 'symbol',
      source,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': fontStack.medium,
        'text-size': byZoom([9, 10], [12, 11.5], [16, 15]),
        'text-max-width': 7,
        'text-padding': 8,
        'symbol-sort-key': ['-', 0, ['get', 'size']],
      },
      paint: {
        'text-color': colors.text,
        'text-halo-color': colors.textHalo,
        'text-halo-width': 1.6,
        'text-halo-blur': 0.4,
      },
    },
  ]
}
