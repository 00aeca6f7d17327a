import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listPolicies } from '#contract/policies.ts'
import { useAnswer } from '#web/data/query.ts'
import type { ShownMap } from '../shown-map.ts'
import { readTargets } from './read-targets.ts'
import { targetText } from './target-text.ts'

const none: ReadonlyMap<string, readonly string[]> = new Map()

/** What published policies ask of each operator in the map's shapes, in words by shape; nothing where the map's policies have no targets. */
export function useTargets({
  mode,
  layer,
  shapes,
}: Pick<ShownMap, 'mode' | 'layer' | 'shapes'>): ReadonlyMap<string, readonly string[]> {
  const { t } = useTranslation()
  const type = mode?.targets
  const region_id = layer?.region_id ?? ''
  const policies = useAnswer(
    listPolicies,
    { body: { region_id, types: type ? [type] : [], statuses: ['published'] } },
    { enabled: type !== undefined && layer !== null },
  ).data?.data
  return useMemo(() => {
    if (!type || !layer || !policies) return none
    const targets = readTargets(
      policies,
      layer.shape_layer_uuid,
      (shapes ?? []).map(({ shape_uuid: id }) => id),
    )
    return new Map(
      [...targets].map(([id, of]) => [
        id,
        of.map((target) => targetText(t, target, type === 'distribution' ? 'vehicles' : 'dropOffs')),
      ]),
    )
  }, [t, type, layer, shapes, policies])
}
