import { dataColors, tokens } from '#web/kit/theme.ts'
import type { FleetCluster, FleetPoints } from './fleet-points.ts'
import { flatDepth } from './flat.ts'
import { rgbaOf } from './rgba-of.ts'

/** Radius in pixels, which grows with the logarithm of the count. */
export const clusterRadiusPx = (count: number): number => Math.min(30, 11 + 4.5 * Math.log10(count))

/** Formats 1,234 as 1.2k to fit into the mark. */
export const formatClusterCount = (count: number): string =>
  count < 1000
    ? String(count)
    : count < 9950
      ? `${(Math.round(count / 100) / 10).toString()}k`
      : `${Math.round(count / 1000)}k`

const toPosition = ({ lon, lat }: FleetCluster): [number, number] => [lon, lat]

/** Clusters of vehicles as circles. */
export const clustersLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'clusters',
  data: [...clusters],
  getPosition: toPosition,
  radiusUnits: 'pixels' as const,
  getRadius: ({ count }: FleetCluster): number => clusterRadiusPx(count),
  // Opaque, because the number of a station below would shine through.
  getFillColor: rgbaOf(tokens[scheme].teal),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 2,
  getLineColor: rgbaOf(dataColors[scheme].halo, 200),
  parameters: flatDepth,
})

/** Number of vehicles of each cluster. */
export const clusterTextLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'cluster-counts',
  data: [...clusters],
  getPosition: toPosition,
  getText: ({ count }: FleetCluster): string => formatClusterCount(count),
  getSize: 12,
  getColor: rgbaOf(tokens[scheme].onTeal),
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontWeight: 650,
  characterSet: '0123456789.k',
  parameters: flatDepth,
})
