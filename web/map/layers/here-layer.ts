import { dataColours, tokens } from '#web/kit/theme.ts'
import type { FleetPoints, Here } from './fleet-points.ts'
import { flat } from './flat.ts'
import { rgbaOf } from './rgba-of.ts'

const placeOf = ({ lon, lat }: Here): [number, number] => [lon, lat]

/** The circle in which the viewer is somewhere. */
export const hereCircleLayer = ({ scheme, here }: FleetPoints) => ({
  id: 'here-circle',
  data: here ? [here] : [],
  getPosition: placeOf,
  radiusUnits: 'meters' as const,
  getRadius: ({ accuracy }: Here): number => accuracy,
  getFillColor: rgbaOf(tokens[scheme].brightTeal, 40),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 1.5,
  getLineColor: rgbaOf(tokens[scheme].brightTeal, 180),
  parameters: flat,
})

/** Where the viewer is: a dot with a wide rim, unlike any vehicle. */
export const hereLayer = ({ scheme, here }: FleetPoints) => ({
  id: 'here',
  data: here ? [here] : [],
  getPosition: placeOf,
  radiusUnits: 'pixels' as const,
  getRadius: 9,
  getFillColor: rgbaOf(tokens[scheme].brightTeal),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 4,
  getLineColor: rgbaOf(dataColours[scheme].halo),
  parameters: flat,
})
