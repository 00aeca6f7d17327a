import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { Geometry } from '#contract/place.ts'
import { readPolicyRecords } from '#server/compliance/days/read-compliance.ts'
import { toWkt } from '#server/geography/boundary-files/export/export-layer.ts'
import { issueConditions } from '#server/issues/issue-conditions.ts'
import { filterNewest, readPolicy, selectVisiblePolicies } from '#server/policies/policy-row.ts'
import { getToday } from '#server/policies/today-in.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { type StateContext, type StateSource, type Selection, uncounted } from './export-source.ts'

const rowsPerPage = 2000
const joinWords = (list: readonly unknown[]): string => list.join(' ')
const toPeriodFields = ({ period }: Selection): { start_date?: LocalDay; end_date?: LocalDay } =>
  period ? { start_date: period.first, end_date: period.last } : {}

/** Reads pages of rows until one is not full. */
async function* readPages<Row>(
  read: (offset: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += rowsPerPage) {
    const rows = await read(offset)
    if (rows.length) yield rows
    if (rows.length < rowsPerPage) return
  }
}

const selectIssues = ({ state, scope }: StateContext, selection: Selection) =>
  state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', selection.regionId)
    .where(issueConditions(toPeriodFields(selection), selection.timezone))

export const issues: StateSource = {
  kind: 'state',
  async *rows(context, selection) {
    const read = (offset: number) =>
      selectIssues(context, selection)
        .select([
          'issue_id as id',
          'source',
          'service_code',
          'service_name',
          'status',
          'source_status',
          'requested_time',
          'updated_time',
          'closed_time',
          'resolution_hours as resolution_time',
          'address',
          'lon',
          'lat',
          'description',
        ])
        .orderBy('requested_time')
        .orderBy('source')
        .orderBy('issue_id')
        .limit(rowsPerPage)
        .offset(offset)
        .execute()
    yield* readPages(read)
  },
  async count(context, selection) {
    const { timezone } = selection
    const counts = await selectIssues(context, selection)
      .select(({ fn, val, cast }) => [
        fn.countAll<string>().as('rows'),
        fn
          .count<string>(cast(fn('timezone', [val(timezone), 'requested_time']), 'date'))
          .distinct()
          .as('days'),
        fn.min<Date | null>('requested_time').as('first'),
        fn.max<Date | null>('requested_time').as('last'),
      ])
      .executeTakeFirstOrThrow()
    return {
      rows: Number(counts.rows),
      days: Number(counts.days),
      first_day: counts.first && localDay(counts.first, timezone),
      last_day: counts.last && localDay(counts.last, timezone),
    }
  },
}

const selectShapes = ({ state, scope }: StateContext, { regionId, layerId }: Selection) => {
  const shapesOfRegion = state
    .as(scope)
    .selectFrom('shape')
    .innerJoin('layer', 'layer.layer_id', 'shape.layer_id')
    .where('shape.region_id', '=', regionId)
  return layerId === null ? shapesOfRegion : shapesOfRegion.where('shape.layer_id', '=', layerId)
}

export const shapes: StateSource = {
  kind: 'state',
  async *rows(context, selection) {
    const read = (offset: number) =>
      selectShapes(context, selection)
        .select([
          'shape.shape_uuid',
          'shape.shape_id',
          'shape.name as shape_name',
          'shape.description as shape_description',
          'shape.layer_id as shape_layer_uuid',
          'layer.name as layer_name',
          'shape.geometry',
          'shape.created_time',
          'shape.modified_time',
        ])
        .orderBy('layer.name')
        .orderBy('shape.layer_id')
        .orderBy('shape.position')
        .orderBy('shape.shape_uuid')
        .limit(rowsPerPage)
        .offset(offset)
        .execute()
    for await (const page of readPages(read))
      yield page.map((row) => ({ ...row, wkt: toWkt(row.geometry as Geometry) }))
  },
  async count(context, selection) {
    const { rows } = await selectShapes(context, selection)
      .select(({ fn }) => fn.countAll<string>().as('rows'))
      .executeTakeFirstOrThrow()
    return { ...uncounted, rows: Number(rows) }
  },
}

/** Whether two lists have a value in common. An empty list means all values. */
const overlaps = <T>(filter: readonly T[], values: readonly T[]): boolean =>
  !filter.length || !values.length || values.some((value) => filter.includes(value))

/** Reads the newest revisions of policies that have dates in the period and fit the filters, by name. */
async function readSelectedPolicies({ state, scope, at }: StateContext, selection: Selection) {
  const region = await findRegion(state, scope, selection.regionId)
  const { period, operators, vehicleTypes } = selection
  const revisions = await selectVisiblePolicies(state, scope)
    .where('region_id', '=', selection.regionId)
    .where('is_deleted', '=', false)
    .execute()
  return filterNewest(revisions)
    .map((row) => readPolicy(row, getToday(region, at)))
    .filter(({ start_date: start }) => !period || start === null || start <= period.last)
    .filter(({ end_date: end }) => !period || end === null || end >= period.first)
    .filter((policy) => overlaps(operators, policy.operators))
    .filter((policy) => overlaps(vehicleTypes, policy.vehicle_types))
    .sort((a, b) => a.policy_name.localeCompare(b.policy_name) || (a.policy_uuid < b.policy_uuid ? -1 : 1))
}

export const policies: StateSource = {
  kind: 'state',
  async *rows(context, selection) {
    yield (await readSelectedPolicies(context, selection)).map((policy) => ({
      ...policy,
      operators: joinWords(policy.operators),
      vehicle_types: joinWords(policy.vehicle_types),
      shape_uuids: joinWords(policy.shape_uuids),
      days: joinWords(policy.days),
    }))
  },
  async count(context, selection) {
    return { ...uncounted, rows: (await readSelectedPolicies(context, selection)).length }
  },
}

const complianceBatchDays = 92

export const complianceDays: StateSource = {
  kind: 'state',
  async *rows(context, selection) {
    const { state, scope, at, signal } = context
    const { period, operators, regionId } = selection
    if (!period) return
    const region = await findRegion(state, scope, regionId)
    const today = dayNumber(getToday(region, at))
    const lastDay = Math.min(dayNumber(period.last), today)
    for (let day = dayNumber(period.first); day <= lastDay; day += complianceBatchDays) {
      const daysQuery = {
        first: dayFromNumber(day),
        last: dayFromNumber(Math.min(lastDay, day + complianceBatchDays - 1)),
        operators: [...operators],
      }
      for await (const { revisions, records } of readPolicyRecords(context, {
        viewer: scope,
        region,
        daysQuery,
        at,
        signal,
      })) {
        const policiesById = new Map(revisions.map(({ policy }) => [policy.policy_uuid, policy]))
        yield records
          .filter(({ reason_code: code }) => code !== 'not_in_force')
          .map((record) => {
            const policy = policiesById.get(record.policy_uuid ?? '') ?? revisions.at(-1)?.policy
            return { ...record, policy_name: policy?.policy_name, policy_type: policy?.policy_type }
          })
      }
    }
  },
  // Counting would measure the days that are not stored yet.
  count: async () => uncounted,
}
