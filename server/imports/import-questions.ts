import type { ImportRequirement, TripMapping } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import type { StoredAnswers } from './files/file-kind.ts'
import type { FileSurvey, PlaceCounts } from './survey-file.ts'
import { type DateEvidence, findAmbiguousColumn } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'

/** Returns the columns of a trip file that contain dates. */
export const timeColumns = ({ columns }: TripMapping): string[] =>
  [columns.start_time ?? columns.start_date, columns.end_time ?? columns.end_date].filter(
    (name) => name !== undefined,
  )

/** Returns the columns of the start coordinates; null if the file has none. */
export const placeColumns = ({
  columns: { start_lon: lon, start_lat: lat },
}: TripMapping): { lon: string; lat: string } | null => (lon && lat ? { lon, lat } : null)

const formatCount = (rows: number): string => rows.toLocaleString('en')

/** Returns the question for confirmation if more than half of the rows are outside of the region, or null. */
export function askOutsideRegion(
  { rows, outside, swapped }: PlaceCounts,
  region: Region,
  noun = 'rows',
): string | null {
  if (outside * 2 <= rows) return null
  const hint =
    swapped * 2 > outside
      ? ` ${formatCount(swapped)} of them lie in it if longitude and latitude change places.`
      : ''
  return `${formatCount(outside)} of ${formatCount(rows)} ${noun} lie outside the region: more than ${regionReachKm} km from the center of ${region.text}, or not on earth.${hint}`
}

/** Returns the question about the order of dates if it is ambiguous and not answered; null otherwise. */
export function askDateOrder(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  chosen: DateOrder | null,
) {
  const ambiguous = findAmbiguousColumn(dates, columns, chosen)
  return (
    ambiguous && {
      orders: ambiguous.orders,
      text: `Dates of the column '${ambiguous.column}' can be read in more than one order, as ${ambiguous.example}. Choose the order of dates.`,
    }
  )
}

/** Finds the questions that must be answered before rows are stored, with a sentence for each. */
export function findOpenQuestions(
  survey: FileSurvey,
  times: readonly string[],
  answers: StoredAnswers,
  region: Region,
): { asks: ImportRequirement[]; notes: string[] } {
  const order = askDateOrder(survey.dates, times, answers.dateOrder ?? null)
  const outside = answers.acceptOutside
    ? null
    : (askOutsideRegion(survey.places, region) ??
      (answers.stations ? askOutsideRegion(answers.stations.places, region, 'stations') : null))
  return {
    asks: [...(order ? (['date_order'] as const) : []), ...(outside ? (['outside_region'] as const) : [])],
    notes: [order?.text, outside].filter((text) => text !== null && text !== undefined),
  }
}
