import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { operatorName } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { useRegion } from '#web/shell/region.tsx'
import type { PolicyTextContext } from './policy-text-context.ts'

/** Returns the names of operators and layers of the region, its currency and the language. */
export function usePolicyTextContext(): PolicyTextContext {
  const { t, i18n } = useTranslation()
  const { regionId, currencyCode: currency } = useRegion()
  const operators = useOperators(regionId).data?.items
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } }).data?.items
  return useMemo(
    () => ({
      t,
      language: i18n.language,
      currency,
      operatorName: (slug) => (operators ? operatorName(slug, operators) : slug),
      layerName: (id) => layers?.find((layer) => layer.shape_layer_uuid === id)?.layer_name ?? null,
    }),
    [t, i18n.language, currency, operators, layers],
  )
}
