import type { ImportRequirement, TripMapping } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import { type DateEvidence, findAmbiguousColumn } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { FileAnswers } from './files/file-kind.ts'
import type { FileSurvey, PlaceCounts } from './survey-file.ts'

/** Lists the columns of a trip file that contain dates. */
export const listTimeColumns = ({ columns }: TripMapping): string[] =>
  [columns.start_time ?? columns.start_date, columns.end_time ?? columns.end_date].filter(
    (name) => name !== undefined,
  )

/** Returns the columns of the start coordinates; null if the file has none. */
export const getPlaceColumns = ({
  columns: { start_lon: lon, start_lat: lat },
}: TripMapping): { lon: string; lat: string } | null => (lon && lat ? { lon, lat } : null)

const formatCount = (rows: number): string => rows.toLocaleString('en')

/** Returns a question if more than half of the places are outside of the region; null otherwise. */
export function askOutsideRegion(
  { rows, outside, swapped }: PlaceCounts,
  region: Region,
  noun = 'rows',
): string | null {
  if (outside * 2 <= rows) return null
  const hint =
    // Most rows outside would be inside with swapped coordinates, so the columns are probably swapped.
    swapped * 2 > outside
      ? ` ${formatCount(swapped)} of them lie in it if longitude and latitude change places.`
      : ''
  return `${formatCount(outside)} of ${formatCount(rows)} ${noun} lie outside the region: more than ${regionReachKm} km from the center of ${region.text}, or not on earth.${hint}`
}

/** Returns the question about the order of dates if it is ambiguous and not answered; null otherwise. */
export function askDateOrder(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  chosenOrder: DateOrder | null,
) {
  const ambiguousColumn = findAmbiguousColumn(dates, columns, chosenOrder)
  return (
    ambiguousColumn && {
      orders: ambiguousColumn.orders,
      text: `Dates of the column '${ambiguousColumn.column}' can be read in more than one order, as ${ambiguousColumn.example}. Choose the order of dates.`,
    }
  )
}

/** Finds the questions that must be answered before rows are stored, with a sentence for each. */
export function findOpenQuestions(
  survey: FileSurvey,
  timeColumns: readonly string[],
  answers: FileAnswers,
  region: Region,
): { asks: ImportRequirement[]; notes: string[] } {
  const orderQuestion = askDateOrder(survey.dates, timeColumns, answers.dateOrder ?? null)
  const outsideQuestion = answers.acceptOutside
    ? null
    : (askOutsideRegion(survey.places, region) ??
      (answers.stations ? askOutsideRegion(answers.stations.places, region, 'stations') : null))
  return {
    asks: [
      ...(orderQuestion ? (['date_order'] as const) : []),
      ...(outsideQuestion ? (['outside_region'] as const) : []),
    ],
    notes: [orderQuestion?.text, outsideQuestion].filter((text) => text !== null && text !== undefined),
  }
}
