import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { getRetentionLimits, type RetentionCategory } from '#contract/retention.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useRegionContext } from '#web/shell/region.tsx'
import { periodText } from './period.ts'

/** Rows behind the maps and reports of a subject. */
const categoriesOf = {
  fleet: ['trips', 'events', 'telemetry'],
  curb: ['sessions', 'payments'],
  none: [],
} as const satisfies Record<string, readonly RetentionCategory[]>
/** Kinds of rows that a page reads. */
export type PageRows = keyof typeof categoriesOf

interface Props {
  rows: PageRows
  /** First day of the chosen period; null: it has none. */
  from: LocalDay | null
}

/** Says, below a period, that single rows of its first days were removed, so that an empty page is not taken for zero. */
export function RemovedDays({ rows, from }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegionContext()
  const limits = useEndpointQuery(
    getRetentionLimits,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== null && rows !== 'none' },
  )
  const days = categoriesOf[rows].flatMap((category) => limits.data?.removed_before[category] ?? [])
  const before = days.toSorted().at(-1)
  if (before === undefined || (from !== null && from >= before)) return null
  return (
    <Text role="note" size="xs" c="dimmed" mt={4} maw="22rem">
      {t('filters:period.removed', {
        day: periodText({ start_date: before, end_date: before }, i18n.language),
      })}
    </Text>
  )
}
