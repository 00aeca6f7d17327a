/** Bytes of a file, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * The part of a file that a `Range` header asks for, cut to the file and to `most` bytes: a server may send less than was asked.
 * Null where there is none such: no single range of bytes, or behind the end.
 */
export function byteRange(header: string, size: number, most: number): ByteRange | null {
  const [, from = '', until = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === '' && (until === '' || Number(until) === 0)) return null
  const first = from === '' ? Math.max(0, size - Number(until)) : Number(from)
  const last = Math.min(from === '' || until === '' ? size - 1 : Number(until), size - 1, first + most - 1)
  return first > last ? null : { first, last }
}
