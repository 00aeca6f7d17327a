import { useTranslation } from 'react-i18next'
import type { Regulation } from '#contract/curb-regulations.ts'
import { now } from '#web/data/clock.ts'
import { formatMoment } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from './regulations.module.css'

/** Tests whether this is the draft of a published regulation. */
export const hasDraftBeside = ({
  published,
  published_policy_id: id,
}: Pick<Regulation, 'published' | 'published_policy_id'>): boolean => !published && id !== null

/** The status, when a published regulation takes effect, and whether a draft has a published version. */
export function StatusMark({ regulation }: { regulation: Regulation }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const at = now()
  const { status, effective_time: effective } = regulation
  const startMs = effective === null ? null : Date.parse(effective)
  return (
    <span className={styles['marks']}>
      <span className={styles['mark']} data-status={status}>
        {t(`policies:status.${status}`)}
      </span>
      {status === 'published' && startMs !== null && startMs > at ? (
        <span className={styles['mark']} data-status="coming">
          {t('policies:takesEffect', { time: formatMoment(startMs, timezone, at) })}
        </span>
      ) : null}
      {hasDraftBeside(regulation) ? (
        <span className={styles['earlier']}>{t('curb:regulations.earlierPublished')}</span>
      ) : null}
    </span>
  )
}
