import { dataColours, tokens } from '#web/kit/theme.ts'
import type { FleetCluster, FleetPoints } from './fleet-points.ts'
import { flat } from './flat.ts'
import { rgbaOf } from './rgba-of.ts'

/** Pixels; grows with the number, slowly. */
export const clusterRadius = (count: number): number => Math.min(30, 11 + 4.5 * Math.log10(count))

/** 1,234 is 1.2k: it must fit into the mark. */
export const clusterText = (count: number): string =>
  count < 1000
    ? String(count)
    : count < 9950
      ? `${(Math.round(count / 100) / 10).toString()}k`
      : `${Math.round(count / 1000)}k`

const placeOf = ({ lon, lat }: FleetCluster): [number, number] => [lon, lat]

/** Vehicles that stand together as one mark. */
export const clustersLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'clusters',
  data: [...clusters],
  getPosition: placeOf,
  radiusUnits: 'pixels' as const,
  getRadius: ({ count }: FleetCluster): number => clusterRadius(count),
  // Opaque: a station under it would show its number through this one.
  getFillColor: rgbaOf(tokens[scheme].teal),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 2,
  getLineColor: rgbaOf(dataColours[scheme].halo, 200),
  parameters: flat,
})

/** How many they are. */
export const clusterTextLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'cluster-counts',
  data: [...clusters],
  getPosition: placeOf,
  getText: ({ count }: FleetCluster): string => clusterText(count),
  getSize: 12,
  getColor: rgbaOf(tokens[scheme].onTeal),
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontWeight: 650,
  characterSet: '0123456789.k',
  parameters: flat,
})
