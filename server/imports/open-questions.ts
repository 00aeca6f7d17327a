import type { ImportRequirement, TripMapping } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import type { FileGiven } from './files/file-kind.ts'
import type { FileSurvey, PlacesFound } from './survey-file.ts'
import { type DateEvidence, openOrder } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'

/** The columns of a trip file that hold dates. */
export const timeColumns = ({ columns }: TripMapping): string[] =>
  [columns.start_time ?? columns.start_date, columns.end_time ?? columns.end_date].filter(
    (name) => name !== undefined,
  )

/** The columns of the start's place; null if the file has no coordinates. */
export const placeColumns = ({
  columns: { start_lon: lon, start_lat: lat },
}: TripMapping): { lon: string; lat: string } | null => (lon && lat ? { lon, lat } : null)

const count = (rows: number): string => rows.toLocaleString('en')

/** Why rows must not be stored without confirmation: more than half of them are outside of the region. Null otherwise. */
export function outsideRegion(
  { rows, outside, swapped }: PlacesFound,
  region: Region,
  what = 'rows',
): string | null {
  if (outside * 2 <= rows) return null
  const hint =
    swapped * 2 > outside
      ? ` ${count(swapped)} of them lie in it if longitude and latitude change places.`
      : ''
  return `${count(outside)} of ${count(rows)} ${what} lie outside the region: more than ${regionReachKm} km from the center of ${region.text}, or not on earth.${hint}`
}

/** The question about the order of dates if the file's own dates do not settle it. Null if they do, or if it was answered. */
export function orderQuestion(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  answered: DateOrder | null,
) {
  const open = openOrder(dates, columns, answered)
  return (
    open && {
      orders: open.orders,
      text: `Dates of the column '${open.column}' can be read in more than one order, as ${open.example}. Choose the order of dates.`,
    }
  )
}

/** The open questions before rows are stored, with a sentence for each. */
export function openQuestions(
  survey: FileSurvey,
  times: readonly string[],
  given: FileGiven,
  region: Region,
): { asks: ImportRequirement[]; notes: string[] } {
  const order = orderQuestion(survey.dates, times, given.dateOrder ?? null)
  const outside = given.acceptOutside
    ? null
    : (outsideRegion(survey.places, region) ??
      (given.stations ? outsideRegion(given.stations.places, region, 'stations') : null))
  return {
    asks: [...(order ? (['date_order'] as const) : []), ...(outside ? (['outside_region'] as const) : [])],
    notes: [order?.text, outside].filter((text) => text !== null && text !== undefined),
  }
}
