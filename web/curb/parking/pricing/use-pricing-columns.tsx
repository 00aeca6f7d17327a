import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow } from '#contract/curb-pricing.ts'
import { toMajor } from '#contract/money.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { formatPercent } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import {
  getRateChange,
  formatRateChange,
  formatLimits,
  formatKeyName,
  formatOccupancy,
  formatRate,
} from './pricing-text.ts'

/** Returns the columns of both modes: place, time and current rate. */
function useCommonColumns<Row extends PricingRow | RateTargetRow>(currency: string): TableColumn<Row>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      column('shape_name', t('curb:pricing.column.shape'), (row) => row.shape_name, { width: 165 }),
      column('band', t('curb:pricing.column.band'), (row) => formatKeyName(t, row.band), { width: 100 }),
      column('day_type', t('curb:pricing.column.dayType'), (row) => formatKeyName(t, row.day_type), {
        width: 100,
      }),
      column(
        'current_rate',
        t('curb:pricing.column.current'),
        (row) => (row.current_rate === null ? null : toMajor(row.current_rate, currency)),
        { renderCell: (row) => formatRate(row.current_rate, currency), isNumber: true, width: 100 },
      ),
    ],
    [t, currency],
  )
}

/** Returns the columns of proposed rates; the step of a row is an index of `parameters.steps`. */
export function usePricingColumns<Row extends PricingRow>(
  currency: string,
  parameters: Pick<PricingParameters, 'steps'>,
): TableColumn<Row>[] {
  const { t, i18n } = useTranslation()
  const commonColumns = useCommonColumns<Row>(currency)
  const { steps } = parameters
  return useMemo(
    () => [
      ...commonColumns,
      column('occupancy', t('curb:pricing.column.occupancy'), (row) => row.occupancy, {
        renderCell: (row) => formatOccupancy(t, row),
        isNumber: true,
        width: 150,
      }),
      column(
        'proposed_rate',
        t('curb:pricing.column.proposed'),
        (row) => (row.proposed_rate === null ? null : toMajor(row.proposed_rate, currency)),
        { renderCell: (row) => formatRate(row.proposed_rate, currency), isNumber: true, width: 105 },
      ),
      column(
        'change',
        t('curb:pricing.column.change'),
        (row) => {
          const change = getRateChange(row)
          return change === null ? null : toMajor(change, currency)
        },
        { renderCell: (row) => formatRateChange(getRateChange(row), currency), isNumber: true, width: 90 },
      ),
      column('limits', t('curb:pricing.column.limits'), (row) => formatLimits(t, row.limits), {
        canSort: false,
        renderCell: (row) => formatLimits(t, row.limits),
        width: 160,
      }),
      column(
        'step',
        t('curb:pricing.column.step'),
        (row) => {
          const step = row.step === null ? undefined : steps[row.step]
          if (!step) return null
          return `${formatPercent(step.from)}${step.until === null ? '+' : `–${formatPercent(step.until)}`}`
        },
        { canSort: false, width: 120, isHidden: true },
      ),
      column('days', t('curb:pricing.column.days'), (row) => row.days, { isNumber: true, width: 90 }),
      column('coverage', t('curb:pricing.column.coverage'), (row) => row.coverage, {
        renderCell: (row) => formatPercent(row.coverage),
        isNumber: true,
        width: 105,
      }),
      column('capacity', t('curb:pricing.column.capacity'), (row) => row.capacity, {
        canSort: false,
        isNumber: true,
        width: 90,
        isHidden: true,
      }),
      column('last_change', t('curb:pricing.column.lastChange'), (row) => row.last_change, {
        canSort: false,
        renderCell: (row) =>
          row.last_change === null ? '' : formatMediumDay(row.last_change, i18n.language),
        width: 120,
        isHidden: true,
      }),
    ],
    [commonColumns, t, i18n.language, currency, steps],
  )
}

/** Returns the columns of a scenario. */
export function useScenarioColumns(currency: string): TableColumn<RateTargetRow>[] {
  const { t } = useTranslation()
  const commonColumns = useCommonColumns<RateTargetRow>(currency)
  return useMemo(
    () => [
      ...commonColumns,
      column(
        'new_rate',
        t('curb:pricing.column.new'),
        (row) => (row.new_rate === null ? null : toMajor(row.new_rate, currency)),
        { renderCell: (row) => formatRate(row.new_rate, currency), isNumber: true, width: 110 },
      ),
      column('occupancy', t('curb:pricing.column.occupancy'), (row) => row.occupancy, {
        renderCell: (row) => formatOccupancy(t, { ...row, interval: null }),
        isNumber: true,
        width: 150,
      }),
      column('expected', t('curb:pricing.column.expected'), (row) => row.expected, {
        renderCell: (row) =>
          row.expected === null
            ? formatLimits(t, row.limits)
            : t('curb:pricing.scenario.range', {
                value: formatPercent(row.expected),
                low: formatPercent(row.low),
                high: formatPercent(row.high),
              }),
        isNumber: true,
        width: 190,
      }),
    ],
    [commonColumns, t, currency],
  )
}
