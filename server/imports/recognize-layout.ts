import { type TripColumn, TripMapping } from '#contract/imports.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { findRepeatedNames } from './file-header.ts'
import { layouts } from './layouts/list.ts'

/** Operators that share a layout, by a word in the name of the file. */
const operatorsByName: readonly [RegExp, string][] = [
  [/divvy/i, 'divvy'],
  [/citi-?bike/i, 'citi-bike'],
  [/capital-?bikeshare/i, 'capital-bikeshare'],
  [/bay-?wheels|fordgobike/i, 'bay-wheels'],
  [/blue-?bikes|hubway/i, 'bluebikes'],
  [/cogo/i, 'cogo'],
  [/nice-?ride/i, 'nice-ride'],
  [/biketown/i, 'biketown'],
]

/** Returns the layout and mapping of a known header; null for others. The file name may name the operator. */
export function recognizeLayout(
  header: readonly string[],
  fileName: string,
): { layout: string; mapping: TripMapping } | null {
  // The user must choose between columns with the same name.
  const repeatedNames = new Set(findRepeatedNames(header).map(({ name }) => toPlainName(name)))
  const names = new Map(
    header.map((name) => [toPlainName(name), name] as const).filter(([name]) => !repeatedNames.has(name)),
  )
  const layout = layouts.find(({ identifyingColumns }) => identifyingColumns.every((name) => names.has(name)))
  if (!layout) return null
  const columns: Partial<Record<TripColumn, string>> = {}
  for (const [column, spellings] of Object.entries(layout.columns) as [TripColumn, readonly string[]][]) {
    const match = spellings.map((name) => names.get(name)).find((name) => name !== undefined)
    if (match !== undefined) columns[column] = match
  }
  const operator = operatorsByName.find(([word]) => word.test(fileName))?.[1]
  return {
    layout: layout.key,
    mapping: TripMapping.parse({
      ...layout.fixed,
      ...(layout.fixed.operator || !operator ? {} : { operator }),
      columns,
    }),
  }
}
