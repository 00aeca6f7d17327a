import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import {
  queryIssuesByShape,
  queryIssuesByShapeAndDay,
  getIssue,
  listIssuePoints,
  listIssues,
  listIssueTypes,
} from '#contract/issues.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { isMissingData } from '#web/map-page/by-shape/is-missing-data.ts'
import { activeLayer, layerOptions } from '#web/map-page/layer-options.ts'
import { comparedPeriod, getDataCoverage } from '#web/filters/comparison.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { parseIssueKey } from './issue-key.ts'
import { type IssuesQuestion, toIssuesQuestion, getShownDay } from './issues-question.ts'
import type { IssuesSearch } from './issues-search.ts'

const pageSize = 50
/** Represents a layer in requests that are not sent. */
const noLayerId = '00000000-0000-0000-0000-000000000000'

/** Requests the data of the 311 map for the parameters of the URL. */
export function useIssues({ regionId }: Region, search: IssuesSearch, today: LocalDay) {
  const inRegion = { params: { region_id: regionId } }
  const isByShape = search.show === 'shapes'
  const layers = useEndpointQuery(listLayers, inRegion)
  const options = useMemo(() => layerOptions(layers.data?.items ?? []), [layers.data])
  const layer = isByShape ? activeLayer(options, search.layer) : null
  const shapes = useShapes(layer)
  const question = useMemo(() => toIssuesQuestion(search, today), [search, today])
  const { service_code: _types, status: _status, ...days } = question
  // `types`: all, for names and colors. `choices`: with the numbers of the period, for the filters.
  const types = useEndpointQuery(listIssueTypes, { ...inRegion, query: {} })
  const choices = useEndpointQuery(
    listIssueTypes,
    { ...inRegion, query: days },
    { placeholderData: keepPreviousData },
  )
  const points = useEndpointQuery(
    listIssuePoints,
    { ...inRegion, query: question },
    { enabled: !isByShape, placeholderData: keepPreviousData },
  )
  const { byShape, byDay, before, compared } = useIssuesByShape({
    regionId,
    search,
    question,
    layerId: layer?.shape_layer_uuid ?? null,
    dataDays: types.data ?? null,
  })
  const { day, list } = useIssueList(regionId, search, question)
  const issue = useSelectedIssue(regionId, search)
  const isMissing = isMissingData(byShape.error)
  const failedQuery =
    [
      layers,
      types,
      choices,
      ...(isByShape
        ? [
            shapes,
            ...(isMissing ? [] : [byShape, ...(search.by ? [byDay] : []), ...(compared ? [before] : [])]),
          ]
        : [points]),
    ].find((query) => query.error) ?? null
  const mainQuery = isByShape ? byShape : points
  return {
    layers: layers.data?.items ?? null,
    options,
    layer,
    shapes: shapes.data ?? null,
    question,
    types: types.data ?? null,
    choices: choices.data?.items ?? null,
    points: isByShape ? null : (points.data ?? null),
    byShape: layer && !isMissing ? (byShape.data ?? null) : null,
    isMissing,
    list,
    day,
    issue,
    /** The shapes by day, and those of the other period; null if not requested. */
    byDay: layer && search.by && !isMissing ? (byDay.data ?? null) : null,
    before: layer && compared && !isMissing ? (before.data ?? null) : null,
    isWaiting:
      layers.isLoading ||
      types.isLoading ||
      mainQuery.isFetching ||
      shapes.isLoading ||
      byDay.isFetching ||
      before.isFetching,
    isStale:
      mainQuery.isPlaceholderData ||
      mainQuery.isLoading ||
      byDay.isPlaceholderData ||
      (compared !== null && before.isLoading),
    error: failedQuery?.error ?? null,
    retry: () => void failedQuery?.refetch(),
  }
}

interface ByShapeInput {
  regionId: string
  search: IssuesSearch
  question: IssuesQuestion
  /** Null if points are shown. */
  layerId: string | null
  dataDays: EndpointOutput<typeof listIssueTypes> | null
}

/** Returns the issues by shape, by shape and day, and by shape in the compared period. */
function useIssuesByShape({ regionId, search, question, layerId, dataDays }: ByShapeInput) {
  const inRegion = { params: { region_id: regionId } }
  const layerQuestion = { ...question, shape_layer_uuid: layerId ?? noLayerId }
  const byShape = useEndpointQuery(
    queryIssuesByShape,
    { ...inRegion, query: layerQuestion },
    { enabled: layerId !== null, placeholderData: keepPreviousData },
  )
  const byDay = useEndpointQuery(
    queryIssuesByShapeAndDay,
    { ...inRegion, query: { ...layerQuestion, measure: search.measure ?? 'count' } },
    { enabled: layerId !== null && search.by !== undefined, placeholderData: keepPreviousData },
  )
  const other = comparedPeriod(search)
  // A period without data has an unknown number of issues, not zero.
  const compared = other && dataDays && getDataCoverage(other, dataDays) === 'none' ? null : other
  // No placeholder data: values of a previous comparison would appear under the new dates.
  const before = useEndpointQuery(
    queryIssuesByShape,
    { ...inRegion, query: { ...layerQuestion, ...compared } },
    { enabled: layerId !== null && compared !== null },
  )
  return { byShape, byDay, before, compared }
}

/** Returns the page of the list of issues. */
function useIssueList(regionId: string, search: IssuesSearch, question: IssuesQuestion) {
  // During a playback the table stays at the last selected day: days in between need no requests.
  const day = getShownDay(search, question)
  const list = useEndpointQuery(
    listIssues,
    {
      params: { region_id: regionId },
      query: {
        ...question,
        ...(day ? { start_date: day, end_date: day } : {}),
        ...(search.sort ? { order_by: search.sort } : {}),
        page: search.page ?? 1,
        size: search.size ?? pageSize,
      },
    },
    { enabled: search.results === true && search.show !== 'shapes', placeholderData: keepPreviousData },
  )
  return { day, list }
}

/** Returns the selected issue. */
function useSelectedIssue(regionId: string, search: IssuesSearch) {
  const { source, id } = parseIssueKey(search.issue ?? '')
  return useEndpointQuery(
    getIssue,
    { params: { region_id: regionId, issue_id: id }, query: source === null ? {} : { source } },
    { enabled: search.issue !== undefined && search.show !== 'shapes' },
  )
}
