import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { paintValues } from '#web/map-page/by-shape/paint-values.ts'
import { dataColors } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { ComplianceMap } from '#web/policies/results/compliance-map.tsx'
import { MapLegend } from '#web/policies/results/map-legend.tsx'
import { PointLegend } from '#web/policies/results/point-legend.tsx'
import { getSpeedUnit } from '#web/policies/results/speed-unit.ts'
import type { ShapeRow } from '#web/policies/results/shape-violations.ts'
import { usePolicyScope } from '#web/policies/results/use-policy-scope.ts'

interface Props {
  region: Region
  policy: Pick<ListedPolicy, 'policy_type' | 'shape_layer_uuid' | 'shape_uuids' | 'unit' | 'imported_mds'>
  rows: readonly ShapeRow[]
  /** Null if this user may not see single facts. */
  facts: { items: readonly ComplianceFact[]; total: number } | null
  selected: string | number | null
  onSelect: (selected: string | number | null) => void
  operatorName: (slug: string) => string
  isDimmed: boolean
  at: number
}

const noFacts: readonly ComplianceFact[] = []

/** Where violations were: shapes colored by number, and facts as points for users who may see them. */
export function ViolationsMap({
  region,
  policy,
  rows,
  facts,
  selected,
  onSelect,
  operatorName,
  isDimmed,
  at,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const scope = usePolicyScope(region.regionId, policy)
  const painting = useMemo(
    () => paintValues(t, { rows, unit: 'events' }, dataColors[scheme].sequential.clay),
    [t, rows, scheme],
  )
  const unit = t('compliance:map.unit', { count: 2 })
  return (
    <ComplianceMap
      region={region}
      scope={scope}
      rows={rows}
      unitText={unit}
      unitSingular={t('compliance:map.unit', { count: 1 })}
      isDifference={false}
      painting={painting}
      facts={facts?.items ?? noFacts}
      selected={selected}
      onSelect={onSelect}
      isDimmed={isDimmed}
      at={at}
      operatorName={operatorName}
      speedUnit={getSpeedUnit(policy)}
      legend={
        <MapLegend
          title={t('compliance:map.title')}
          unit={unit}
          rows={painting.legend}
          instead={rows.length === 0 ? t('compliance:map.whole') : null}
          points={
            facts && facts.items.length > 0 ? <PointLegend facts={facts.items} total={facts.total} /> : null
          }
        />
      }
    />
  )
}
