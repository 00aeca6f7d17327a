import { healthFigureNames } from '#contract/health-figures.ts'
import { healthRowOrders } from '#contract/health.ts'
import {
  day,
  enumParam,
  orderDays,
  type SearchOf,
  searchParams,
  sort,
  tableParams,
  text,
} from '#web/shell/search-params.ts'

/** URL parameters of data health: operator and days (each with a default), and the figure with open rows. */
export const healthSearch = searchParams(
  {
    operator: text(),
    start_date: day,
    end_date: day,
    figure: enumParam(healthFigureNames),
    ...tableParams,
    sort: sort(healthRowOrders, '-time'),
  },
  orderDays('start_date', 'end_date'),
  (state) =>
    state.figure
      ? state
      : { ...state, page: undefined, size: undefined, sort: undefined, columns: undefined },
)
export type HealthSearch = SearchOf<typeof healthSearch>

/** Returns the period as API parameters; empty for the default. */
export const toPeriodQuery = ({
  start_date,
  end_date,
}: HealthSearch): { start_date?: string; end_date?: string } =>
  start_date && end_date ? { start_date, end_date } : {}
