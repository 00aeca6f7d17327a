import type { Note } from '#contract/boundary-files.ts'
import { appendTo } from '#contract/group-by.ts'
import type { BoundaryReading } from './boundary-content.ts'

type Feature = BoundaryReading['features'][number]

/** Maximum number of names or positions that are listed. */
const maxListed = 10
const maxReasons = 5

/** Formats a list, truncated after its first items. */
export const listLabels = (items: readonly (string | number)[]): string =>
  `${items.slice(0, maxListed).join(', ')}${items.length > maxListed ? ' …' : ''}`
const countItems = (items: readonly unknown[], one: string, many: string): string =>
  items.length === 1 ? one : `${items.length.toLocaleString('en')} ${many}`

/** Returns the trimmed name of a feature by a property; '' if it has none. */
export function getFeatureName(properties: Record<string, unknown>, nameProperty: string | null): string {
  const value = nameProperty === null ? null : properties[nameProperty]
  return value === null || value === undefined ? '' : String(value).trim()
}

/** Describes a feature in notes, by its position in the file and its name. */
export const describeFeature = ({ position, properties }: Feature, nameProperty: string | null): string => {
  const name = getFeatureName(properties, nameProperty)
  return name === '' ? `feature ${position}` : `feature ${position} (“${name}”)`
}

/** Lists notes on naming the features by a property: missing, padded and repeated names. */
export function reviewNames(features: readonly Feature[], nameProperty: string): Note[] {
  const missing: number[] = []
  const padded: string[] = []
  const counts = new Map<string, number>()
  for (const { position, properties } of features) {
    const name = getFeatureName(properties, nameProperty)
    const value = properties[nameProperty]
    if (name === '') missing.push(position)
    else {
      if (typeof value === 'string' && value !== name) padded.push(name)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const repeated = [...counts].filter(([, count]) => count > 1).map(([name]) => name)
  const notes: Note[] = []
  const addNote = (code: string, text: string): void => void notes.push({ position: null, code, text })
  if (missing.length === features.length)
    addNote(
      'names-missing',
      `No feature has a value for “${nameProperty}”; all are named by their position in the file.`,
    )
  else if (missing.length)
    addNote(
      'names-missing',
      `${countItems(missing, 'One feature has no name and is', 'features have no name and are')} named by position in the file: ${listLabels(missing.map((position) => `Shape ${position}`))}.`,
    )
  if (padded.length)
    addNote(
      'names-trimmed',
      `${countItems(padded, 'One name began or ended with blanks, which were removed', 'names began or ended with blanks, which were removed')}: ${listLabels(padded)}.`,
    )
  if (repeated.length)
    addNote(
      'names-repeated',
      `${countItems(repeated, 'One name occurs', 'names occur')} more than once; the later shapes get a number: ${listLabels(repeated)}.`,
    )
  return notes
}

/** Notes shapes with the same outline. Both are stored, because only the user knows which one is right. */
function noteRepeatedOutlines(features: readonly Feature[], nameProperty: string | null): Note[] {
  const featuresByOutline = new Map<string, Feature>()
  const notes: Note[] = []
  for (const feature of features) {
    const outline = JSON.stringify(feature.geometry)
    const earlierFeature = featuresByOutline.get(outline)
    if (earlierFeature && earlierFeature.position !== feature.position)
      notes.push({
        position: feature.position,
        code: 'same-outline',
        text: `It has the same outline as ${describeFeature(earlierFeature, nameProperty)}. Both are stored.`,
      })
    else featuresByOutline.set(outline, feature)
  }
  return notes
}

/** Lists notes except those of `reviewNames`. Features are named by a property; null: by position. */
export function listNotes(
  { features, notes }: Pick<BoundaryReading, 'features' | 'notes'>,
  nameProperty: string | null,
): Note[] {
  const names = new Map(
    features.map(({ position, properties }) => [position, getFeatureName(properties, nameProperty)]),
  )
  return [...notes, ...noteRepeatedOutlines(features, nameProperty)].map((note) => {
    const name = note.position === null ? '' : names.get(note.position)
    return name ? { ...note, name } : note
  })
}

/** Lists a reading's notes. Features are named by the chosen property (null: suggested), else by position. */
export function listAllNotes(reading: BoundaryReading, chosenProperty: string | null): Note[] {
  const nameProperty = chosenProperty ?? reading.suggestedName
  return [
    ...(nameProperty === null ? [] : reviewNames(reading.features, nameProperty)),
    ...listNotes(reading, nameProperty),
  ]
}

/** Describes why a file has no usable feature: the first reasons, each with its features. */
export function describeReasons(notes: readonly Note[], names: ReadonlyMap<number, string>): string {
  const byText = new Map<string, string[]>()
  for (const { position, text } of notes) {
    if (position === null) continue
    const name = names.get(position)
    const label = name ? `${position} (“${name}”)` : String(position)
    appendTo(byText, text, label)
  }
  const reasons = [...byText].map(
    ([text, labels]) => `Feature${labels.length === 1 ? '' : 's'} ${listLabels(labels)}: ${text}`,
  )
  const unlisted = reasons.length - maxReasons
  if (unlisted > 0)
    reasons.splice(maxReasons, unlisted, `${unlisted.toLocaleString('en')} more reasons are not listed.`)
  return reasons.join(' ')
}
