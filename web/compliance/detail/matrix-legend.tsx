import { IconAlertTriangleFilled, IconCheck, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './detail.module.css'

/** What the signs of the days mean. */
export function MatrixLegend() {
  const { t } = useTranslation()
  const entry = (status: string, sign: ReactNode, text: string, marks: Record<string, true> = {}) => (
    <li key={text}>
      <span className={styles['cell']} data-status={status} {...marks} aria-hidden="true">
        {sign}
      </span>
      {text}
    </li>
  )
  return (
    <ul className={styles['matrixLegend']}>
      {entry('compliant', <IconCheck size={14} />, t('compliance:status.compliant'))}
      {entry(
        'non_compliant',
        <>
          <IconAlertTriangleFilled size={10} />3
        </>,
        t('compliance:matrix.broken'),
      )}
      {entry('not_applicable', <IconMinus size={14} />, t('compliance:status.not_applicable'))}
      {entry('compliant', <IconCheck size={14} />, t('compliance:matrix.uncertain'), {
        'data-uncertain': true,
      } as never)}
      {entry('compliant', <IconCheck size={14} />, t('compliance:matrix.provisional'), {
        'data-provisional': true,
      } as never)}
    </ul>
  )
}
