import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow } from '#contract/curb-pricing.ts'
import { toMajor } from '#contract/money.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import {
  changeOf,
  changeText,
  dayText,
  limitText,
  nameOfKey,
  occupancyText,
  rateText,
} from './pricing-text.ts'

/** Columns that both modes have: the place, the time and the rate in force. */
function useCommonColumns<Row extends PricingRow | RateTargetRow>(currency: string): TableColumn<Row>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        key: 'shape_name',
        title: t('curb:pricing.column.shape'),
        width: 165,
        value: (row) => row.shape_name,
      },
      {
        key: 'band',
        title: t('curb:pricing.column.band'),
        value: (row) => nameOfKey(t, row.band),
        width: 110,
      },
      {
        key: 'day_type',
        title: t('curb:pricing.column.dayType'),
        value: (row) => nameOfKey(t, row.day_type),
        width: 110,
      },
      {
        key: 'current_rate',
        title: t('curb:pricing.column.current'),
        value: (row) => (row.current_rate === null ? null : toMajor(row.current_rate, currency)),
        renderCell: (row) => rateText(row.current_rate, currency),
        isNumber: true,
        width: 110,
      },
    ],
    [t, currency],
  )
}

/** Columns of proposed rates. */
export function usePricingColumns<Row extends PricingRow>(
  currency: string,
  parameters: Pick<PricingParameters, 'steps'>,
): TableColumn<Row>[] {
  const { t, i18n } = useTranslation()
  const common = useCommonColumns<Row>(currency)
  const { steps } = parameters
  return useMemo(
    () => [
      ...common,
      {
        key: 'occupancy',
        title: t('curb:pricing.column.occupancy'),
        value: (row) => row.occupancy,
        renderCell: (row) => occupancyText(t, row),
        isNumber: true,
        width: 150,
      },
      {
        key: 'proposed_rate',
        title: t('curb:pricing.column.proposed'),
        value: (row) => (row.proposed_rate === null ? null : toMajor(row.proposed_rate, currency)),
        renderCell: (row) => rateText(row.proposed_rate, currency),
        isNumber: true,
        width: 110,
      },
      {
        key: 'change',
        title: t('curb:pricing.column.change'),
        value: (row) => {
          const change = changeOf(row)
          return change === null ? null : toMajor(change, currency)
        },
        renderCell: (row) => changeText(changeOf(row), currency),
        isNumber: true,
        width: 90,
      },
      {
        key: 'limits',
        title: t('curb:pricing.column.limits'),
        canSort: false,
        value: (row) => limitText(t, row.limits),
        renderCell: (row) => limitText(t, row.limits),
        width: 170,
      },
      {
        key: 'step',
        title: t('curb:pricing.column.step'),
        canSort: false,
        value: (row) => {
          const step = row.step === null ? undefined : steps[row.step]
          if (!step) return null
          return `${formatPercent(step.from)}${step.until === null ? '+' : `–${formatPercent(step.until)}`}`
        },
        width: 120,
        isHidden: true,
      },
      {
        key: 'days',
        title: t('curb:pricing.column.days'),
        value: (row) => row.days,
        renderCell: (row) => formatInteger(row.days),
        isNumber: true,
        width: 120,
      },
      {
        key: 'coverage',
        title: t('curb:pricing.column.coverage'),
        value: (row) => row.coverage,
        renderCell: (row) => formatPercent(row.coverage),
        isNumber: true,
        width: 100,
      },
      {
        key: 'capacity',
        title: t('curb:pricing.column.capacity'),
        canSort: false,
        value: (row) => row.capacity,
        isNumber: true,
        width: 90,
        isHidden: true,
      },
      {
        key: 'last_change',
        title: t('curb:pricing.column.lastChange'),
        canSort: false,
        value: (row) => row.last_change,
        renderCell: (row) => (row.last_change === null ? '' : dayText(row.last_change, i18n.language)),
        width: 120,
        isHidden: true,
      },
    ],
    [common, t, i18n.language, currency, steps],
  )
}

/** Columns of a scenario. */
export function useScenarioColumns(currency: string): TableColumn<RateTargetRow>[] {
  const { t } = useTranslation()
  const common = useCommonColumns<RateTargetRow>(currency)
  return useMemo(
    () => [
      ...common,
      {
        key: 'new_rate',
        title: t('curb:pricing.column.new'),
        value: (row) => (row.new_rate === null ? null : toMajor(row.new_rate, currency)),
        renderCell: (row) => rateText(row.new_rate, currency),
        isNumber: true,
        width: 110,
      },
      {
        key: 'occupancy',
        title: t('curb:pricing.column.occupancy'),
        value: (row) => row.occupancy,
        renderCell: (row) => occupancyText(t, { ...row, interval: null }),
        isNumber: true,
        width: 150,
      },
      {
        key: 'expected',
        title: t('curb:pricing.column.expected'),
        value: (row) => row.expected,
        renderCell: (row) =>
          row.expected === null
            ? limitText(t, row.limits)
            : t('curb:pricing.scenario.range', {
                value: formatPercent(row.expected),
                low: formatPercent(row.low),
                high: formatPercent(row.high),
              }),
        isNumber: true,
        width: 190,
      },
    ],
    [common, t, currency],
  )
}
