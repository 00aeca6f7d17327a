import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BinLegend, type LegendRow } from '#web/charts/bin-legend.tsx'
import { ColorRamp } from '#web/charts/color-ramp.tsx'
import type { Evaluation } from './evaluation.ts'
import type { Explanation } from './explanation.ts'
import { Figure } from './figure.tsx'
import { formatValue } from './format-value.ts'
import styles from './legend.module.css'

interface Props {
  title: string
  unit: string
  evaluation: Evaluation
  explanation: Explanation
  rows: readonly LegendRow[]
  colors: readonly string[]
  /** In place of the bins, while the map shows something else. */
  instead: ReactNode
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** What the colours mean, and what the whole adds up to. */
export function Legend({ title, unit, evaluation, explanation, rows, colors, instead, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const { sum, notInShape, total } = evaluation
  const show = (value: number): string => formatValue(value, evaluation.unit)
  return (
    <section className={styles['legend']} aria-label={t('evaluation:legend.label')}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['unit']}>{unit}</p>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-expanded={isOpen} aria-label={t(isOpen ? 'evaluation:legend.close' : 'evaluation:legend.open')} onClick={() => onOpen(!isOpen)}>
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? (
        <>
          {instead ?? (rows.length > 0 ? <BinLegend label={t('evaluation:legend.bins')} rows={rows} /> : null)}
          <div className={styles['figures']}>
            {notInShape ? <Figure label={t('evaluation:legend.notInShape')} value={formatValue(notInShape.value, evaluation.unit)} explanation={explanation} /> : null}
            <Figure label={t('evaluation:legend.total')} value={sum ? show(sum.total) : formatValue(total, 'count')} explanation={explanation} />
          </div>
          {sum ? (
            <p className={styles['sum']} data-sum={sum.kind}>
              {t(`evaluation:sum.${sum.kind}`, { shapes: show(sum.shapes), outside: show(sum.notInShape), total: show(sum.total) })}
            </p>
          ) : null}
        </>
      ) : (
        <ColorRamp colors={colors} height={8} />
      )}
    </section>
  )
}
