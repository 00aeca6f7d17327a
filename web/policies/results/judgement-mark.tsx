import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  type Icon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ComplianceStatus } from '#contract/compliance.ts'
import styles from './parts.module.css'

const icons: Record<ComplianceStatus, Icon> = {
  compliant: IconCircleCheckFilled,
  non_compliant: IconAlertTriangleFilled,
  not_applicable: IconCircleDashed,
}

/** A compliance status as an icon and a word, never as color alone. */
export function JudgementMark({ status }: { status: ComplianceStatus }) {
  const { t } = useTranslation()
  const Sign = icons[status]
  return (
    <span className={styles['mark']} data-status={status}>
      <Sign size={16} aria-hidden="true" />
      {t(`compliance:status.${status}`)}
    </span>
  )
}
