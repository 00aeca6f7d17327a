import { findBinIndex, computeQuantileBins } from '#contract/bins.ts'
import { computeBinEnds } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { formatInteger, formatMoney, isMissing, type MaybeNumber } from '#web/kit/format.ts'
import { valueOpacity } from '#web/kit/theme.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'

/** Places colored by an amount, with the legend. */
export interface MoneyBins {
  byId: ReadonlyMap<string, ShapeBin>
  colors: readonly string[]
  legend: LegendRow[]
}

/** Formats an amount for an axis or a legend; integers and amounts from 1000 on have no decimals. */
export const formatScaleMoney = (amount: MaybeNumber, currency: string): string =>
  !isMissing(amount) && (Number.isInteger(amount) || Math.abs(amount) >= 1000)
    ? formatMoney(amount, currency, undefined, 0)
    : formatMoney(amount, currency)

/** Returns the bins of amounts (in major units) by id; the legend starts with the highest bin. */
export function getMoneyBins(
  values: ReadonlyMap<string, number>,
  ramp: readonly string[],
  currency: string,
): MoneyBins {
  const bins = computeQuantileBins([...values.values()])
  const colors = spreadColors(ramp, bins.length)
  const ends = computeBinEnds(bins, false)
  return {
    byId: new Map([...values].map(([id, value]) => [id, findBinIndex(value, bins)])),
    colors,
    legend: bins
      .map((bin, index): LegendRow => {
        const from = formatScaleMoney(ends[index]?.from, currency)
        const to = formatScaleMoney(ends[index]?.to, currency)
        return {
          key: String(index),
          label: from === to ? from : `${from} – ${to}`,
          members: formatInteger(bin.count),
          swatch: { color: colors[index] ?? '', opacity: valueOpacity },
        }
      })
      .toReversed(),
  }
}
