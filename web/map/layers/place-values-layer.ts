import type { ExpressionSpecification } from 'maplibre-gl'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import type { MapLayer } from '../map-layer.ts'
import { noDataState, shapeStates, zeroState } from './shape-states.ts'
import type { ShapeBin } from './shape-values.ts'

/** A place with a value, such as a station. */
export interface ValuedPlace {
  id: string
  lon: number
  lat: number
}

const source = 'valued-places'
const bin: ExpressionSpecification = ['coalesce', ['feature-state', 'bin'], noDataState]
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false]
const isRaised: ExpressionSpecification = ['any', ['boolean', ['feature-state', 'hover'], false], isSelected]

/** Places as circles in the color of their value. */
export function placeValuesLayer(
  places: readonly ValuedPlace[],
  binById: ReadonlyMap<string, ShapeBin>,
  colors: readonly string[],
  scheme: Scheme,
): MapLayer {
  const palette = dataColors[scheme]
  const color = [
    'match',
    bin,
    ...colors.flatMap((binColor, index) => [index, binColor]),
    zeroState,
    palette.halo,
    palette.noData,
  ] as unknown as ExpressionSpecification
  return {
    sources: {
      [source]: {
        type: 'geojson',
        promoteId: 'id',
        data: {
          type: 'FeatureCollection',
          features: places.map(({ id, lon, lat }) => ({
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [lon, lat] },
            properties: { id },
          })),
        },
      },
    },
    drawings: [
      {
        id: source,
        type: 'circle',
        source,
        paint: {
          'circle-color': color,
          'circle-radius': ['case', isRaised, 10, 7],
          'circle-stroke-color': ['case', isSelected, palette.selected, palette.outline],
          'circle-stroke-width': ['case', isRaised, 2.5, 1.5],
        },
      },
    ],
    labels: [],
    pointerTarget: { source, sourceLayer: null, idProperty: 'id', drawings: [source] },
    states: shapeStates(binById),
  }
}
