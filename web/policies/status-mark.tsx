import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { effectiveFrom } from '#contract/policy.ts'
import { now } from '#web/data/clock.ts'
import { formatMoment } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { hasDraftBeside } from './available-actions.ts'
import styles from './policies.module.css'

/** When a published policy takes effect, as text; null if it already did by `at` (ms). */
export function formatEffectiveTime(
  policy: Pick<ListedPolicy, 'start_date'>,
  published: number,
  timezone: string,
  at: number,
): string | null {
  const from = effectiveFrom(policy, published, timezone)
  return from > at ? formatMoment(from, timezone, at) : null
}

/** Status in one word, when a published policy takes effect, and whether a draft has an earlier revision. */
export function StatusMark({
  policy,
}: {
  policy: Pick<
    ListedPolicy,
    'status' | 'published' | 'published_policy_uuid' | 'published_time' | 'start_date'
  >
}) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const time =
    policy.status === 'published' && policy.published_time !== null
      ? formatEffectiveTime(policy, Date.parse(policy.published_time), timezone, now())
      : null
  return (
    <span className={styles['marks']}>
      <span className={styles['mark']} data-status={policy.status}>
        {t(`policies:status.${policy.status}`)}
      </span>
      {time === null ? null : (
        <span className={styles['mark']} data-status="coming">
          {t('policies:takesEffect', { time })}
        </span>
      )}
      {hasDraftBeside(policy) ? (
        <span className={styles['earlier']}>{t('policies:earlierPublished')}</span>
      ) : null}
    </span>
  )
}
