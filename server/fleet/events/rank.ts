/** FNV-1a, 32 bits: stable, and takes a microsecond. Continues from the hash of the preceding text. */
function fnv(text: string, hash = 0x811c9dc5): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Bits of a rank that distinguish contents with the same publication time. */
const contentBits = 20n
const contentMask = (1 << 20) - 1

/**
 * The strength of one version of a record: the one published later counts; where that is not reported or the same, a hash of the content
 * decides, the same way every time. `published` in ms, 0: not reported. `head` and `content` count as one text.
 */
export function rank(published: number, content: string, head = ''): bigint {
  const low = BigInt(fnv(content, fnv(head)) & contentMask)
  return published > 0 ? (BigInt(Math.trunc(published)) << contentBits) | low : low
}
