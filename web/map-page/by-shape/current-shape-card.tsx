import { ShapeCard } from './shape-card.tsx'
import { getShownChange, type ShownMap } from './shown-map.ts'
import { useTargets } from './use-targets.ts'
import { useCurrentEvaluation } from './use-current-evaluation.ts'

interface Props {
  map: ShownMap
  id: string
  unitText: string
  unitSingular: string
}

/** The hover card of the current state. */
export function CurrentShapeCard({ map, id, unitText, unitSingular }: Props) {
  const evaluation = useCurrentEvaluation(map.evaluation, map.playing)
  const targets = useTargets(map).get(id)
  const name = map.shapes?.find((shape) => shape.shape_uuid === id)?.shape_name ?? ''
  return (
    <ShapeCard
      name={name}
      row={evaluation?.byShape.get(id)}
      unit={evaluation?.unit ?? 'trips'}
      unitPlural={unitText}
      unitSingular={unitSingular}
      changeDisplay={getShownChange(map)}
      {...(targets ? { targets } : {})}
    />
  )
}
