import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { getRetentionLimits, type RetentionCategory } from '#contract/retention.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useRegionContext } from '#web/shell/region.tsx'
import { formatPeriod } from './period.ts'

/** Categories of the rows that maps and reports of a subject read. */
const categoriesBySubject = {
  fleet: ['trips', 'events', 'telemetry'],
  curb: ['sessions', 'payments'],
  none: [],
} as const satisfies Record<string, readonly RetentionCategory[]>
/** What a page is about; `none` if it reads no rows that are removed. */
export type RetentionSubject = keyof typeof categoriesBySubject

interface Props {
  subject: RetentionSubject
  /** First day of the chosen period; null if it is open. */
  from: LocalDay | null
}

/** Warns below a period that rows of its first days were removed, so that missing values are not read as zeros. */
export function RemovedDays({ subject, from }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegionContext()
  const limits = useEndpointQuery(
    getRetentionLimits,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== null && subject !== 'none' },
  )
  const days = categoriesBySubject[subject].flatMap((category) => limits.data?.removed_before[category] ?? [])
  // From the latest limit on, all categories are complete.
  const firstRetainedDay = days.toSorted().at(-1)
  if (firstRetainedDay === undefined || (from !== null && from >= firstRetainedDay)) return null
  return (
    <Text role="note" size="xs" c="dimmed" mt={4} maw="22rem">
      {t('filters:period.removed', {
        day: formatPeriod({ start_date: firstRetainedDay, end_date: firstRetainedDay }, i18n.language),
      })}
    </Text>
  )
}
