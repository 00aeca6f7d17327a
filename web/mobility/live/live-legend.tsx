import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type LegendProps, LegendRows } from './legend-rows.tsx'
import styles from './live-legend.module.css'

interface Props extends LegendProps {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** What the colours and marks of the live map mean. */
export function LiveLegend({ isOpen, onOpen, ...legend }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles['legend']} aria-label={t('mobility:live.legend.label')}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{t(`mobility:live.color.${legend.by}`)}</h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'mobility:live.legend.close' : 'mobility:live.legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? <LegendRows {...legend} /> : null}
    </section>
  )
}
