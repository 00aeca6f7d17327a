import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMeasuredNumber } from '../results/measured-text.ts'
import { LimitHandle } from './limit-handle.tsx'
import { stripBins, maxBinCount } from './strip-bins.ts'
import type { Limits, StripRow } from './strip-marks.ts'
import { stripBinCount, StripRowDrawing } from './strip-row.tsx'
import { placeOn, stripScale, type StripScale } from './strip-scale.ts'
import styles from './strip.module.css'

interface Props {
  title: string
  hint: string
  unit: string
  rows: readonly StripRow[]
  limits: Limits
  /** The limits of the other revision; null if there is none. */
  compared: Limits | null
  comparedLabel: string
  /** Moves a limit; null if this user cannot move it. */
  onLimitChange: ((changes: Partial<Limits>) => void) | null
  operatorName: (slug: string) => string
}

const sides = ['minimum', 'maximum'] as const

/** Measured values by operator against the limits, which shows how many days a limit would affect. */
export function LimitStrip({
  title,
  hint,
  unit,
  rows,
  limits,
  compared,
  comparedLabel,
  onLimitChange,
  operatorName,
}: Props) {
  const { t } = useTranslation()
  const [frozenScale, setFrozenScale] = useState<StripScale | null>(null)
  const scale = frozenScale ?? stripScale(rows, [limits, ...(compared ? [compared] : [])])
  const maxCount = Math.max(
    1,
    ...rows.map(({ marks }) => maxBinCount(stripBins(marks, scale, stripBinCount))),
  )
  const renderArea = (from: number, to: number, key: string) => (
    <div
      key={key}
      className={styles['beyond']}
      style={{
        left: `${placeOn(scale, from) * 100}%`,
        width: `${(placeOn(scale, to) - placeOn(scale, from)) * 100}%`,
      }}
    />
  )
  return (
    <figure className={styles['strip']} aria-label={title}>
      <figcaption>
        <h3 className={styles['title']}>{title}</h3>
        <p className={styles['hint']}>{hint}</p>
      </figcaption>
      <div className={styles['plot']}>
        <div className={styles['under']}>
          {limits.minimum === null ? null : renderArea(scale.from, limits.minimum, 'under')}
          {limits.maximum === null ? null : renderArea(limits.maximum, scale.to, 'over')}
        </div>
        <div className={styles['over']}>
          {compared
            ? sides.map((side) =>
                compared[side] === null || compared[side] === limits[side] ? null : (
                  <div
                    key={side}
                    className={styles['earlier']}
                    style={{ left: `${placeOn(scale, compared[side]) * 100}%` }}
                  >
                    <span>
                      {comparedLabel} {formatMeasuredNumber(compared[side])}
                    </span>
                  </div>
                ),
              )
            : null}
          {sides.map((side) => {
            const value = limits[side]
            return value === null ? null : (
              <LimitHandle
                key={side}
                label={t(`compliance:try.strip.${side}`)}
                value={value}
                scale={scale}
                unit={unit}
                side={side}
                onMove={onLimitChange && ((to) => onLimitChange({ [side]: to }))}
                onHold={(isHeld) => setFrozenScale(isHeld ? scale : null)}
              />
            )
          })}
        </div>
        <div className={styles['rows']}>
          {rows.map((row) => (
            <StripRowDrawing
              key={row.operator}
              row={row}
              name={operatorName(row.operator)}
              scale={scale}
              maxCount={maxCount}
            />
          ))}
        </div>
        <div className={styles['axis']} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ left: `${placeOn(scale, tick) * 100}%` }}>
              {formatMeasuredNumber(tick)}
            </span>
          ))}
        </div>
      </div>
      <p className={styles['unit']}>{unit}</p>
    </figure>
  )
}
