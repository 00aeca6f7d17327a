import { formatNumber } from '#web/kit/format.ts'

const squareFeet = 10.763_910_4
const squareMetersPerAcre = 4046.856_422_4
const squareMetersPerSquareMile = 2_589_988.110_336

/** Formats an area in the region's units; the larger unit is used from 0.1 km² or 10 acres. */
export function formatArea(squareMeters: number, isMetric: boolean): string {
  if (isMetric)
    return squareMeters < 100_000
      ? `${formatNumber(squareMeters, 0)} m²`
      : `${formatNumber(squareMeters / 1e6, 2)} km²`
  if (squareMeters < squareMetersPerAcre / 4) return `${formatNumber(squareMeters * squareFeet, 0)} ft²`
  return squareMeters < squareMetersPerSquareMile / 10
    ? `${formatNumber(squareMeters / squareMetersPerAcre, 2)} ac`
    : `${formatNumber(squareMeters / squareMetersPerSquareMile, 2)} mi²`
}
