import type { ExpressionSpecification } from 'maplibre-gl'

/** A width that grows with the zoom as the ground does, through the given zoom and value pairs. */
export const byZoom = (...stops: [zoom: number, value: number][]): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as ExpressionSpecification
