import type { StagedPolicy } from '../../store/staged.ts'
import type { Arrow } from './read-sign.ts'

/** A sign at a curb. */
export interface CurbSign {
  id: string
  text: string
  arrow: Arrow
  /** Meters from the start of the curb, and from the curb. */
  at: number
  distance: number
  /** Null: its text is not certain. */
  policies: StagedPolicy[] | null
}

export interface CurbSegment {
  from: number
  to: number
  policies: StagedPolicy[]
  /** Signs that determine the policies, and signs with ambiguous text at the ends of the segment. */
  signs: CurbSign[]
  confidence: number
}

/** Signs closer together than this stand on one pole. */
const samePoleMeters = 1.5

/**
 * Cuts a curb at its signs and finds the policies of each part (Boston's method): walking along the curb, a sign that points away opens its
 * rule and one that points back closes it; a sign with both arrows or none does both. The rules of a walk forward and a walk back are
 * united. A curb is digitized in the direction of travel with the street on its left, so that a left arrow points forward.
 */
export function segmentCurb(length: number, signs: readonly CurbSign[]): CurbSegment[] {
  const sorted = signs.toSorted((one, other) => one.at - other.at)
  const cuts = [0]
  for (const { at } of sorted)
    if (at - (cuts.at(-1) ?? 0) > samePoleMeters && length - at > samePoleMeters) cuts.push(at)
  cuts.push(length)
  const segments: CurbSegment[] = []
  for (let index = 1; index < cuts.length; index++) {
    const [from, to] = [cuts[index - 1] ?? 0, cuts[index] ?? 0]
    segments.push(segmentOf(from, to, sorted))
  }
  return joinEqual(segments)
}

function segmentOf(from: number, to: number, signs: readonly CurbSign[]): CurbSegment {
  const middle = (from + to) / 2
  const before = signs.filter(({ at }) => at <= middle)
  const after = signs.filter(({ at }) => at > middle)
  const found = new Map<string, { policy: StagedPolicy; signs: Set<CurbSign> }>()
  const add = (sign: CurbSign, policy: StagedPolicy): void => {
    const key = JSON.stringify(policy)
    const entry = found.get(key) ?? { policy, signs: new Set() }
    entry.signs.add(sign)
    found.set(key, entry)
  }
  for (const [sign, policy] of openRules(before, 'left')) add(sign, policy)
  for (const [sign, policy] of openRules(after.toReversed(), 'right')) add(sign, policy)
  const used = new Set([...found.values()].flatMap((entry) => [...entry.signs]))
  const unclear = signs.filter(
    ({ at, policies }) => policies === null && at >= from - samePoleMeters && at <= to + samePoleMeters,
  )
  return {
    from,
    to,
    policies: [...found.values()]
      .map(({ policy }) => policy)
      .toSorted((one, other) => one.priority - other.priority),
    signs: [...new Set([...used, ...unclear])],
    confidence: confidenceOf([...found.values()], unclear.length),
  }
}

/** Rules that are open at the end of a walk past signs. `ahead` is the arrow that points in the direction of the walk. */
function openRules(signs: readonly CurbSign[], ahead: 'left' | 'right'): [CurbSign, StagedPolicy][] {
  const open = new Map<string, [CurbSign, StagedPolicy]>()
  for (const sign of signs)
    for (const policy of sign.policies ?? []) {
      const key = JSON.stringify(policy)
      if (sign.arrow === ahead || sign.arrow === 'both' || sign.arrow === 'none')
        open.set(key, [sign, policy])
      else open.delete(key)
    }
  return [...open.values()]
}

/** A rule that signs at both ends state is more certain than one without an end, an arrow, or far from its curb. */
function confidenceOf(rules: readonly { signs: Set<CurbSign> }[], unclear: number): number {
  if (!rules.length) return unclear ? 0.1 : 0.2
  const each = rules.map(({ signs }) => {
    const list = [...signs]
    const isClosed = list.length > 1
    const hasArrows = list.every(({ arrow }) => arrow !== 'none')
    const isNear = list.every(({ distance }) => distance <= 4)
    return 0.95 - (isClosed ? 0 : 0.15) - (hasArrows ? 0 : 0.2) - (isNear ? 0 : 0.15)
  })
  return Math.round(Math.max(0.1, Math.min(...each) - (unclear ? 0.3 : 0)) * 100) / 100
}

/** Neighbors with the same policies become one segment. */
function joinEqual(segments: readonly CurbSegment[]): CurbSegment[] {
  const joined: CurbSegment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last && JSON.stringify(last.policies) === JSON.stringify(segment.policies)) {
      last.to = segment.to
      last.signs = [...new Set([...last.signs, ...segment.signs])]
      last.confidence = Math.min(last.confidence, segment.confidence)
    } else joined.push({ ...segment })
  }
  return joined
}
