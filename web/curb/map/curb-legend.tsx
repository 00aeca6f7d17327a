import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { CurbState } from '#contract/curb-rules.ts'
import { formatDistance } from '#web/kit/format.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { getCurbColor } from './curb-colors.ts'
import styles from './curb-map.module.css'
import type { StateLength } from './states-at.ts'

interface Props {
  title: string
  lengths: readonly StateLength[]
  isMetric: boolean
  /** Visible states; undefined for all. */
  states: readonly CurbState[] | undefined
  onStates: (previousStates: CurbState[] | undefined) => void
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The meaning of each color, the length of curb in each state, and a switch for each state. */
export function CurbLegend({ title, lengths, isMetric, states, onStates, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const allStates = lengths.map(({ state }) => state)
  const toggle = (state: CurbState): void => {
    const previousStates = states ?? allStates
    const toggled = previousStates.includes(state)
      ? previousStates.filter((other) => other !== state)
      : [...previousStates, state]
    const isAll = allStates.every((other) => toggled.includes(other))
    // Without a visible state, all are shown again.
    onStates(toggled.length === 0 || isAll ? undefined : toggled)
  }
  return (
    <section className={styles['legend']} aria-label={t('curb:map.legend.label')}>
      <header className={styles['head']}>
        <div>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['caption']}>{t('curb:map.legend.unit')}</p>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'curb:map.legend.close' : 'curb:map.legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? (
        <ul className={styles['rows']}>
          {lengths.map(({ state, lengthM }) => (
            <li key={state}>
              <button
                type="button"
                aria-pressed={!states || states.includes(state)}
                onClick={() => toggle(state)}
              >
                <span
                  className={styles['swatch']}
                  aria-hidden="true"
                  style={{ '--swatch': getCurbColor(state, scheme) } as CSSProperties}
                />
                <span className={styles['name']}>{t(`curb:map.state.${state}`)}</span>
                <span className={styles['value']}>{formatDistance(lengthM, isMetric)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
