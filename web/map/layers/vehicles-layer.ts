import { dataColors } from '#web/kit/theme.ts'
import type { FleetPoints } from './fleet-points.ts'
import { flatDepth } from './flat.ts'
import { rgbaOf } from './rgba-of.ts'

export const vehicleRadiusPx = 5

/** Vehicles as dots. The arrays are passed to the GPU without a callback per vehicle. */
export const vehiclesLayer = ({ scheme, count, positions, colors }: FleetPoints) => ({
  id: 'vehicles',
  data: {
    length: count,
    attributes: { getPosition: { value: positions, size: 2 }, getFillColor: { value: colors, size: 4 } },
  },
  radiusUnits: 'pixels' as const,
  getRadius: vehicleRadiusPx,
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 1,
  getLineColor: rgbaOf(dataColors[scheme].halo, 230),
  parameters: flatDepth,
})

/** A ring around the selected vehicle. */
export const selectedLayer = ({ scheme, selected }: FleetPoints) => ({
  id: 'selected-vehicle',
  data: selected ? [selected] : [],
  getPosition: ({ lon, lat }: { lon: number; lat: number }): [number, number] => [lon, lat],
  radiusUnits: 'pixels' as const,
  getRadius: vehicleRadiusPx + 5,
  filled: false,
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 3,
  getLineColor: rgbaOf(dataColors[scheme].selected),
  parameters: flatDepth,
})
