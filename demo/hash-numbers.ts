/** Mixes three whole numbers into one of 32 bits, so that one day or vehicle can be drawn without drawing those before it. */
export function hashNumbers(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16), 0x165667b1)
  return (h ^ (h >>> 15)) >>> 0
}
