import type { IssueStatus } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import type { IssuesSearch } from './issues-search.ts'

/** The filters in the format of the endpoints; unset filters are absent. */
export interface IssuesQuestion {
  start_date: LocalDay
  end_date: LocalDay
  service_code?: string
  status?: IssueStatus
  resolution_time?: string
}

/** Returns the day of a map of single days: by default the first; null if all days are shown at once. */
export function getShownDay(
  { by, at }: Pick<IssuesSearch, 'by' | 'at'>,
  { start_date, end_date }: IssuesQuestion,
): LocalDay | null {
  if (by === undefined) return null
  return at !== undefined && at >= start_date && at <= end_date ? at : start_date
}

/** Returns the question of the 311 map for the URL. */
export function toIssuesQuestion(search: IssuesSearch, today: LocalDay): IssuesQuestion {
  const { types, status, resolution_time } = search
  return {
    ...selectedPeriod(search, today),
    ...(types ? { service_code: types.join(',') } : {}),
    ...(status ? { status } : {}),
    ...(resolution_time ? { resolution_time: resolution_time } : {}),
  }
}
