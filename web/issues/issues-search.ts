import { issueMeasures, issueSortKeys, type IssueMeasure } from '#contract/issues.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import { type AxisExtra, playOrCompare } from '#web/map-page/by-shape/map-search.ts'
import { colorsParam } from '#web/filters/color-field.tsx'
import { comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import { orderPeriod, periodParams } from '#web/filters/period.ts'
import {
  day,
  enumListParam,
  enumParam,
  flag,
  listParam,
  matching,
  type SearchOf,
  searchParams,
  sort,
  tableParams,
  text,
  uuid,
  view,
} from '#web/shell/search-params.ts'

/** What the color of a point represents. */
export const colorings = ['status', 'type'] as const
export type Coloring = (typeof colorings)[number]
/** What the color of a shape represents. */
export const measures = issueMeasures
export type Measure = IssueMeasure
/** The time axis of issues has days, optionally with the weather. */
export const issueBuckets = ['day'] as const satisfies readonly TimeBucket[]
export const issueExtras = ['weather'] as const satisfies readonly AxisExtra[]
/** Ranges of resolution time in hours, as in the API. */
export const resolutionChoices = ['24', '24-72', '72-168', '168-'] as const

/** URL parameters of the 311 map. Only shapes can be compared with another period. */
export const issuesSearch = searchParams(
  {
    /** Whether shapes with values are shown instead of points. */
    show: enumParam(['shapes']),
    color: enumParam(colorings, 'status'),
    measure: enumParam(measures, 'count'),
    layer: uuid,
    shape: uuid,
    colors: colorsParam,
    ...periodParams,
    /** Service codes, which the API separates by commas. */
    types: listParam(matching(/^[^,]{1,300}$/)),
    status: enumParam(['open', 'closed']),
    resolution_time: matching(/^(\d{1,6}|\d{1,6}-(\d{1,6})?)$/),
    /** The selected issue, as in issue-key.ts. */
    issue: text(300),
    ...tableParams,
    /** Sort order of the list of issues; that of shapes is not in the URL. */
    sort: sort(issueSortKeys, '-requested_time'),
    results: flag,
    view,
    by: enumParam<TimeBucket>(issueBuckets),
    at: day,
    under: enumListParam<AxisExtra>(issueExtras),
    ...comparisonParams,
  },
  orderPeriod,
  (state) => (state.show ? state : { ...state, compare_start_date: undefined, compare_end_date: undefined }),
  orderComparison,
  playOrCompare,
)
export type IssuesSearch = SearchOf<typeof issuesSearch>
