import { CloseButton, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxFeeDays, tryFees } from '#contract/fees.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatMoney, formatNumber } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import styles from './fees.module.css'

interface Props {
  region: Region
  /** The policy in the form, saved or not. */
  policy: PolicyFields
  today: LocalDay
  operatorName: (slug: string) => string
  onClose: () => void
}

/** Default number of past months, besides the current one. */
const defaultMonths = 3
/** Pause in typing before a request, in ms. */
const debounceMs = 450

/** The cost of a month by operator. */
interface MonthCost {
  month: LocalDay
  amounts: ReadonlyMap<string, number>
}

const sumAmounts = (amounts: Iterable<number>): number =>
  [...amounts].reduce((sum, amount) => sum + amount, 0)

/** What a fee policy would have cost in past months, while it is being edited. */
export function FeeTryOut({ region, policy, today, operatorName, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency, regionId } = region
  const [period, setPeriod] = useState({ start_date: startOfMonth(today, defaultMonths), end_date: today })
  const [debouncedPolicy] = useDebouncedValue(policy, debounceMs)
  // Fees can be computed before the policy has a name.
  const faults = validatePolicy({ ...policy, policy_name: policy.policy_name || '-' }, { currency })
  const isReady = Object.keys(faults).length === 0
  const response = useEndpointQuery(
    tryFees,
    { params: { region_id: regionId }, body: { policy: debouncedPolicy, operators: [], ...period } },
    { enabled: isReady && debouncedPolicy === policy, placeholderData: keepPreviousData, staleTime: 60_000 },
  )
  const rows = useMemo(() => {
    const months = new Map<LocalDay, Map<string, number>>()
    for (const { start_date: month, operator, total } of response.data?.months ?? [])
      months.set(month, (months.get(month) ?? new Map<string, number>()).set(operator, Number(total)))
    return [...months].map(([month, amounts]): MonthCost => ({ month, amounts }))
  }, [response.data])
  const operators = [...new Set(rows.flatMap(({ amounts }) => [...amounts.keys()]))].toSorted()
  const formatAmount = (amount: number): string => formatMoney(amount, currency)
  const getCost = (slug: string): number => sumAmounts(rows.map(({ amounts }) => amounts.get(slug) ?? 0))
  const totalCost = sumAmounts(operators.map(getCost))
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
          query={response}
          skeleton={<Skeleton height={320} />}
          isEmpty={() => rows.length === 0}
          empty={<EmptyState title={t('billing:try.nothing')}>{t('billing:try.nothingText')}</EmptyState>}
        >
          {({ took_ms: durationMs }) => (
            <>
              <p role="status" className={styles['note']}>
                {t('billing:try.found', {
                  total: formatAmount(totalCost),
                  seconds: formatNumber(durationMs / 1000),
                })}
              </p>
              <Table<MonthCost>
                label={t('billing:try.table')}
                rows={rows}
                rowKey={({ month }) => month}
                fileName="fee-try-out"
                columns={[
                  column('month', t('billing:summary.month'), ({ month }) => month.slice(0, 7), {
                    renderCell: ({ month }) => formatMonth(month, i18n.language, 'short'),
                  }),
                  ...operators.map((slug): TableColumn<MonthCost> =>
                    column(slug, operatorName(slug), ({ amounts }) => amounts.get(slug) ?? 0, {
                      renderCell: ({ amounts }) => formatAmount(amounts.get(slug) ?? 0),
                      isNumber: true,
                    }),
                  ),
                  column('total', t('billing:summary.total'), ({ amounts }) => sumAmounts(amounts.values()), {
                    renderCell: ({ amounts }) => formatAmount(sumAmounts(amounts.values())),
                    isNumber: true,
                  }),
                ]}
                totals={{
                  month: t('billing:summary.total'),
                  ...Object.fromEntries(operators.map((slug) => [slug, formatAmount(getCost(slug))])),
                  total: formatAmount(totalCost),
                }}
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
