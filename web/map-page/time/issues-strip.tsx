import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listIssues, type Issue } from '#contract/issues.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatInteger } from '#web/kit/format.ts'
import { AddDataHint } from './add-data-hint.tsx'
import styles from './strip.module.css'
import type { StripProps } from './weather-strip.tsx'

/** Returns the number of issues reported on each day of an axis, in the time zone of the region. */
export function countIssuesByDay(
  days: readonly string[],
  issues: readonly Pick<Issue, 'requested_time'>[],
  timezone: string,
): number[] {
  // One formatter for thousands of times, because creating one is expensive. This locale writes YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const counts = new Map<string, number>()
  for (const { requested_time } of issues) {
    const day = format.format(Date.parse(requested_time))
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return days.map((day) => counts.get(day) ?? 0)
}

/** Maximum number of issues that are loaded and counted: one page. */
const maxIssues = 5000

/** The number of 311 issues reported on each day. */
export function IssuesStrip({ region, period, days, current }: StripProps) {
  const { t } = useTranslation()
  const params = { region_id: region.regionId }
  // Requests the total first: a large page is loaded only if it contains all issues.
  const totalQuery = useEndpointQuery(listIssues, { params, query: { ...period, page: 1, size: 1 } })
  const total = totalQuery.data?.total
  const allQuery = useEndpointQuery(
    listIssues,
    { params, query: { ...period, page: 1, size: maxIssues } },
    { enabled: total !== undefined && total > 0 && total <= maxIssues },
  )
  const items = allQuery.data?.items
  const counts = useMemo(
    () => (items ? countIssuesByDay(days, items, region.timezone) : null),
    [items, days, region.timezone],
  )
  const sources = useMemo(
    () => [...new Set((items ?? []).map(({ source }) => source))].toSorted().join(', '),
    [items],
  )
  const error = totalQuery.error ?? allQuery.error
  if (error)
    return (
      <p className={styles['text']} role="alert">
        {error.message}
      </p>
    )
  if (total === 0)
    return (
      <p className={styles['text']}>
        <span>
          {t('evaluation:time.noIssues')} <AddDataHint regionId={region.regionId} extra="issues" />
        </span>
      </p>
    )
  if (total !== undefined && total > maxIssues)
    return (
      <p className={styles['text']}>{t('evaluation:time.tooManyIssues', { shown: formatInteger(total) })}</p>
    )
  if (!counts) return <p className={styles['text']}>{t('evaluation:time.loading')}</p>
  const count =
    current === null ? counts.reduce((sum, dayCount) => sum + dayCount, 0) : (counts[current] ?? 0)
  return (
    <div className={styles['strip']} data-strip="issues">
      <p className={styles['text']}>
        <span>{t('evaluation:time.issuesOf', { count, shown: formatInteger(count) })}</span>
        <span>{t('evaluation:time.issuesFrom', { source: sources })}</span>
      </p>
      <SparkBars bars={counts} tone="count" height={18} />
    </div>
  )
}
