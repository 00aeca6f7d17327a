import type { ComplianceRecord } from '#contract/compliance.ts'
import { compareValues } from '#web/map-page/by-shape/compare/compare-evaluations.ts'
import type { EvaluationRow } from '#web/map-page/by-shape/evaluation.ts'
import { groupBy } from '#contract/group-by.ts'
import { tallyDay } from './tally-records.ts'

/** A shape with its number of violations. */
export interface ShapeRow extends EvaluationRow {
  /** Days, counted per operator, that are non-compliant, compliant, or not applicable. */
  counts: Readonly<Record<'nonCompliant' | 'compliant' | 'other' | 'uncertain', number>>
}

/** Violations by shape, highest first. A policy that is measured as one area has no shapes. */
export function shapeViolations(records: readonly ComplianceRecord[]): ShapeRow[] {
  const inShapes = records.filter(({ shape_uuid: shape }) => shape !== null)
  const rows = [...groupBy(inShapes, ({ shape_uuid: shape }) => shape ?? '')].map(([id, group]): ShapeRow => {
    const { violations, uncertain } = tallyDay('', group)
    const countRecords = (status: ComplianceRecord['status']): number =>
      group.filter((record) => record.status === status).length
    const nonCompliant = countRecords('non_compliant')
    const compliant = countRecords('compliant')
    const other = countRecords('not_applicable')
    // The value is unknown if no day is applicable.
    return {
      id,
      name: group[0]?.shape_name ?? '',
      value: nonCompliant + compliant > 0 ? violations : null,
      n: group.length,
      counts: { nonCompliant, compliant, other, uncertain },
    }
  })
  return rows.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1) || a.name.localeCompare(b.name))
}

/** Returns the shapes of both results, with the change. */
export function changedShapes(now: readonly ShapeRow[], before: readonly ShapeRow[]): ShapeRow[] {
  const noDays = { nonCompliant: 0, compliant: 0, other: 0, uncertain: 0 }
  const rowsNow = new Map(now.map((row) => [row.id, row]))
  const rowsBefore = new Map(before.map((row) => [row.id, row]))
  return [...new Set([...rowsNow.keys(), ...rowsBefore.keys()])].map((id) => {
    const row = rowsNow.get(id)
    const earlierRow = rowsBefore.get(id)
    // A shape that only one revision covers has no violations in the other.
    const compared = compareValues(row ? row.value : 0, earlierRow ? earlierRow.value : 0)
    return { ...(row ?? { id, name: earlierRow?.name ?? '', value: 0, n: null, counts: noDays }), compared }
  })
}
