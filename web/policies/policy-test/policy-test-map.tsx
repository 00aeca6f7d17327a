import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact, ComplianceRecord } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { paintChange } from '#web/map-page/by-shape/compare/paint-change.ts'
import { paintValues } from '#web/map-page/by-shape/paint-values.ts'
import { dataColors } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { ComplianceMap } from '../results/compliance-map.tsx'
import { MapLegend } from '../results/map-legend.tsx'
import { PointLegend } from '../results/point-legend.tsx'
import { changedShapes, shapeViolations } from '../results/shape-violations.ts'
import { getSpeedUnit } from '../results/speed-unit.ts'
import { usePolicyScope } from '../results/use-policy-scope.ts'
import styles from './policy-test.module.css'

interface Props {
  region: Region
  policy: PolicyFields
  records: readonly ComplianceRecord[]
  compared: readonly ComplianceRecord[] | null
  /** Null if this user may not see single facts. */
  facts: { items: readonly ComplianceFact[]; total: number } | null
  operatorName: (slug: string) => string
  comparedLabel: string
  isDimmed: boolean
  at: number
}

const noFacts: readonly ComplianceFact[] = []

/** Where violations would have been, or what would have changed. */
export function PolicyTestMap({
  region,
  policy,
  records,
  compared,
  facts,
  operatorName,
  comparedLabel,
  isDimmed,
  at,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const [shownValues, setShownValues] = useState<'now' | 'difference'>('now')
  const [selected, setSelected] = useState<string | number | null>(null)
  const scope = usePolicyScope(region.regionId, policy)
  const rows = useMemo(() => shapeViolations(records), [records])
  const changed = useMemo(
    () => (compared ? changedShapes(rows, shapeViolations(compared)) : null),
    [rows, compared],
  )
  const isDifference = shownValues === 'difference' && changed !== null
  const painting = useMemo(
    () =>
      isDifference
        ? paintChange(t, changed, { kind: 'change', scheme: dataColors[scheme].diverging, digits: 0 })
        : paintValues(t, { rows, unit: 'events' }, dataColors[scheme].sequential.clay),
    [t, isDifference, changed, rows, scheme],
  )
  const unit = isDifference ? t('compliance:try.map.differenceUnit') : t('compliance:map.unit', { count: 2 })
  const shownRows = isDifference ? changed : rows
  const isOneArea = rows.length === 0 && records.length > 0
  return (
    <div className={styles['map']}>
      <ComplianceMap
        region={region}
        scope={scope}
        rows={shownRows}
        unitText={unit}
        unitSingular={isDifference ? unit : t('compliance:map.unit', { count: 1 })}
        isDifference={isDifference}
        painting={painting}
        facts={isDifference ? noFacts : (facts?.items ?? noFacts)}
        selected={selected}
        onSelect={setSelected}
        isDimmed={isDimmed}
        at={at}
        operatorName={operatorName}
        speedUnit={getSpeedUnit(policy)}
        legend={
          <MapLegend
            title={t(isDifference ? 'compliance:try.map.differenceTitle' : 'compliance:map.title', {
              label: comparedLabel,
            })}
            unit={unit}
            rows={painting.legend}
            instead={isOneArea ? t('compliance:map.whole') : null}
            points={
              !isDifference && facts && facts.items.length > 0 ? (
                <PointLegend facts={facts.items} total={facts.total} />
              ) : null
            }
          />
        }
      />
      {changed && !isOneArea ? (
        <SegmentedControl
          className={styles['mapSwitch'] ?? ''}
          size="xs"
          aria-label={t('compliance:try.map.show')}
          value={shownValues}
          data={(['now', 'difference'] as const).map((value) => ({
            value,
            label: t(`compliance:try.map.${value}`),
          }))}
          onChange={(value) => setShownValues(value as typeof shownValues)}
        />
      ) : null}
    </div>
  )
}
