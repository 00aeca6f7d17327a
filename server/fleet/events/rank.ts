/** Computes the 32-bit FNV-1a hash of a text. `hash` is that of the preceding text. */
function hashText(text: string, hash = 0x811c9dc5): number {
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Bits of a rank that distinguish contents with the same publication time. */
const contentBits = 20n
const contentMask = (1 << 20) - 1

/**
 * Computes the rank of one version of a record; the version with the highest rank counts. A later publication
 * ranks higher. If publication times are equal or not reported (`published` 0, otherwise ms), a hash of
 * `head` and `content` decides, so that the result does not depend on the order of arrival.
 */
export function computeRank(published: number, content: string, head = ''): bigint {
  const contentHash = BigInt(hashText(content, hashText(head)) & contentMask)
  return published > 0 ? (BigInt(Math.trunc(published)) << contentBits) | contentHash : contentHash
}
