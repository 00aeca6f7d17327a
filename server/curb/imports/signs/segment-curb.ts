import type { StagedPolicy } from '../../store/staged.ts'
import type { Arrow } from './read-sign.ts'

/** A sign at a curb. */
export interface CurbSign {
  id: string
  text: string
  arrow: Arrow
  /** Meters from the start of the curb. */
  along: number
  /** Meters from the curb. */
  distance: number
  /** The policies that the text states; null if it is not certain. */
  policies: StagedPolicy[] | null
}

/** A part of a curb with the same policies throughout. */
export interface CurbSegment {
  /** Meters from the start of the curb. */
  from: number
  to: number
  policies: StagedPolicy[]
  /** Signs that determine the policies, and signs with ambiguous text at the ends of the segment. */
  signs: CurbSign[]
  /** From 0 to 1. */
  confidence: number
}

/** Signs closer together than this are on the same pole. */
const samePoleMeters = 1.5
/** Signs within this distance certainly belong to the curb. */
const nearMeters = 4

/**
 * Cuts a curb at its signs and finds the policies of each part, by Boston's method. Along the curb, a sign
 * that points ahead starts its rule, and a sign that points back ends it; a sign with both arrows, or none,
 * does both. The curb is passed in both directions, and the rules of both passes are combined. Curbs are
 * digitized in the direction of travel with the street on the left, so that a left arrow points forward.
 */
export function segmentCurb(length: number, signs: readonly CurbSign[]): CurbSegment[] {
  const sortedSigns = signs.toSorted((a, b) => a.along - b.along)
  const cuts = [0]
  for (const { along } of sortedSigns)
    if (along - (cuts.at(-1) ?? 0) > samePoleMeters && length - along > samePoleMeters) cuts.push(along)
  cuts.push(length)
  const segments: CurbSegment[] = []
  for (let index = 1; index < cuts.length; index++) {
    segments.push(createSegment(cuts[index - 1] ?? 0, cuts[index] ?? 0, sortedSigns))
  }
  return joinEqual(segments)
}

/** Creates a segment of a curb with the rules of the signs that point into it. */
function createSegment(from: number, to: number, signs: readonly CurbSign[]): CurbSegment {
  const middle = (from + to) / 2
  const signsBefore = signs.filter(({ along }) => along <= middle)
  const signsAfter = signs.filter(({ along }) => along > middle)
  const rules = new Map<string, { policy: StagedPolicy; signs: Set<CurbSign> }>()
  const add = (sign: CurbSign, policy: StagedPolicy): void => {
    const key = JSON.stringify(policy)
    const rule = rules.get(key) ?? { policy, signs: new Set() }
    rule.signs.add(sign)
    rules.set(key, rule)
  }
  for (const [sign, policy] of listActiveRules(signsBefore, 'left')) add(sign, policy)
  for (const [sign, policy] of listActiveRules(signsAfter.toReversed(), 'right')) add(sign, policy)
  const usedSigns = new Set([...rules.values()].flatMap((rule) => [...rule.signs]))
  const unclearSigns = signs.filter(
    ({ along, policies }) =>
      policies === null && along >= from - samePoleMeters && along <= to + samePoleMeters,
  )
  return {
    from,
    to,
    policies: [...rules.values()].map(({ policy }) => policy).toSorted((a, b) => a.priority - b.priority),
    signs: [...new Set([...usedSigns, ...unclearSigns])],
    confidence: computeConfidence([...rules.values()], unclearSigns.length),
  }
}

/** Lists the rules after passing some signs. @param ahead the arrow in the direction of passing */
function listActiveRules(signs: readonly CurbSign[], ahead: 'left' | 'right'): [CurbSign, StagedPolicy][] {
  const active = new Map<string, [CurbSign, StagedPolicy]>()
  for (const sign of signs)
    for (const policy of sign.policies ?? []) {
      const key = JSON.stringify(policy)
      if (sign.arrow === ahead || sign.arrow === 'both' || sign.arrow === 'none')
        active.set(key, [sign, policy])
      else active.delete(key)
    }
  return [...active.values()]
}

/** Computes the confidence of a segment, lower without an end or arrow, or far from the curb. */
function computeConfidence(rules: readonly { signs: Set<CurbSign> }[], unclearCount: number): number {
  if (!rules.length) return unclearCount ? 0.1 : 0.2
  const confidences = rules.map(({ signs }) => {
    const ruleSigns = [...signs]
    const isClosed = ruleSigns.length > 1
    const hasArrows = ruleSigns.every(({ arrow }) => arrow !== 'none')
    const isNear = ruleSigns.every(({ distance }) => distance <= nearMeters)
    return 0.95 - (isClosed ? 0 : 0.15) - (hasArrows ? 0 : 0.2) - (isNear ? 0 : 0.15)
  })
  return Math.round(Math.max(0.1, Math.min(...confidences) - (unclearCount ? 0.3 : 0)) * 100) / 100
}

/** Joins neighboring segments with the same policies. */
function joinEqual(segments: readonly CurbSegment[]): CurbSegment[] {
  const joined: CurbSegment[] = []
  for (const segment of segments) {
    const lastSegment = joined.at(-1)
    if (lastSegment && JSON.stringify(lastSegment.policies) === JSON.stringify(segment.policies)) {
      lastSegment.to = segment.to
      lastSegment.signs = [...new Set([...lastSegment.signs, ...segment.signs])]
      lastSegment.confidence = Math.min(lastSegment.confidence, segment.confidence)
    } else joined.push({ ...segment })
  }
  return joined
}
