import { Popover, Skeleton, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercentChange, isMissing, type MaybeNumber, formatMissing } from './format.ts'
import styles from './metric-tile.module.css'
import { Sparkline } from './sparkline.tsx'

/** The value of a metric in an earlier period. */
export interface MetricComparison {
  key: string
  /** Name of the period, such as "previous period" or "last year". */
  name: string
  value: MaybeNumber
  /** Whether there is no value because data covers a part of the period only. */
  isPartial?: boolean
}

/** A measured value with what its tile shows beside it. */
export interface Metric {
  label: string
  value: MaybeNumber
  format: (value: number) => string
  unit: string
  /** What is measured and how, shown on click. */
  definition: string
  comparisons?: readonly MetricComparison[]
  /** Earlier values for the sparkline, oldest first; null if unknown. */
  history?: readonly (number | null)[]
  /** Whether higher or lower values are better; changes have no color by default. */
  betterIf?: 'higher' | 'lower' | undefined
  /** Shown below the definition, such as a link to a report. */
  more?: ReactNode
  /** Why there is no value, such as a broken feed. */
  missingReason?: string | undefined
}

/** A metric with its unit, its changes and a sparkline. A click shows its definition. */
export function MetricTile({ metric }: { metric: Metric }) {
  const { t } = useTranslation()
  const {
    label,
    value,
    format,
    unit,
    definition,
    comparisons = [],
    history,
    betterIf,
    missingReason,
    more,
  } = metric
  const isUnknown = isMissing(value)
  const renderChange = ({ name: period, value: earlier, isPartial }: MetricComparison): ReactNode => {
    if (isMissing(earlier)) return t(`kit:metric.${isPartial ? 'partial' : 'noData'}`, { period })
    if (earlier === 0 && value !== 0) return t('kit:metric.zero', { period })
    return (
      <>
        <b data-tone={getTone(value, earlier, betterIf)}>{formatPercentChange(value, earlier)}</b>{' '}
        {t('kit:metric.than', { period })}
      </>
    )
  }
  // The line of a single value would be a dot.
  const hasLine = (history?.filter((earlier) => earlier !== null).length ?? 0) > 1
  return (
    <Popover width={320} position="bottom-start" withArrow trapFocus returnFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles['tile'] ?? ''}>
          <span className={styles['label']}>{label}</span>
          <span className={styles['value']} data-missing={isUnknown || undefined}>
            {isUnknown ? formatMissing() : format(value)}
            {isUnknown || unit === '' ? null : <span className={styles['unit']}> {unit}</span>}
          </span>
          {isUnknown && missingReason ? <span className={styles['change']}>{missingReason}</span> : null}
          {comparisons.map((comparison) => (
            <span key={comparison.key} className={styles['change']}>
              {renderChange(comparison)}
            </span>
          ))}
          {history && hasLine && !isUnknown ? (
            <span className={styles['spark']}>
              <Sparkline values={history} height={28} />
            </span>
          ) : null}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" tabIndex={-1} data-autofocus>
          {definition}
        </Text>
        {more}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Returns whether a change is good or bad; undefined if it is neither or unknown. */
function getTone(
  value: MaybeNumber,
  earlier: MaybeNumber,
  betterIf: Metric['betterIf'],
): 'good' | 'bad' | undefined {
  if (betterIf === undefined || isMissing(value) || isMissing(earlier) || earlier === 0 || value === earlier)
    return undefined
  return value > earlier === (betterIf === 'higher') ? 'good' : 'bad'
}

/** Placeholder with the size of a tile. */
export function MetricTilePlaceholder() {
  return (
    <div className={styles['tile']} aria-hidden="true">
      <Skeleton height={16} width="60%" my={2} />
      <Skeleton height={24} width="40%" my={4} />
      <Skeleton height={12} width="70%" my={3} />
    </div>
  )
}
