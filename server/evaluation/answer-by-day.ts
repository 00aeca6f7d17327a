import { notInShape, type ShapeCounts } from '#contract/evaluation.ts'
import type { Found, Question } from './ask-trips-by-shape.ts'
import { aggregationOf } from './answer-spatial.ts'
import { allTrips } from './queries/trips-by-shape.ts'
import { keyOf, shapeCounts } from './shape-counts.ts'

/** Day -> shape -> numbers; a day's own number of days is one. */
export function answerByDay(question: Question, { rows, shapeIds }: Found): Record<string, Record<string, ShapeCounts>> {
  const aggregation = aggregationOf(question)
  const byDay: Record<string, Record<string, ShapeCounts>> = {}
  for (const row of rows) if (row.day && row.shape !== allTrips) (byDay[row.day] ??= {})[keyOf(row, shapeIds)] = shapeCounts(row, aggregation, 1)
  return byDay
}

const quoted = (text: string): string => {
  // A cell that a spreadsheet would run as a formula is made text.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The same as CSV: one line a day and shape, by day, then by name. */
export function csvByDay(byDay: Record<string, Record<string, ShapeCounts>>, names: ReadonlyMap<string, string>): string {
  const lines = ['date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n']
  for (const [day, shapes] of Object.entries(byDay))
    for (const [id, { orig, dest, count, value, n }] of Object.entries(shapes).sort(([a], [b]) => (names.get(a) ?? a).localeCompare(names.get(b) ?? b)))
      lines.push([day, id, quoted(id === notInShape ? notInShape : (names.get(id) ?? '')), orig, dest, count, value ?? '', n].join(','))
  return lines.join('\n') + '\n'
}
