import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceMeasure, ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Chart } from '#web/charts/chart.ts'
import { ChartPanel } from '#web/charts/chart-panel.tsx'
import { useOperators } from '#web/filters/use-operators.ts'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { formatNumber } from '#web/kit/format.ts'
import styles from './detail.module.css'
import { measuredSeries } from './measured-series.ts'

interface Props {
  regionId: string
  measure: ComplianceMeasure
  records: readonly ComplianceRecord[]
  days: readonly LocalDay[]
  operatorName: (slug: string) => string
  fileName: string
}

/** Measured values by day, one line per operator, with the limits of the policy. */
export function MeasuredChart({ regionId, measure, records, days, operatorName, fileName }: Props) {
  const { t, i18n } = useTranslation()
  const operators = useOperators(regionId).data?.items
  const measured = useMemo(() => measuredSeries(records, days), [records, days])
  const chart = useMemo((): Chart | null => {
    if (!measured) return null
    return {
      kind: 'line',
      axis: {
        title: t('compliance:records.date'),
        labels: days.map((day) => formatShortDay(day, i18n.language)),
        inProgressIndex: measured.inProgressIndex,
      },
      series: [
        ...measured.operators.map(({ operator, values }) => ({
          key: operator,
          name: operatorName(operator),
          color: operators?.find(({ slug }) => slug === operator)?.colorHex || undefined,
          values,
        })),
        ...measured.limits.map(({ side, values }) => ({
          key: `limit:${side}`,
          name: t(`compliance:chart.${side}`),
          isLimit: true as const,
          values,
        })),
      ],
    }
  }, [measured, days, operators, operatorName, t, i18n.language])
  if (!chart || !measured) return null
  return (
    <section className={styles['part']}>
      <ChartPanel
        title={t('compliance:chart.title')}
        context={measured.hasAreas ? t(`compliance:chart.area.${measured.side}`) : ''}
        unit={{ name: t(`compliance:measures.${measure}.axis`), format: (value) => formatNumber(value, 2) }}
        chart={chart}
        fileName={fileName}
      />
    </section>
  )
}
