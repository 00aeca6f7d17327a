import { keepPreviousData } from '@tanstack/react-query'
import { listShapes, type Layer, type Shape } from '#contract/geography.ts'
import { useAnswer } from '#web/data/query.ts'
import { useShapes } from '#web/evaluation/use-shapes.ts'
import { boxInView } from './box-in-view.ts'

/** Layers of up to so many shapes are known whole while they are edited; of others those in view. */
const mostWhole = 5000
/** Shapes in view that are fetched. */
const mostInView = 5000

interface Neighbours {
  shapes: readonly Shape[] | undefined
  /** The map shows too much of a large layer: its shapes are not known. */
  isTooFar: boolean
}

/** Shapes that can be snapped to and merged: all of a layer, or of a large one those around what the map shows. */
export function useNeighbours(layer: Layer, view: readonly [number, number, number] | undefined): Neighbours {
  const isWhole = layer.shape_count <= mostWhole
  const box = isWhole || !view ? null : boxInView(view)
  const whole = useShapes(isWhole ? layer : null).data
  const query = {
    shape_layer_uuid: layer.shape_layer_uuid,
    size: mostInView,
    ...(box ? { box: box.join(',') } : {}),
  }
  const near = useAnswer(
    listShapes,
    { params: { region_id: layer.region_id }, query },
    { enabled: box !== null, placeholderData: keepPreviousData },
  ).data
  return isWhole
    ? { shapes: whole, isTooFar: false }
    : { shapes: box ? near?.items : undefined, isTooFar: box === null }
}
