import { Text } from '@mantine/core'
import { IconCoinOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { type OccupancyTargetSummary, type RevenueScenario, rowOutcomes } from '#contract/curb-pricing.ts'
import { toMajor } from '#contract/money.ts'
import { ChartPanel } from '#web/charts/chart-panel.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatMoney, formatNumber } from '#web/kit/format.ts'
import styles from './pricing.module.css'
import { formatPricingCell, formatRateChange } from './pricing-text.ts'

interface Props {
  summary: OccupancyTargetSummary
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>
  regionName: string
}

/** Summary of proposed rows: number and size of changes, blocks within their target, revenue if all pay. */
export function PricingSummary({ summary, regionName }: Props) {
  const { t } = useTranslation()
  const { currency, histogram, targets, limits, outcomes } = summary
  const changesChart = useMemo(
    () => ({
      kind: 'bar' as const,
      axis: {
        title: t('curb:pricing.column.change'),
        labels: histogram.map(({ change }) => formatRateChange(change, currency)),
      },
      series: [
        { key: 'rows', name: t('curb:pricing.summary.rows'), values: histogram.map(({ rows }) => rows) },
      ],
    }),
    [histogram, currency, t],
  )
  const targetsChart = useMemo(
    () => ({
      kind: 'stacked-bar' as const,
      axis: {
        title: t('curb:pricing.column.band'),
        labels: targets.map((target) => formatPricingCell(t, target)),
      },
      series: (['under', 'in', 'over'] as const).map((key) => ({
        key,
        name: t(`curb:pricing.summary.${key}`),
        values: targets.map((target) => target[key]),
      })),
    }),
    [targets, t],
  )
  const rowCount = rowOutcomes.reduce((sum, outcome) => sum + outcomes[outcome], 0)
  const unit = { name: t('curb:pricing.summary.unit'), format: formatInteger }
  return (
    <section className={styles['summary']} aria-labelledby="pricing-summary">
      <div>
        <h2 id="pricing-summary">{t('curb:pricing.summary.title')}</h2>
        <Text size="sm" c="dimmed">
          {t('curb:pricing.summary.context', { rows: formatInteger(rowCount) })}
        </Text>
      </div>
      <dl className={styles['tiles']}>
        {rowOutcomes.map((outcome) => (
          <div key={outcome} className={styles['tile']}>
            <dt>{t(`curb:pricing.outcome.${outcome}`)}</dt>
            <dd>{formatInteger(outcomes[outcome])}</dd>
          </div>
        ))}
      </dl>
      {limits.length ? (
        <Text size="sm" c="dimmed">
          {t('curb:pricing.summary.limits', {
            list: limits
              .map(({ limit, rows }) =>
                t('curb:pricing.summary.limit', {
                  limit: t(`curb:pricing.limit.${limit}`),
                  rows: formatInteger(rows),
                }),
              )
              .join(' · '),
          })}
        </Text>
      ) : null}
      {rowCount > outcomes.refused ? (
        <>
          <div className={styles['pair']}>
            <ChartPanel
              title={t('curb:pricing.summary.histogram')}
              context={regionName}
              unit={unit}
              chart={changesChart}
              fileName="curb-rate-changes"
            />
            <ChartPanel
              title={t('curb:pricing.summary.targets')}
              context={regionName}
              unit={unit}
              chart={targetsChart}
              fileName="curb-occupancy-targets"
            />
          </div>
          <Revenue revenue={summary.revenue} currency={currency} />
        </>
      ) : (
        <EmptyState title={t('curb:pricing.summary.none')} icon={<IconCoinOff />}>
          {t('curb:pricing.summary.noneText')}
        </EmptyState>
      )}
    </section>
  )
}

/** Weekly revenue before and after the change, in units without decimals, with the assumptions. */
export function Revenue({ revenue, currency }: { revenue: RevenueScenario; currency: string }) {
  const { t } = useTranslation()
  const formatMajor = (value: number): string =>
    formatMoney(Math.round(toMajor(value, currency)), currency, undefined, 0)
  return (
    <section aria-labelledby="revenue-scenario">
      <Text id="revenue-scenario" fw={600}>
        {t('curb:pricing.revenue.title')}
      </Text>
      <Text>
        {t('curb:pricing.revenue.values', {
          before: formatMajor(revenue.before),
          after: formatMajor(revenue.after),
          low: formatMajor(revenue.low),
          high: formatMajor(revenue.high),
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('curb:pricing.revenue.assumption', {
          elasticity: formatNumber(revenue.elasticity, 2),
          rows: formatInteger(revenue.rows),
        })}
      </Text>
    </section>
  )
}
