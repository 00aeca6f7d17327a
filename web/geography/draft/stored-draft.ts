import { emptyDraft, type Draft, type DraftShape } from './draft.ts'

const toKey = (regionId: string, layerId: string): string => `publicway.draft.${regionId}.${layerId}`

/** Stores a draft copy that survives a reload; an empty draft removes it. Returns whether this succeeded. */
export function storeDraft(regionId: string, layerId: string, draft: Draft): boolean {
  try {
    if (draft.size === 0) sessionStorage.removeItem(toKey(regionId, layerId))
    else sessionStorage.setItem(toKey(regionId, layerId), JSON.stringify([...draft.values()]))
    return true
  } catch {
    // Storage is full or disabled: editing continues without a copy.
    return false
  }
}

/** Returns the copy from before a reload; an empty draft if there is none or it cannot be read. */
export function loadDraft(regionId: string, layerId: string): Draft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(toKey(regionId, layerId)) ?? '[]')
    return Array.isArray(stored) && stored.every(isDraftShape)
      ? new Map(stored.map((shape) => [shape.id, shape]))
      : emptyDraft
  } catch {
    return emptyDraft
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isForm = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  isObject(value['geom']) &&
  Array.isArray(value['geom']['coordinates'])
const isDraftShape = (value: unknown): value is DraftShape =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  (value['base'] === null ||
    (isForm(value['base']) &&
      typeof (value['base'] as Record<string, unknown>)['modified_time'] === 'string')) &&
  (value['now'] === null ? value['base'] !== null : isForm(value['now']))
