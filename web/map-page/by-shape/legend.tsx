import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BinLegend, type LegendRow } from '#web/charts/bin-legend.tsx'
import { BinRamp } from '#web/charts/bin-ramp.tsx'
import { ColorRamp } from '#web/charts/color-ramp.tsx'
import { formatInteger } from '#web/kit/format.ts'
import type { Sum, Explanation } from './evaluation.ts'
import { Figure } from './figure.tsx'
import type { LegendFigure } from './legend-figures.ts'
import styles from './legend.module.css'

interface Props {
  title: string
  unit: string
  figures: readonly LegendFigure[]
  /** How the shapes add up, with the format of the amounts; null if the legend does not say so. */
  sum: { amounts: Sum; format: (value: number) => string } | null
  explanation: Explanation
  rows: readonly LegendRow[]
  /** Colors of `replacement`, shown while the legend is closed. */
  colors: readonly string[]
  /** Replaces the bins while the map shows something else than values, such as heat. */
  replacement: ReactNode
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The meaning of the colors, and the sum of the values. */
export function Legend({
  title,
  unit,
  figures,
  sum,
  explanation,
  rows,
  colors,
  replacement,
  isOpen,
  onOpen,
}: Props) {
  const { t } = useTranslation()
  const { ways } = explanation
  const sumText = sum
    ? t(`evaluation:sum.${sum.amounts.kind}`, {
        shapes: sum.format(sum.amounts.shapes),
        outside: sum.format(sum.amounts.notInShape),
        total: sum.format(sum.amounts.total),
      })
    : null
  const closedLegend = replacement ? <ColorRamp colors={colors} height={8} /> : <BinRamp rows={rows} />
  return (
    <section className={styles['legend']} aria-label={t('evaluation:legend.label')}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['unit']}>{unit}</p>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'evaluation:legend.close' : 'evaluation:legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? (
        <>
          {replacement ??
            (rows.length > 0 ? <BinLegend label={t('evaluation:legend.bins')} rows={rows} /> : null)}
          <div className={styles['figures']}>
            {figures.map(({ key, label, value }) => (
              <Figure key={key} label={label} value={value} explanation={explanation} sum={sumText} />
            ))}
          </div>
          {sum && sum.amounts.kind !== 'exact' ? (
            <p className={styles['sum']} data-sum={sum.amounts.kind}>
              {sumText}
            </p>
          ) : null}
          {ways?.trips_without_way ? (
            <p className={styles['sum']} data-sum="ways">
              {t('evaluation:knownRoutes.none', {
                count: ways.trips_without_way,
                shown: formatInteger(ways.trips_without_way),
                all: formatInteger(ways.trips_with_way + ways.trips_without_way),
              })}
            </p>
          ) : null}
        </>
      ) : (
        closedLegend
      )}
    </section>
  )
}
