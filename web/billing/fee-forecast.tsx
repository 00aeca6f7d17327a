import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FeeForecast, forecastFees } from '#contract/fees.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from './fees.module.css'

interface Props {
  constantPolicyId: string
  operatorName: (slug: string) => string
}

/** The fees of a published policy this month, by operator: accrued so far, and expected for all of it. */
export function PolicyForecast({ constantPolicyId, operatorName }: Props) {
  const { t } = useTranslation()
  const { regionId, currencyCode: currency } = useRegion()
  const forecast = useEndpointQuery(forecastFees, {
    params: { region_id: regionId },
    query: { constant_policy_uuid: constantPolicyId },
  })
  const formatAmount = (amount: string | number): string => formatMoney(Number(amount), currency)
  const moneyColumn = (key: 'accrued' | 'expected' | 'low' | 'high') =>
    column(key, t(`billing:forecast.${key}`), (row: FeeForecast) => Number(row[key]), {
      renderCell: (row: FeeForecast) => formatAmount(row[key]),
      isNumber: true,
    })
  return (
    <Loaded
      query={forecast}
      skeleton={<Skeleton height={160} />}
      isEmpty={({ operators }) => operators.length === 0}
      empty={<EmptyState title={t('billing:forecast.empty')}>{t('billing:forecast.emptyText')}</EmptyState>}
    >
      {({ operators }) => {
        const formatTotal = (key: 'accrued' | 'expected' | 'low' | 'high'): string =>
          formatAmount(operators.reduce((sum, forecast) => sum + Number(forecast[key]), 0))
        return (
          <div className={styles['stack']}>
            <Table<FeeForecast>
              label={t('billing:forecast.title')}
              rows={operators}
              rowKey={({ operator }) => operator}
              columns={[
                column('operator', t('billing:summary.operator'), ({ operator }) => operatorName(operator)),
                moneyColumn('accrued'),
                moneyColumn('expected'),
                moneyColumn('low'),
                moneyColumn('high'),
              ]}
              totals={{
                operator: t('billing:summary.total'),
                accrued: formatTotal('accrued'),
                expected: formatTotal('expected'),
                low: formatTotal('low'),
                high: formatTotal('high'),
              }}
            />
            <p className={styles['note']}>{t('billing:forecast.method')}</p>
          </div>
        )
      }}
    </Loaded>
  )
}
