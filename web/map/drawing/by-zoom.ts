import type { ExpressionSpecification } from 'maplibre-gl'

/** Interpolates a width between zoom and value pairs; it grows exponentially, like the map scale. */
export const byZoom = (...stops: [zoom: number, value: number][]): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as ExpressionSpecification
