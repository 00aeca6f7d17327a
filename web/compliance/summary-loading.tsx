import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dayNumber } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './compliance.module.css'

/** Shown in place of the totals line if the summary takes long to load: what the server is doing. */
export function SlowSummaryNote({ period: { start_date: start, end_date: end } }: { period: Period }) {
  const { t } = useTranslation()
  const count = dayNumber(end) - dayNumber(start) + 1
  return (
    <p className={`figures ${styles['result']} ${styles['measuring']}`} role="status">
      {t('compliance:measuring', { count, shown: formatInteger(count) })}
    </p>
  )
}

/** Placeholder of the summary: the totals line, then a table, or cards on a phone. */
export function SummarySkeleton({ period, isSmall }: { period: Period; isSmall: boolean }) {
  const rows = Array.from({ length: isSmall ? 4 : 8 }, (_, index) => index)
  return (
    <>
      <SlowSummaryNote period={period} />
      {/* The height of the toolbar and the header row of a table. */}
      {isSmall ? null : <Skeleton height={116} mb={1} radius={0} />}
      <div className={isSmall ? styles['cards'] : styles['waitRows']}>
        {rows.map((row) => (
          <Skeleton key={row} height={isSmall ? 145 : 39} radius={isSmall ? 'sm' : 0} />
        ))}
      </div>
    </>
  )
}
