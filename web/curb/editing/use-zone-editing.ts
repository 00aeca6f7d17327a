import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { findCurbEditZones } from '#contract/curb-edits.ts'
import { findCurbLineProblem, type CurbLineProblem } from '#contract/curb-line.ts'
import { filterCurbPolicies, type Regulation } from '#contract/curb-regulations.ts'
import { type Layer, listShapes } from '#contract/geography.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Viewport } from '#web/map/viewport.ts'
import { parseBasemapRole } from '#web/map/map-scene.ts'
import { getViewBox } from '../regulations/view-box.ts'
import { findEnds, isOnOtherSide, type Street } from './along-street.ts'
import { storeDraft, loadDraft } from './stored-draft.ts'
import { beginEditing, editReducer, findSubject, findSubjects } from './edit-state.ts'
import { findChangedFields, toForm } from './zone-draft.ts'
import type { Subject } from './zone-operations.ts'

/** Zones are loaded when the map has not moved for this time. */
const panPauseMs = 250
/** Maximum number of streets to load for the view. */
const maxStreets = 5000
const maxPolicies = 1000

export type ZoneProblem = CurbLineProblem | 'other_side'

/** An editing session for curb zones: its state, data loaded for the view, and values derived from both. */
export function useZoneEditing(regionId: string, layers: readonly Layer[] | null, view: Viewport) {
  const params = { region_id: regionId }
  const [restored] = useState(() => loadDraft(regionId))
  const [state, dispatch] = useReducer(editReducer, restored, beginEditing)
  const [restingView] = useDebouncedValue(view, panPauseMs)
  const box = getViewBox(restingView)
  const zones = useEndpointQuery(
    findCurbEditZones,
    { params, body: { box } },
    { enabled: box !== null, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const streets = useStreets(regionId, layers, box)
  const policies = useEndpointQuery(filterCurbPolicies, { params, body: { size: maxPolicies } }).data
  useEffect(() => {
    if (zones.data) dispatch({ type: 'loaded', zones: zones.data.items })
  }, [zones.data])
  const draft = state.history.now
  useEffect(() => storeDraft(regionId, draft), [regionId, draft])
  const published = useMemo(
    () =>
      (policies?.items ?? []).filter(
        (regulation): regulation is Regulation => regulation.published_policy_id !== null,
      ),
    [policies],
  )
  const { loadedZones, selected } = state
  /** The zones of the view as they are in the draft, and all zones of the draft. */
  const visibleZones = useMemo(() => {
    const ids = new Set([...(zones.data?.items ?? []).map((zone) => zone.curb_zone_id), ...draft.keys()])
    return [...ids].flatMap((id) => findSubject({ history: state.history, loadedZones }, id) ?? [])
  }, [zones.data, draft, state.history, loadedZones])
  const { neighbors, snapTo } = useNeighbors(visibleZones, selected, streets)
  const problems = useMemo(() => findProblems(draft, streets), [draft, streets])
  return {
    state,
    dispatch,
    draft,
    subjects: findSubjects(state),
    visibleZones,
    streets,
    neighbors,
    snapTo,
    problems,
    published,
    isRestored: restored.size > 0,
    isTooFar: box === null,
    isComplete: zones.data?.is_complete !== false,
    isLoading: zones.isLoading,
    error: zones.error,
    retry: () => void zones.refetch(),
  }
}

export type ZoneEditing = ReturnType<typeof useZoneEditing>

/** Returns the streets of the view, from the region's basemap layer of streets. */
function useStreets(
  regionId: string,
  layers: readonly Layer[] | null,
  box: ReturnType<typeof getViewBox>,
): readonly Street[] {
  const streetLayer = layers?.find(({ level }) => parseBasemapRole(level) === 'street')
  const streetShapes = useEndpointQuery(
    listShapes,
    {
      params: { region_id: regionId },
      query: {
        shape_layer_uuid: streetLayer?.shape_layer_uuid ?? '',
        size: maxStreets,
        ...(box ? { box: box.join(',') } : {}),
      },
    },
    { enabled: box !== null && streetLayer !== undefined, placeholderData: keepPreviousData },
  ).data
  return useMemo(
    () =>
      (streetShapes?.items ?? []).flatMap(({ shape_name: name, geom }): Street[] =>
        toLines(geom).map((line) => ({ name, line })),
      ),
    [streetShapes],
  )
}

/** Returns the lines of a street; none if its shape is a point or an area. */
function toLines(geometry: Geometry): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  return geometry.type === 'MultiLineString' ? geometry.coordinates : []
}

/** Returns the zones around the selected ones, and what lines snap to: zones and streets. */
function useNeighbors(
  visibleZones: readonly Subject[],
  selected: readonly string[],
  streets: readonly Street[],
) {
  const neighbors = useMemo(() => {
    const geometries = visibleZones.filter(({ id }) => !selected.includes(id)).map(({ now }) => now.geometry)
    return { geometries, ends: geometries.flatMap(findEnds) }
  }, [visibleZones, selected])
  const snapTo = useMemo(
    (): readonly Geometry[] => [
      ...neighbors.geometries,
      ...streets.map(({ line }): Geometry => ({ type: 'LineString', coordinates: line as Position[] })),
    ],
    [neighbors, streets],
  )
  return { neighbors, snapTo }
}

/** Finds why zones of the draft cannot be saved, or should be checked again (`other_side`). */
function findProblems(
  draft: ReturnType<typeof beginEditing>['history']['now'],
  streets: readonly Street[],
): ReadonlyMap<string, ZoneProblem> {
  const problemsById = new Map<string, ZoneProblem>()
  for (const { id, base, now } of draft.values()) {
    if (!now) continue
    const changedFields = base ? findChangedFields(toForm(base), now) : null
    // A stored zone is checked only if its line or side was changed.
    if (changedFields && !changedFields.includes('geometry') && !changedFields.includes('street_side'))
      continue
    const problem = findCurbLineProblem(now.geometry, now.street_side)
    const isLine = now.geometry.type === 'LineString'
    if (problem) problemsById.set(id, problem)
    else if (
      isLine &&
      now.street_side &&
      isOnOtherSide(now.geometry.coordinates as Position[], now.street_side, streets)
    )
      problemsById.set(id, 'other_side')
  }
  return problemsById
}
