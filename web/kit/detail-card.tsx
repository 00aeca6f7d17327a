import { CloseButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import styles from './detail-card.module.css'

interface Props {
  name: string
  /** A value is null while it loads. */
  figures: readonly { key: string; label: string; value: string | null }[]
  actions?: ReactNode
  onClear: () => void
}

/** Card of a selected feature with its figures. */
export function DetailCard({ name, figures, actions, onClear }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles['card']} aria-label={t('kit:selection.label')}>
      <header className={styles['head']}>
        <h2 className={styles['name']}>{name}</h2>
        <CloseButton size="sm" aria-label={t('kit:selection.clear')} onClick={onClear} />
      </header>
      <dl className={styles['figures']}>
        {figures.map(({ key, label, value }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{value ?? '…'}</dd>
          </div>
        ))}
      </dl>
      {actions}
    </section>
  )
}
