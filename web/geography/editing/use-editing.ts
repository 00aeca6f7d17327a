import { useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react'
import { getShape, type Layer, listShapes, type Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { boxInView } from '#web/map-page/editing/box-in-view.ts'
import { isNewId } from '../draft/draft.ts'
import { storeDraft, loadDraft } from '../draft/stored-draft.ts'
import { findProblems, type Problem } from '../geometry/geometry-problems.ts'
import { beginEditing, editReducer } from './edit-state.ts'
import { keepPreviousData } from '@tanstack/react-query'
import { useShapes } from '#web/map-page/use-shapes.ts'

/** Layers with at most this many shapes are loaded completely; of larger ones, only shapes in view. */
const maxLoadedShapes = 5000
/** Maximum number of shapes to load for the view. */
const maxShapesInView = 5000

interface Neighbors {
  shapes: readonly Shape[] | undefined
  /** The map shows too much of a large layer, so its shapes are not loaded. */
  isTooFar: boolean
}

/** Shapes that can be snapped to and merged: all of a layer, or those around the view of a large layer. */
function useNeighbors(layer: Layer, view: readonly [number, number, number] | undefined): Neighbors {
  const isFullyLoaded = layer.shape_count <= maxLoadedShapes
  const box = isFullyLoaded || !view ? null : boxInView(view)
  const allShapes = useShapes(isFullyLoaded ? layer : null).data
  const query = {
    shape_layer_uuid: layer.shape_layer_uuid,
    size: maxShapesInView,
    ...(box ? { box: box.join(',') } : {}),
  }
  const shapesInView = useEndpointQuery(
    listShapes,
    { params: { region_id: layer.region_id }, query },
    { enabled: box !== null, placeholderData: keepPreviousData },
  ).data
  return isFullyLoaded
    ? { shapes: allShapes, isTooFar: false }
    : { shapes: box ? shapesInView?.items : undefined, isTooFar: box === null }
}

/**
 * An editing session of a layer: its state, which survives a reload, and values derived from it.
 *
 * @param view Longitude, latitude and zoom of the map
 */
export function useEditing(
  layer: Layer,
  view: readonly [number, number, number] | undefined,
  selected: string | null,
  onSelect: (id: string | null) => void,
) {
  const { region_id: regionId, shape_layer_uuid: layerId } = layer
  const [restored] = useState(() => loadDraft(regionId, layerId))
  const [state, dispatch] = useReducer(editReducer, null, () => beginEditing(restored, selected))
  const draft = state.history.now
  const { shapes, isTooFar } = useNeighbors(layer, view)
  const selectedShape = useEndpointQuery(
    getShape,
    { params: { region_id: regionId, shape_uuid: state.selected ?? '' } },
    {
      enabled:
        state.selected !== null &&
        !isNewId(state.selected) &&
        !state.storedShapes.has(state.selected) &&
        (shapes === undefined || shapes.length < layer.shape_count),
    },
  ).data
  useEffect(() => {
    if (shapes) dispatch({ type: 'known', shapes })
  }, [shapes])
  useEffect(() => {
    if (selectedShape) dispatch({ type: 'known', shapes: [selectedShape] })
  }, [selectedShape])
  useEffect(() => void storeDraft(regionId, layerId, draft), [regionId, layerId, draft])
  // The selection is in the URL and in the session; a change of one updates the other.
  const reportSelection = useEffectEvent((id: string | null) => {
    if (id !== selected) onSelect(id)
  })
  useEffect(() => dispatch({ type: 'select', id: selected }), [selected])
  useEffect(() => reportSelection(state.selected), [state.selected])
  const problems = useMemo(() => {
    const problemsById = new Map<string, Problem[]>()
    for (const { id, base, now } of draft.values()) {
      const shapeProblems = now && now.geom !== base?.geom ? findProblems(now.geom) : []
      if (shapeProblems.length > 0) problemsById.set(id, shapeProblems)
    }
    return problemsById
  }, [draft])
  const { selected: selectedId } = state
  const snapTo = useMemo(() => {
    const others = (shapes ?? [])
      .filter(({ shape_uuid }) => shape_uuid !== selectedId && !draft.has(shape_uuid))
      .map(({ geom }): Geometry => geom)
    return [
      ...others,
      ...[...draft.values()].flatMap(({ id, now }) => (now && id !== selectedId ? [now.geom] : [])),
    ]
  }, [shapes, draft, selectedId])
  return {
    state,
    dispatch,
    draft,
    shapes: shapes ?? [],
    problems,
    snapTo,
    isRestored: restored.size > 0,
    isTooFar,
  }
}
