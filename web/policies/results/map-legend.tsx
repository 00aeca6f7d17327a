import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BinLegend, type LegendRow } from '#web/charts/bin-legend.tsx'
import { BinRamp } from '#web/charts/bin-ramp.tsx'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import styles from './parts.module.css'

interface Props {
  title: string
  unit: string
  rows: readonly LegendRow[]
  /** The legend of points; null if there are none. */
  points: ReactNode
  /** Shown in place of the rows if no shape has a value. */
  instead?: string | null
}

export function MapLegend({ title, unit, rows, points, instead }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const [choice, setIsOpen] = useState<boolean | null>(null)
  const isOpen = choice ?? !isSmall
  return (
    <section className={styles['legend']} aria-label={t('evaluation:legend.label')}>
      <header className={styles['legendHead']}>
        <div>
          <h3 className={styles['legendTitle']}>{title}</h3>
          <p className={styles['legendUnit']}>{unit}</p>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'evaluation:legend.close' : 'evaluation:legend.open')}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      </header>
      {instead ? <p className={styles['legendUnit']}>{instead}</p> : null}
      {!instead && rows.length > 0 ? (
        <>
          {isOpen ? <BinLegend label={t('evaluation:legend.bins')} rows={rows} /> : <BinRamp rows={rows} />}
        </>
      ) : null}
      {isOpen ? points : null}
    </section>
  )
}
