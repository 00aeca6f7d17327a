import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssuePoints } from '#contract/issues.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './issues-legend.module.css'
import type { LegendEntry } from './legend-entries.ts'
import type { Coloring } from './issues-search.ts'

interface Props {
  colorBy: Coloring
  points: IssuePoints
  entries: readonly LegendEntry[]
  hasClusters: boolean
  hasStacks: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The meaning of colors and marks, with the number of issues in total and on the map. */
export function IssuesLegend({ colorBy, points, entries, hasClusters, hasStacks, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const { total, placed } = points
  const sentCount = points.id.length
  return (
    <section className={styles['legend']} aria-label={t('issues:legend.label')}>
      <header className={styles['head']}>
        <div>
          <h2 className={styles['title']} data-total={total}>
            {t('issues:total', { count: total, shown: formatInteger(total) })}
          </h2>
          <p className={styles['unit']}>{t(`issues:color.by_${colorBy}`)}</p>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'issues:legend.close' : 'issues:legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? (
        <>
          <ul className={styles['rows']} aria-label={t('issues:legend.colors')}>
            {entries.map(({ key, label, color, count }) => (
              <li key={key} data-count={count}>
                <span
                  className={styles['dot']}
                  aria-hidden="true"
                  style={{ '--swatch': color } as CSSProperties}
                />
                <span className={styles['name']}>{label}</span>
                <span className={styles['count']}>{formatInteger(count)}</span>
              </li>
            ))}
          </ul>
          {hasClusters || hasStacks ? (
            <ul className={styles['marks']} aria-label={t('issues:legend.marks')}>
              {hasClusters ? (
                <li>
                  <span className={styles['cluster']} aria-hidden="true" />
                  {t('issues:legend.cluster')}
                </li>
              ) : null}
              {hasStacks ? (
                <li>
                  <span className={styles['stack']} aria-hidden="true" />
                  {t('issues:legend.stack')}
                </li>
              ) : null}
            </ul>
          ) : null}
          {total > placed ? (
            <p className={styles['note']}>
              {t('issues:legend.placeless', { count: total - placed, shown: formatInteger(total - placed) })}
            </p>
          ) : null}
          {placed > sentCount ? (
            <p className={styles['note']}>
              {t('issues:legend.cut', { sent: formatInteger(sentCount), placed: formatInteger(placed) })}
            </p>
          ) : null}
        </>
      ) : null}
    </section>
  )
}
