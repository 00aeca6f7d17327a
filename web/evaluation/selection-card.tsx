import { CloseButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './selection-card.module.css'

interface Props {
  name: string
  /** What to say of it, in the order given; null while it is on its way. */
  figures: readonly { key: string; label: string; value: string | null }[]
  onClear: () => void
}

/** The selected shape: all of its own numbers, whatever the map shows of the others. */
export function SelectionCard({ name, figures, onClear }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles['card']} aria-label={t('evaluation:selection.label')}>
      <header className={styles['head']}>
        <h2 className={styles['name']}>{name}</h2>
        <CloseButton size="sm" aria-label={t('evaluation:selection.clear')} onClick={onClear} />
      </header>
      <dl className={styles['figures']}>
        {figures.map(({ key, label, value }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{value ?? '…'}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
