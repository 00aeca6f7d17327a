import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { createQrPath } from './enroll-totp.tsx'

const uri =
  'otpauth://totp/Publicway:ada%40city.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Publicway&algorithm=SHA1&digits=6&period=30'

it('draws every dark module, and no other', () => {
  const { size, path } = createQrPath(uri)
  const drawn = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`))
  const { data } = encode(uri, { ecc: 'M', border: 4 })
  expect(size).toBe(data.length)
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries()) expect(drawn.has(`${x},${y}`)).toBe(isDark)
})

it('includes the quiet zone of four modules that readers require', () => {
  const { size, path } = createQrPath(uri)
  const coordinates = [...path.matchAll(/M(\d+) (\d+)h/g)].flatMap(([, x, y]) => [Number(x), Number(y)])
  expect([Math.min(...coordinates), Math.max(...coordinates)]).toEqual([4, size - 5])
})
