import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { askMostRecentTrips, askTripsSpatial, getTripsExtent } from '#contract/evaluation.ts'
import { listLayers } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { useAnswer } from '#web/data/query.ts'
import { isMissingData } from './is-missing-data.ts'
import { activeLayer, layerOptions } from './layer-options.ts'
import { readTripsEvaluation } from './read-trips-evaluation.ts'
import { heatQuestion, tripsQuestion } from './trips-question.ts'
import type { TripsSearch } from './trips-search.ts'
import { useShapes } from './use-shapes.ts'

const never = '00000000-0000-0000-0000-000000000000'

/** Everything that the trips map asks the server, for what the address bar says. */
export function useTripsMap(region: Region, search: TripsSearch, today: LocalDay) {
  const inRegion = { params: { region_id: region.regionId } }
  const layers = useAnswer(listLayers, inRegion)
  const extent = useAnswer(getTripsExtent, inRegion)
  const options = useMemo(() => layerOptions(layers.data?.items ?? []), [layers.data])
  const layer = activeLayer(options, search.layer)
  const shapes = useShapes(layer)

  const question = useMemo(() => tripsQuestion(search, layer ?? { region_id: region.regionId, shape_layer_uuid: never }, today), [search, layer, region.regionId, today])
  const isAsked = layer !== null
  const spatial = useAnswer(askTripsSpatial, { body: question }, { enabled: isAsked, placeholderData: keepPreviousData })
  // A selected shape filters the map; its own numbers come from the question without it, which is most often known already.
  const whole = useAnswer(askTripsSpatial, { body: { ...question, shape_filter: null } }, { enabled: isAsked && search.shape !== undefined })
  const heat = useAnswer(askMostRecentTrips, { query: heatQuestion(search, region.regionId, today) }, { enabled: search.heat !== undefined, placeholderData: keepPreviousData })

  const isMissing = isMissingData(spatial.error)
  const evaluation = useMemo(
    () => (spatial.data && shapes.data ? readTripsEvaluation(spatial.data, shapes.data, region.isMetric) : null),
    [spatial.data, shapes.data, region.isMetric],
  )
  const failed = [layers, shapes, isMissing ? null : spatial, search.heat === undefined ? null : heat].find((each) => each?.error) ?? null
  return {
    layers: layers.data?.items ?? null, options, layer, shapes: shapes.data ?? null, extent: extent.data ?? null, question, evaluation,
    selected: search.shape === undefined ? null : (whole.data?.shape_data[search.shape] ?? null),
    heat: search.heat === undefined ? null : (heat.data?.data ?? null),
    /** An answer is on its way; whatever is shown is of the question before. */
    isWaiting: layers.isLoading || shapes.isLoading || spatial.isFetching || heat.isFetching,
    isStale: spatial.isPlaceholderData || spatial.isLoading,
    /** The answer is here and there is nothing in it, or nothing that it could be asked of. */
    isEmpty: isMissing || (evaluation !== null && evaluation.total === 0),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}
