import { dataColors, tokens } from '#web/kit/theme.ts'
import type { FleetCluster, FleetPoints, StationMark } from './fleet-points.ts'
import { toRgba } from './colors.ts'

/** Depth test that always passes: the opaque basemap writes depth, and its fills would hide the overlay. */
export const flatDepth = { depthCompare: 'always' as const, depthWriteEnabled: false }

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
  getLineColor: toRgba(dataColors[scheme].halo, 230),
  parameters: flatDepth,
})

/** Returns a ring around the selected vehicle. */
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
  getLineColor: toRgba(dataColors[scheme].selected),
  parameters: flatDepth,
})

/** Radius in pixels, which grows with the logarithm of the count. */
export const clusterRadiusPx = (count: number): number => Math.min(30, 11 + 4.5 * Math.log10(count))

/** Formats 1,234 as 1.2k to fit into the mark; from 9,950 on without a decimal, which would read 10.0k. */
export function formatClusterCount(count: number): string {
  if (count < 1000) return String(count)
  return `${count < 9950 ? Math.round(count / 100) / 10 : Math.round(count / 1000)}k`
}

const toPosition = ({ lon, lat }: FleetCluster): [number, number] => [lon, lat]

/** Clusters of vehicles as circles. */
export const clustersLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'clusters',
  data: [...clusters],
  getPosition: toPosition,
  radiusUnits: 'pixels' as const,
  getRadius: ({ count }: FleetCluster): number => clusterRadiusPx(count),
  // Opaque, so that the number of a station below does not show through.
  getFillColor: ({ parts }: FleetCluster) => toRgba(parts ? tokens[scheme].panel : tokens[scheme].teal),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 2,
  getLineColor: toRgba(dataColors[scheme].halo, 200),
  parameters: flatDepth,
})

/** Number of vehicles of each cluster. */
export const clusterTextLayer = ({ scheme, clusters }: FleetPoints) => ({
  id: 'cluster-counts',
  data: [...clusters],
  getPosition: toPosition,
  getText: ({ count }: FleetCluster): string => formatClusterCount(count),
  getSize: 12,
  getColor: ({ parts }: FleetCluster) => toRgba(parts ? tokens[scheme].ink : tokens[scheme].onTeal),
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontWeight: 650,
  characterSet: '0123456789.k',
  parameters: flatDepth,
})

/** Half the width of a station square in pixels. */
export const stationRadiusPx = 10

/** Stations as squares with the number of available vehicles. */
export function stationsLayer({ scheme, stations }: FleetPoints) {
  const { ink, panel } = tokens[scheme]
  return {
    id: 'stations',
    data: [...stations],
    getPosition: ({ lon, lat }: StationMark): [number, number] => [lon, lat],
    getText: ({ text }: StationMark): string => text.padStart(2, ' '),
    getSize: 11,
    getColor: ({ isEmpty }: StationMark) => toRgba(isEmpty ? tokens[scheme].quiet : ink),
    background: true,
    backgroundPadding: [4, 3] as [number, number],
    backgroundBorderRadius: 2,
    getBackgroundColor: toRgba(panel, 240),
    getBorderColor: ({ isEmpty }: StationMark) =>
      toRgba(isEmpty ? dataColors[scheme].noData : dataColors[scheme].outline),
    getBorderWidth: 1.5,
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontWeight: 650,
    characterSet: ' 0123456789',
    parameters: flatDepth,
  }
}
