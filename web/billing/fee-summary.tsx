import { SegmentedControl, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FeeForecast, forecastFees, getFeeSummary, type MonthFees } from '#contract/fees.ts'
import { type Operator, operatorName } from '#contract/operators.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { ChartPanel } from '#web/charts/chart-panel.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { type Metric, MetricTile } from '#web/kit/metric-tile.tsx'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { feeMeasures, type FeeMeasure, readInvoicingSearch } from './invoicing-search.ts'
import styles from './fees.module.css'

const pollMs = 15_000
/** Number of months shown, including the current one. */
const shownMonths = 12

const sumFees = (rows: readonly MonthFees[], measure: FeeMeasure): number =>
  rows.reduce((sum, row) => sum + Number(row[measure]), 0)
/** Amounts from this size on are shown without cents; the totals of the table have them. */
const roundedFrom = 100_000
const formatRounded = (amount: number, currency: string, language: string): string =>
  Math.abs(amount) < roundedFrom
    ? formatMoney(amount, currency)
    : new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
        amount,
      )

const getOperatorName = (slug: string, operators: readonly Operator[] | undefined): string =>
  operators ? operatorName(slug, operators) : slug

/**
 * Fees by month, operator and policy: what accrued in the past twelve months, how much of it was invoiced and
 * paid, and the forecast for the current month.
 */
export function FeeSummary({ today }: { today: LocalDay }) {
  const { t } = useTranslation()
  const { regionId, currencyCode: currency } = useRegion()
  const params = { region_id: regionId }
  const operators = useOperators(regionId).data?.items
  const period = { start_date: startOfMonth(today, shownMonths - 1), end_date: today }
  const summary = useEndpointQuery(
    getFeeSummary,
    { params, query: period },
    {
      refetchInterval: ({ state: { data } }) =>
        data && !data.months.length && data.pending_days ? pollMs : false,
    },
  )
  const forecast = useEndpointQuery(forecastFees, { params, query: {} })
  return (
    <Loaded
      query={summary}
      skeleton={<Skeleton height={420} />}
      isEmpty={({ months }) => months.length === 0}
      empty={
        summary.data?.pending_days ? (
          <EmptyState title={t('billing:summary.computing')}>
            {t('billing:summary.computingText', { count: summary.data.pending_days })}
          </EmptyState>
        ) : (
          <EmptyState title={t('billing:summary.empty')}>{t('billing:summary.emptyText')}</EmptyState>
        )
      }
    >
      {({ months: rows, unfinished_month: unfinishedMonth, pending_days: pending }) => {
        // Older invoices in another currency are listed but not added up.
        const months = rows.filter((row) => row.currency === currency)
        const labels = Array.from({ length: shownMonths }, (_, index) =>
          startOfMonth(today, shownMonths - 1 - index),
        )
        return (
          <div className={styles['stack']}>
            {pending > 0 ? (
              <p role="status" className={styles['note']}>
                {t('billing:summary.pending', { count: pending })}
              </p>
            ) : null}
            <FeeTiles months={months} labels={labels} forecast={forecast.data?.operators} />
            <FeeChart
              months={months}
              labels={labels}
              unfinishedMonth={unfinishedMonth}
              operators={operators}
            />
            <FeeTable rows={rows} months={months} operators={operators} />
          </div>
        )
      }}
    </Loaded>
  )
}

interface FeesProps {
  /** Fees in the currency of the region. */
  months: readonly MonthFees[]
  /** The first days of the shown months. */
  labels: readonly LocalDay[]
}

interface FeeTilesProps extends FeesProps {
  /** The forecast for the current month, by operator. */
  forecast: readonly FeeForecast[] | undefined
}

/** The current month, its forecast, and the sums of the year. */
function FeeTiles({ months, labels, forecast }: FeeTilesProps) {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency } = useRegion()
  const formatAmount = (amount: number | null): string => formatMoney(amount, currency)
  const formatTileAmount = (amount: number): string => formatRounded(amount, currency, i18n.language)
  const accruedByMonth = labels.map((month) =>
    sumFees(
      months.filter((row) => row.month === month),
      'accrued',
    ),
  )
  const sumForecast = (key: 'expected' | 'low' | 'high'): number | null =>
    forecast ? forecast.reduce((sum, entry) => sum + Number(entry[key]), 0) : null
  const tiles: Metric[] = [
    {
      label: t('billing:summary.accrued'),
      value: accruedByMonth.at(-1) ?? 0,
      format: formatTileAmount,
      unit: '',
      definition: t('billing:summary.accruedText'),
      history: accruedByMonth,
    },
    {
      label: t('billing:summary.expected'),
      value: sumForecast('expected'),
      format: formatTileAmount,
      unit: '',
      definition: t('billing:summary.expectedText', {
        low: formatAmount(sumForecast('low')),
        high: formatAmount(sumForecast('high')),
      }),
      missingReason: t('billing:summary.noForecast'),
    },
    ...feeMeasures.map((feeMeasure): Metric => ({
      label: t(`billing:summary.year.${feeMeasure}`),
      value: sumFees(months, feeMeasure),
      format: formatTileAmount,
      unit: '',
      definition: t(`billing:summary.yearText.${feeMeasure}`),
    })),
  ]
  return (
    <div className={styles['tiles']}>
      {tiles.map((metric) => (
        <MetricTile key={metric.label} metric={metric} />
      ))}
    </div>
  )
}

interface FeeChartProps extends FeesProps {
  unfinishedMonth: LocalDay | null
  operators: readonly Operator[] | undefined
}

/** One measure by month and operator. */
function FeeChart({ months, labels, unfinishedMonth, operators }: FeeChartProps) {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency } = useRegion()
  const { search, push } = useSearchState(readInvoicingSearch)
  const measure = search.measure ?? 'accrued'
  const shownOperators = [...new Set(months.map(({ operator }) => operator))]
  return (
    <div className={styles['chart']}>
      <SegmentedControl
        className={styles['measure'] ?? ''}
        aria-label={t('billing:summary.measures')}
        value={measure}
        data={feeMeasures.map((value) => ({ value, label: t(`billing:summary.measure.${value}`) }))}
        onChange={(value) => push({ measure: feeMeasures.find((feeMeasure) => feeMeasure === value) })}
      />
      <ChartPanel
        title={t(`billing:summary.chart.${measure}`)}
        context={
          unfinishedMonth === null
            ? ''
            : t('billing:summary.unfinished', { month: formatMonth(unfinishedMonth, i18n.language, 'short') })
        }
        unit={{ name: currency, format: (amount) => formatMoney(amount, currency) }}
        fileName={`fees-${measure}-by-month`}
        chart={{
          kind: 'stacked-bar',
          axis: {
            title: t('billing:summary.month'),
            labels: labels.map((month) => formatMonth(month, i18n.language, 'short')),
            inProgressIndex: unfinishedMonth === null ? undefined : labels.indexOf(unfinishedMonth),
          },
          series: shownOperators.map((slug) => ({
            key: slug,
            name: getOperatorName(slug, operators),
            color: operators?.find((operator) => operator.slug === slug)?.colorHex,
            values: labels.map((month) =>
              sumFees(
                months.filter((row) => row.month === month && row.operator === slug),
                measure,
              ),
            ),
          })),
        }}
      />
    </div>
  )
}

interface FeeTableProps extends Pick<FeesProps, 'months'> {
  /** All fees, also in other currencies. */
  rows: readonly MonthFees[]
  operators: readonly Operator[] | undefined
}

/** The fees by month, operator and policy, with totals in the currency of the region. */
function FeeTable({ rows, months, operators }: FeeTableProps) {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency } = useRegion()
  return (
    <Table<MonthFees>
      label={t('billing:summary.table')}
      rows={rows}
      rowKey={(row) =>
        [row.month, row.operator, row.constant_policy_uuid, row.policy_name, row.currency].join(' ')
      }
      defaultSort="-month"
      pageSize={50}
      fileName="fees-by-month-operator-and-policy"
      columns={[
        column('month', t('billing:summary.month'), ({ month }) => month, {
          renderCell: ({ month }) => formatMonth(month, i18n.language, 'short'),
        }),
        column('operator', t('billing:summary.operator'), ({ operator }) =>
          getOperatorName(operator, operators),
        ),
        column('policy', t('billing:summary.policy'), (row) => row.policy_name),
        ...feeMeasures.map((feeMeasure) =>
          column(
            feeMeasure,
            t(`billing:summary.measure.${feeMeasure}`),
            (row: MonthFees) => Number(row[feeMeasure]),
            {
              renderCell: (row: MonthFees) => formatMoney(Number(row[feeMeasure]), row.currency),
              isNumber: true,
              width: 130,
            },
          ),
        ),
        column('currency', t('billing:summary.currency'), (row) => row.currency, { isHidden: true }),
      ]}
      totals={{
        month: t('billing:summary.total'),
        ...Object.fromEntries(
          feeMeasures.map((feeMeasure) => [feeMeasure, formatMoney(sumFees(months, feeMeasure), currency)]),
        ),
      }}
    />
  )
}
