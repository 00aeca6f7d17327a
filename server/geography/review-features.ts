import type { BoundaryReading } from './boundary-reading.ts'
import type { BoundaryNote } from './formats/boundary-note.ts'

type Feature = BoundaryReading['features'][number]

/** So many names are shown of a longer list. */
const shown = 10

const list = (names: readonly string[]): string => `${names.slice(0, shown).join(', ')}${names.length > shown ? ' …' : ''}`
const labelOf = (feature: Feature, by: string | null): string => {
  const name = by === null ? null : feature.properties[by]
  return name === null || name === undefined || name === '' ? `feature ${feature.position}` : `“${String(name)}” (feature ${feature.position})`
}

/** Blanks around names are taken off: two names that look the same are the same. */
function trimNames(features: readonly Feature[], by: string | null): { features: Feature[]; notes: BoundaryNote[] } {
  const trimmed: string[] = []
  const clean = features.map((feature) => {
    const name = by === null ? null : feature.properties[by]
    if (by === null || typeof name !== 'string' || name === name.trim()) return feature
    trimmed.push(name.trim())
    return { ...feature, properties: { ...feature.properties, [by]: name.trim() } }
  })
  const text = `${trimmed.length === 1 ? 'One name' : `${trimmed.length.toLocaleString('en')} names`} began or ended with blanks, which were taken off: ${list(trimmed)}.`
  return { features: clean, notes: trimmed.length ? [{ position: null, code: 'names-trimmed', text }] : [] }
}

/** Names that stand more than once get a number when a layer is made; here the planner learns of it. */
function repeatedNames(features: readonly Feature[], by: string | null): BoundaryNote[] {
  const times = new Map<string, number>()
  for (const { properties } of features) {
    const name = by === null ? null : properties[by]
    if (name !== null && name !== undefined && name !== '') times.set(String(name), (times.get(String(name)) ?? 0) + 1)
  }
  const repeated = [...times].filter(([, count]) => count > 1).map(([name]) => name)
  return repeated.length ? [{ position: null, code: 'names-repeated', text: `${repeated.length === 1 ? 'One name stands' : `${repeated.length.toLocaleString('en')} names stand`} more than once; the later shapes get a number: ${list(repeated)}.` }] : []
}

/** Shapes drawn twice are kept, both: which of them is wanted only the planner knows. */
function repeatedOutlines(features: readonly Feature[], by: string | null): BoundaryNote[] {
  const first = new Map<string, Feature>()
  const notes: BoundaryNote[] = []
  for (const feature of features) {
    const outline = JSON.stringify(feature.geometry)
    const before = first.get(outline)
    if (before && before.position !== feature.position) notes.push({ position: feature.position, code: 'same-outline', text: `${labelOf(feature, by).replace(/^f/, 'F')} has the very outline of ${labelOf(before, by)}. Both were kept.` })
    else first.set(outline, feature)
  }
  return notes
}

/** What is odd about a file's shapes as a whole, in sentences; names without blanks around them. */
export function reviewFeatures(features: readonly Feature[], suggestedName: string | null): { features: Feature[]; notes: BoundaryNote[] } {
  const named = trimNames(features, suggestedName)
  return { features: named.features, notes: [...named.notes, ...repeatedNames(named.features, suggestedName), ...repeatedOutlines(named.features, suggestedName)] }
}
