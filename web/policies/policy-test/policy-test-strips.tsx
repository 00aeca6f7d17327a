import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact, ComplianceMeasure, ComplianceRecord } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { formatInteger } from '#web/kit/format.ts'
import { isBounded } from '../results/measured-text.ts'
import { LimitStrip } from './limit-strip.tsx'
import { factMarks, type Limits, recordMarks } from './strip-marks.ts'

interface Props {
  records: readonly ComplianceRecord[]
  measure: ComplianceMeasure
  policy: PolicyFields
  compared: readonly ComplianceRecord[] | null
  comparedLabel: string
  facts: { items: readonly ComplianceFact[]; total: number } | null
  /** Whether the facts are loading. */
  isWaiting: boolean
  /** Whether the records were measured with other limits than those of the policy. */
  isStale: boolean
  onLimitChange: ((changes: Partial<Limits>) => void) | null
  operatorName: (slug: string) => string
}

/** Measures whose facts have a duration or a speed. */
const measuresWithValues: readonly ComplianceMeasure[] = ['long_parking_events', 'speeding_points']

/** Returns the size of the limit's unit in the unit of the facts: minutes, or 1 for speeds. */
const getUnitSize = (unit: PolicyFields['unit']): number => {
  if (unit === 'days') return 1440
  return unit === 'hours' ? 60 : 1
}

/** Measured values against limits: by day for rules with bounds; else by fact, if it has a visible value. */
export function PolicyTestStrips({
  records,
  measure,
  policy,
  compared,
  comparedLabel,
  facts,
  isWaiting,
  isStale,
  onLimitChange,
  operatorName,
}: Props) {
  const { t } = useTranslation()
  const { minimum, maximum, unit } = policy
  const limits = useMemo(() => ({ minimum, maximum }), [minimum, maximum])
  const recordRows = useMemo(
    () => (isBounded(measure) ? recordMarks(records, isStale ? limits : null) : null),
    [records, measure, isStale, limits],
  )
  const factRows = useMemo(
    () =>
      facts && measuresWithValues.includes(measure)
        ? factMarks(facts.items, getUnitSize(unit), { minimum: null, maximum: limits.maximum })
        : null,
    [facts, measure, unit, limits],
  )
  const firstCompared = compared?.[0]
  const comparedLimits = firstCompared
    ? { minimum: firstCompared.minimum, maximum: firstCompared.maximum }
    : null
  if (recordRows) {
    const inShape = records.some(({ shape_uuid: shape }) => shape !== null)
      ? t('compliance:try.strip.inShape')
      : ''
    const isStill = onLimitChange === null || (minimum === null && maximum === null)
    return (
      <LimitStrip
        title={t('compliance:try.strip.title')}
        hint={t(isStill ? 'compliance:try.strip.still' : 'compliance:try.strip.hint', { inShape })}
        unit={t(`compliance:measures.${measure}.axis`)}
        rows={recordRows}
        limits={limits}
        compared={comparedLimits}
        comparedLabel={comparedLabel}
        onLimitChange={onLimitChange}
        operatorName={operatorName}
      />
    )
  }
  if (!facts && isWaiting && measuresWithValues.includes(measure)) return <Skeleton height={220} />
  if (!factRows || !facts || factRows.length === 0) return null
  const isSome = facts.items.length < facts.total
  const hint = isSome
    ? t('compliance:points.some', {
        shown: formatInteger(facts.items.length),
        total: formatInteger(facts.total),
      })
    : t('compliance:points.all', { count: facts.total, shown: formatInteger(facts.total) })
  return (
    <LimitStrip
      title={t(`compliance:try.values.${measure}`)}
      hint={hint}
      unit={unit ? t(`policies:unit.${unit}`) : ''}
      rows={factRows}
      limits={{ minimum: null, maximum }}
      compared={
        firstCompared && firstCompared.unit === unit
          ? { minimum: null, maximum: firstCompared.maximum }
          : null
      }
      comparedLabel={comparedLabel}
      onLimitChange={onLimitChange}
      operatorName={operatorName}
    />
  )
}
