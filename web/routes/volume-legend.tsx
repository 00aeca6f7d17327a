import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Bin } from '#contract/bins.ts'
import { computeBinEnds } from '#web/charts/bin-ends.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { BinRamp } from '#web/charts/bin-ramp.tsx'
import { formatInteger } from '#web/kit/format.ts'
import styles from './volume-legend.module.css'

interface Props {
  title: string
  bins: readonly Bin[]
  colors: readonly string[]
  /** Notes below the bins: which trips are counted. */
  notes: readonly string[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The meaning of the colors of streets, and which trips are counted. */
export function VolumeLegend({ title, bins, colors, notes, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const ends = computeBinEnds(bins, true)
  const rows = bins.map((bin, index) => {
    const { from, to } = ends[index]!
    return {
      key: String(index),
      label: from === to ? formatInteger(from) : `${formatInteger(from)} – ${formatInteger(to)}`,
      members: t('routes:legend.segments', { count: bin.count, shown: formatInteger(bin.count) }),
      swatch: { color: colors[index]!, opacity: 1 },
    }
  })
  return (
    <section className={styles['legend']} aria-label={t('routes:legend.label')}>
      <header className={styles['head']}>
        <div>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['unit']}>{t('routes:legend.unit')}</p>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'routes:legend.close' : 'routes:legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? (
        <>
          {rows.length > 0 ? <BinLegend label={t('routes:legend.bins')} rows={rows.toReversed()} /> : null}
          {notes.map((note) => (
            <p key={note} className={styles['note']}>
              {note}
            </p>
          ))}
        </>
      ) : (
        <BinRamp rows={rows.toReversed()} />
      )}
    </section>
  )
}
