import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import type { Period } from '#web/evaluation/period-presets.ts'
import { addressIn } from '#web/shell/pages.ts'
import { rememberDays } from '../compliance-period.ts'
import styles from './detail.module.css'

/** To the summary of the same days. */
export function BackLink({ regionId, period, today }: { regionId: string; period: Period; today: LocalDay }) {
  const { t } = useTranslation()
  return (
    <Link
      className={styles['back']}
      to={addressIn(regionId, 'compliance')}
      search={rememberDays(period, today) as never}
    >
      <IconChevronLeft size={16} aria-hidden="true" />
      {t('shell:pages.compliance')}
    </Link>
  )
}
