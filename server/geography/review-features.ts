import type { Note } from '#contract/geography.ts'
import type { BoundaryReading } from './boundary-reading.ts'

type Feature = BoundaryReading['features'][number]

/** So many names or positions are shown of a longer list. */
const maxListed = 10

/** A list, cut after its first items. */
export const listLabels = (items: readonly (string | number)[]): string =>
  `${items.slice(0, maxListed).join(', ')}${items.length > maxListed ? ' …' : ''}`
const count = (items: readonly unknown[], one: string, many: string): string =>
  items.length === 1 ? one : `${items.length.toLocaleString('en')} ${many}`

/** The name of a feature by a property, without blanks around it; '' where it has none. */
export function nameOf(properties: Record<string, unknown>, by: string | null): string {
  const value = by === null ? null : properties[by]
  return value === null || value === undefined ? '' : String(value).trim()
}

/** How a note refers to a feature: by its position in the file and its name. */
export const labelOf = ({ position, properties }: Feature, by: string | null): string => {
  const name = nameOf(properties, by)
  return name === '' ? `feature ${position}` : `feature ${position} (“${name}”)`
}

/** What is to be known before the features are named by a property: missing, padded and repeated names. */
export function reviewNames(features: readonly Feature[], by: string): Note[] {
  const missing: number[] = []
  const padded: string[] = []
  const positions = new Map<string, number>()
  for (const { position, properties } of features) {
    const name = nameOf(properties, by)
    const value = properties[by]
    if (name === '') missing.push(position)
    else {
      if (typeof value === 'string' && value !== name) padded.push(name)
      positions.set(name, (positions.get(name) ?? 0) + 1)
    }
  }
  const repeated = [...positions].filter(([, times]) => times > 1).map(([name]) => name)
  const notes: Note[] = []
  const note = (code: string, text: string): void => void notes.push({ position: null, code, text })
  if (missing.length === features.length)
    note('names-missing', `No feature has a value for “${by}”; all are named by their position in the file.`)
  else if (missing.length)
    note(
      'names-missing',
      `${count(missing, 'One feature has no name and is', 'features have no name and are')} named by position in the file: ${listLabels(missing.map((position) => `Shape ${position}`))}.`,
    )
  if (padded.length)
    note(
      'names-trimmed',
      `${count(padded, 'One name began or ended with blanks, which were removed', 'names began or ended with blanks, which were removed')}: ${listLabels(padded)}.`,
    )
  if (repeated.length)
    note(
      'names-repeated',
      `${count(repeated, 'One name occurs', 'names occur')} more than once; the later shapes get a number: ${listLabels(repeated)}.`,
    )
  return notes
}

/** Shapes with the same outline are both stored: only the planner knows which of them is wanted. */
function repeatedOutlines(features: readonly Feature[], by: string | null): Note[] {
  const first = new Map<string, Feature>()
  const notes: Note[] = []
  for (const feature of features) {
    const outline = JSON.stringify(feature.geometry)
    const before = first.get(outline)
    if (before && before.position !== feature.position)
      notes.push({
        position: feature.position,
        code: 'same-outline',
        text: `It has the same outline as ${labelOf(before, by)}. Both are stored.`,
      })
    else first.set(outline, feature)
  }
  return notes
}

/** The notes of a reading whose features are named by a property, or by their position where it is null; without those of `reviewNames`. */
export function notesOf(
  { features, notes }: Pick<BoundaryReading, 'features' | 'notes'>,
  by: string | null,
): Note[] {
  const names = new Map(features.map(({ position, properties }) => [position, nameOf(properties, by)]))
  return [...notes, ...repeatedOutlines(features, by)].map((note) => {
    const name = note.position === null ? '' : names.get(note.position)
    return name ? { ...note, name } : note
  })
}

/** All notes of a reading whose features are named by the chosen property; null: by the suggested one, or by position. */
export function notesNamedBy(reading: BoundaryReading, chosen: string | null): Note[] {
  const by = chosen ?? reading.suggestedName
  return [...(by === null ? [] : reviewNames(reading.features, by)), ...notesOf(reading, by)]
}

/** Why a file has no usable feature: the first reasons, each with the features that it holds for. */
export function reasonsOf(notes: readonly Note[], nameAt: ReadonlyMap<number, string>): string {
  const byText = new Map<string, string[]>()
  for (const { position, text } of notes) {
    if (position === null) continue
    const name = nameAt.get(position)
    const label = name ? `${position} (“${name}”)` : String(position)
    byText.set(text, [...(byText.get(text) ?? []), label])
  }
  const reasons = [...byText].map(
    ([text, labels]) => `Feature${labels.length === 1 ? '' : 's'} ${listLabels(labels)}: ${text}`,
  )
  return `${reasons.slice(0, 5).join(' ')}${reasons.length > 5 ? ` ${(reasons.length - 5).toLocaleString('en')} more reasons are not listed.` : ''}`
}
