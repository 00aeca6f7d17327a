import { CloseButton, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxFeeDays, tryFees } from '#contract/fees.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatMoney, formatNumber } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { monthText } from './fee-summary.tsx'
import styles from './fees.module.css'

interface Props {
  region: Region
  /** As it is on the form, saved or not. */
  policy: PolicyFields
  today: LocalDay
  operatorName: (slug: string) => string
  onClose: () => void
}

/** Months that are looked back on without being asked to, besides the one that goes on. */
const usualMonths = 3
/** What is typed is asked for once it has rested so long, ms. */
const restMs = 450

interface Line {
  key: string
  month: LocalDay
  operator: string
  description: string
  quantity: number
  unit: string
  price: string | null
  amount: number
}

/** What a fee policy would have cost in past months, while it is being written. */
export function FeeTryOut({ region, policy, today, operatorName, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency, regionId } = region
  const [period, setPeriod] = useState({ start_date: startOfMonth(today, usualMonths), end_date: today })
  const [rested] = useDebouncedValue(policy, restMs)
  // A name is not needed to compute fees.
  const faults = validatePolicy({ ...policy, policy_name: policy.policy_name || '-' }, { currency })
  const isReady = Object.keys(faults).length === 0
  const answer = useEndpointQuery(
    tryFees,
    { params: { region_id: regionId }, body: { policy: rested, operators: [], ...period } },
    { enabled: isReady && rested === policy, placeholderData: keepPreviousData, staleTime: 60_000 },
  )
  const rows = useMemo(
    () =>
      (answer.data?.months ?? []).flatMap(({ start_date: month, operator, lines }) =>
        lines.map((line, at): Line => ({
          key: `${month} ${operator} ${at}`,
          month,
          operator: operatorName(operator),
          description: line.description,
          quantity: Number(line.quantity),
          unit: line.unit,
          price: line.unit_price,
          amount: Number(line.amount),
        })),
      ),
    [answer.data, operatorName],
  )
  const total = rows.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <section className={styles['panel']} aria-label={t('billing:try.title')}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{t('billing:try.title')}</h2>
        <CloseButton aria-label={t('billing:try.close')} onClick={onClose} />
      </header>
      <DateRangePicker
        label={t('billing:try.period')}
        range={{ from: period.start_date, to: period.end_date }}
        today={today}
        maxDate={today}
        rangeLimit={maxFeeDays}
        requireDates
        onChange={({ from, to }) => {
          if (from !== null && to !== null) setPeriod({ start_date: from, end_date: to })
        }}
      />
      {isReady ? (
        <Loaded
          of={answer}
          skeleton={<Skeleton height={320} />}
          isEmpty={() => rows.length === 0}
          empty={<EmptyState title={t('billing:try.nothing')}>{t('billing:try.nothingText')}</EmptyState>}
        >
          {({ took_ms: took }) => (
            <>
              <p role="status" className={styles['note']}>
                {t('billing:try.found', {
                  total: formatMoney(total, currency),
                  seconds: formatNumber(took / 1000),
                })}
              </p>
              <Table<Line>
                label={t('billing:try.table')}
                rows={rows}
                rowKey={({ key }) => key}
                fileName="fee-try-out"
                columns={[
                  {
                    key: 'month',
                    title: t('billing:summary.month'),
                    value: ({ month }) => month.slice(0, 7),
                    renderCell: ({ month }) => monthText(month, i18n.language),
                  },
                  {
                    key: 'operator',
                    title: t('billing:summary.operator'),
                    value: ({ operator }) => operator,
                  },
                  { key: 'line', title: t('billing:try.line'), value: ({ description }) => description },
                  {
                    key: 'quantity',
                    title: t('billing:try.quantity'),
                    value: ({ quantity }) => quantity,
                    renderCell: ({ quantity, unit }) => `${formatNumber(quantity, 2)} ${unitText(t, unit)}`,
                    isNumber: true,
                  },
                  {
                    key: 'price',
                    title: t('billing:try.price'),
                    value: ({ price }) => (price === null ? null : Number(price)),
                    renderCell: ({ price }) => (price === null ? '' : formatMoney(Number(price), currency)),
                    isNumber: true,
                  },
                  {
                    key: 'amount',
                    title: t('billing:summary.amount', { currency }),
                    value: ({ amount }) => amount,
                    renderCell: ({ amount }) => formatMoney(amount, currency),
                    isNumber: true,
                  },
                ]}
                totals={{ month: t('billing:summary.total'), amount: formatMoney(total, currency) }}
              />
            </>
          )}
        </Loaded>
      ) : (
        <EmptyState title={t('billing:try.unfinished')}>{t('billing:try.unfinishedText')}</EmptyState>
      )}
    </section>
  )
}

/** The unit of a line in the language of the screen. */
export const unitText = (t: TFunction, unit: string): string =>
  t(`billing:unit.${unit.replaceAll(/[ ,]+/g, '_')}`, { defaultValue: unit })
