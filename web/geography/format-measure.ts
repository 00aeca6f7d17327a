import { formatNumber } from '#web/kit/format.ts'

const squareFeet = 10.763_910_4
const squareMetresPerAcre = 4046.856_422_4
const squareMetresPerSquareMile = 2_589_988.110_336

/** Square metres in the region's units: from 0.1 km² or 10 acres on in the larger of two. */
export function formatArea(squareMetres: number, isMetric: boolean): string {
  if (isMetric)
    return squareMetres < 100_000
      ? `${formatNumber(squareMetres, 0)} m²`
      : `${formatNumber(squareMetres / 1e6, 2)} km²`
  if (squareMetres < squareMetresPerAcre / 4) return `${formatNumber(squareMetres * squareFeet, 0)} ft²`
  return squareMetres < squareMetresPerSquareMile / 10
    ? `${formatNumber(squareMetres / squareMetresPerAcre, 2)} ac`
    : `${formatNumber(squareMetres / squareMetresPerSquareMile, 2)} mi²`
}
