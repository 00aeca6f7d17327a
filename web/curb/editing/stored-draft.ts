import { type DraftZone, emptyDraft, type ZoneDraft } from './zone-draft.ts'

const toKey = (regionId: string): string => `publicway.curb-draft.${regionId}`

/** Stores a copy of the draft that survives a reload of this tab. */
export function storeDraft(regionId: string, draft: ZoneDraft): void {
  try {
    if (draft.size) sessionStorage.setItem(toKey(regionId), JSON.stringify([...draft.values()]))
    else sessionStorage.removeItem(toKey(regionId))
  } catch {
    // Storage is full or disabled: editing continues without a copy.
  }
}

const isDraftZone = (value: unknown): value is DraftZone =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'base' in value &&
  'now' in value &&
  'from' in value &&
  Array.isArray(value.from)

/** Returns the copy from before a reload; an empty draft if there is none. */
export function loadDraft(regionId: string): ZoneDraft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(toKey(regionId)) ?? '[]')
    return Array.isArray(stored) && stored.every(isDraftZone)
      ? new Map(stored.map((zone) => [zone.id, zone]))
      : emptyDraft
  } catch {
    return emptyDraft
  }
}
