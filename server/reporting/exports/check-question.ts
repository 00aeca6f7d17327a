import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { getExportColumns, exportTables, type ExportTableName } from '#contract/export-tables.ts'
import { type ExportFormat, type ExportQuestion, maxExportDays } from '#contract/exports.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import { Problem } from '#server/http/problem.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { Selection } from './tables/export-source.ts'

const makeProblem = (field: string, message: string): Problem =>
  new Problem('validation_error', `${field}: ${message}`, [{ path: field, message }])

/** More operators than any organization has, to read all of them in one page. */
const maxOperators = 10_000

type Period = Pick<ExportQuestion, 'start_date' | 'end_date'>

function checkPeriod(
  { start_date: firstDay, end_date: lastDay }: Period,
  isRequired: boolean,
  today: string,
): void {
  if (firstDay === null && lastDay === null && !isRequired) return
  if (firstDay === null) throw makeProblem('start_date', 'The first day is missing.')
  if (lastDay === null) throw makeProblem('end_date', 'The last day is missing.')
  if (lastDay < firstDay) throw makeProblem('end_date', 'The last day is before the first.')
  if (dayNumber(lastDay) - dayNumber(firstDay) >= maxExportDays)
    throw makeProblem('end_date', 'One export holds five years at most.')
  if (firstDay > today) throw makeProblem('start_date', 'The period has not begun yet.')
}

/** Checks that the period, filters and columns of a question fit its table. @throws Problem if not. */
export function checkFields(
  table: ExportTableName,
  question: ExportQuestion,
  { isExact, today, format }: { isExact: boolean; today: string; format?: ExportFormat },
): void {
  const { filters, time, geometry, columns } = exportTables[table]
  checkPeriod(question, time !== null, today)
  if (question.operators.length && !filters.includes('operators'))
    throw makeProblem('operators', `The table ${table} has no operators.`)
  if (question.vehicle_types.length && !filters.includes('vehicle_types'))
    throw makeProblem('vehicle_types', `The table ${table} has no vehicle types.`)
  if (question.shape_layer_uuid !== null && !filters.includes('layer'))
    throw makeProblem('shape_layer_uuid', `The table ${table} has no layers.`)
  if (format === 'geojson' && !geometry)
    throw makeProblem('format', `The table ${table} has no geometry. Choose CSV or Parquet.`)
  const visibleColumns = getExportColumns(table, isExact)
  for (const name of question.columns)
    if (!Object.hasOwn(columns, name))
      throw makeProblem('columns', `The table ${table} has no column '${name}'.`)
    else if (!visibleColumns.includes(name))
      throw new Problem('forbidden', `The column ${name} is for users who may see single trips.`)
  if (new Set(question.columns).size !== question.columns.length)
    throw makeProblem('columns', 'Name each column once.')
}

/** Checks that the viewer sees operators and layer of a question in the region. @throws Problem if not. */
export async function checkNames(
  { state, facts }: { state: State; facts: Facts },
  scope: Scope,
  regionId: string,
  question: Pick<ExportQuestion, 'operators' | 'shape_layer_uuid'>,
): Promise<void> {
  if (question.shape_layer_uuid !== null) await findLayer(state, scope, regionId, question.shape_layer_uuid)
  if (!question.operators.length) return
  const { items } = await listOperators(state, facts, scope, {
    region_id: regionId,
    orderBy: 'slug',
    page: 1,
    size: maxOperators,
  })
  const knownSlugs = new Set(items.map(({ slug }) => slug))
  const unknownSlug = question.operators.find((slug) => !knownSlugs.has(slug))
  if (unknownSlug !== undefined)
    throw makeProblem('operators', `There is no operator '${unknownSlug}' in this region.`)
}

export const getToday = ({ timezone }: Pick<Region, 'timezone'>, at: Date): string => localDay(at, timezone)

/** Converts a valid question to the selection of its rows. */
export function toSelection(
  { regionId, timezone }: Pick<Region, 'regionId' | 'timezone'>,
  { start_date: first, end_date: last, operators, vehicle_types, shape_layer_uuid }: ExportQuestion,
): Selection {
  return {
    regionId,
    timezone,
    period:
      first === null || last === null
        ? null
        : { first, last, from: startOfDay(first, timezone), until: endOfDay(last, timezone) },
    operators,
    vehicleTypes: vehicle_types,
    layerId: shape_layer_uuid,
  }
}
